package weaviate

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
)

func attachedTo(t testing.TB, c *testCluster, settings string) *remote.Store {
	t.Helper()
	s, err := Open(context.Background(), c.URL()+"&collection="+settings, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func direction(r *rand.Rand, length float64) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	if err := vec.Normalize(v); err != nil {
		panic(err)
	}
	for i := range v {
		v[i] *= float32(length)
	}
	return v
}

// Whichever distance an index has, nearly all is found that is nearest by cosine, and what a
// pool says of the rest is true; also by the one vector of a class without names for them.
func TestDistances(t *testing.T) {
	const seed, n, k = 3, 1200, 20
	t.Logf("seed %d", seed)
	ctx, c := context.Background(), sharedCluster(t)
	for _, d := range []struct {
		distance string
		unit     bool
	}{{"cosine", false}, {"dot", true}, {"l2-squared", true}, {"dot", false}, {"l2-squared", false}} {
		r := rand.New(rand.NewPCG(seed, seed))
		name := collection(t, c)
		post(t, c, "schema", map[string]any{
			"class": name, "vectorizer": "none", "vectorIndexConfig": map[string]any{"distance": d.distance, "skipDefaultQuantization": true},
			"properties": []any{map[string]any{"name": "text", "dataType": []string{"text"}}},
		}, nil)
		vectors := map[string][]float32{}
		var things []thing
		for i := range n {
			length := 1.0
			if !d.unit {
				length = 0.5 + r.Float64()
			}
			id := keyOf(fmt.Sprint(i)).String()
			vectors[id] = direction(r, length)
			things = append(things, thing{"class": name, "id": id, "properties": map[string]any{"text": "text"}, "vector": vectors[id]})
		}
		things = append(things, thing{"class": name, "id": keyOf("none").String(), "properties": map[string]any{"text": "no vector"}})
		put(t, c, things)
		s := attachedTo(t, c, name)
		s.Limits.Cheap = 0
		found, loose := 0, 0
		const queries = 5
		for range queries {
			v := direction(r, 1)
			got, err := s.Pool(ctx, [][]float32{v}, k, nil, [][]float32{v})
			if err != nil || len(got.Refs) != k {
				t.Fatalf("%s: %+v, %v", d.distance, got, err)
			}
			cosines := map[string]float64{}
			var ids []string
			for id, u := range vectors {
				cosines[id] = vec.Dot64(u, v) / vec.Norm(u)
				ids = append(ids, id)
			}
			slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(cosines[b], cosines[a]) })
			for i, ref := range got.Refs {
				if x := cosines[ref.Key]; float32(x-1e-5) > got.Similarities[0][i] || float32(x+1e-5) < got.Similarities[0][i] {
					t.Errorf("%s: a similarity of %g, want %g", d.distance, got.Similarities[0][i], x)
				}
			}
			for i, id := range ids {
				in := slices.Contains(got.Refs, engine.Ref{Key: id})
				if i < k && in {
					found++
				} else if got.UnseenBounds != nil && !in && i >= k && cosines[id] > float64(got.UnseenBounds[0])+1e-6 {
					t.Errorf("%s: a cosine of %g is beyond %g", d.distance, cosines[id], got.UnseenBounds[0])
				}
			}
			if got.UnseenBounds == nil || got.UnseenBounds[0] >= 1 {
				loose++
			}
		}
		t.Logf("%s, of length 1: %t: %d of %d, nothing known of the rest %d times", d.distance, d.unit, found, queries*k, loose)
		least := 0.99
		if !d.unit && d.distance != "cosine" {
			least = 0.6 // by another order
		} else if loose > 0 {
			t.Errorf("%s: %d pools know nothing of the rest", d.distance, loose)
		}
		if float64(found) < least*queries*k {
			t.Errorf("%s, of length 1: %t: %d of %d", d.distance, d.unit, found, queries*k)
		}
		if all, err := s.Pool(ctx, [][]float32{direction(r, 1)}, 2*n, nil, [][]float32{direction(r, 1)}); err != nil || len(all.Refs) != n || all.Approximate {
			t.Errorf("%s: all are %d, %v", d.distance, len(all.Refs), err)
		}
	}
}

// Each tenant has its own documents; which there are is said where none is named.
func TestTenants(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	name := collection(t, c)
	post(t, c, "schema", map[string]any{"class": name, "vectorizer": "none", "multiTenancyConfig": map[string]any{"enabled": true},
		"properties": []any{map[string]any{"name": "body", "dataType": []string{"text"}}}}, nil)
	var tenants []any
	for i := range 12 {
		tenants = append(tenants, map[string]any{"name": fmt.Sprint("tenant", 10+i)})
	}
	post(t, c, "schema/"+name+"/tenants", tenants, nil)
	for i := range 3 {
		var things []thing
		for _, d := range enginetest.Documents(5 + i) {
			things = append(things, thing{"class": name, "tenant": fmt.Sprint("tenant", 10+i), "properties": map[string]any{"body": d.ID + " of the lighthouse"}, "vector": d.Vector})
		}
		put(t, c, things)
	}
	at := c.URL() + "&collection=" + name
	for settings, want := range map[string]string{
		"":                 "the address names none: say which with tenant=NAME, of 12 there are tenant10, tenant11",
		"&tenant=tenant99": `there is no tenant "tenant99": say which`,
		"&tenant=tenant15": "is empty",
	} {
		if _, err := Open(ctx, at+settings, engine.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", settings, err)
		}
	}
	for i := range 3 {
		s := attachedTo(t, c, name+fmt.Sprint("&tenant=tenant", 10+i))
		size, err := s.Size(ctx)
		docs, _, listed := s.List(ctx, engine.Page{Limit: 100, Parts: engine.AllParts})
		q := words.NewQuery([]string{"lighthouse"}, words.NewStatistics())
		shares, said := engine.CapabilitiesOf(s).Lexical.MatchTerms(ctx, q, nil, []engine.TopK{{K: 10, By: func(out []float32, scores [][]float32) { copy(out, scores[0]) }}})
		v := [][]float32{enginetest.Documents(1)[0].Vector}
		pool, found := s.Pool(ctx, v, 2, nil, v)
		if err != nil || listed != nil || said != nil || found != nil || size.Documents != 5+i || len(docs) != 5+i || len(shares.Refs) != 5+i || len(pool.Refs) != 2 || len(pool.Degraded) != 0 {
			t.Errorf("tenant %d: %+v, %v, %d listed, %v, %+v said, %v, %+v, %v", i, size, err, len(docs), listed, shares, said, pool, found)
		}
		if d, err := s.Get(ctx, docs[0].ID, engine.Texts); err != nil || d.Text != docs[0].Text || !strings.Contains(d.Text, "lighthouse") {
			t.Errorf("got %+v and error %v, want the text with the lighthouse", d, err)
		}
	}
	other := filled(t, c, "cosine", enginetest.Documents(2))
	if _, err := Open(ctx, c.URL()+"&collection="+other+"&vector=dense&tenant=a", engine.Options{}); err == nil || !strings.Contains(err.Error(), "has no tenants") {
		t.Error(err)
	}
}

// What is open is asked, with all that there is to choose from.
func TestProposal(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	name := filled(t, c, "dot", enginetest.Documents(2))
	for settings, wants := range map[string][]string{
		"":                            {"2 columns hold a vector: say which", "dense", "vector, dot", "other", "vector, cosine", "ref", "text", "vector=dense"},
		"&vector=third":               {`there is no column "third" for the vector`},
		"&vector=dense&text=fulltext": {`there is no column "fulltext" for the text`, "body"},
		"&vector=dense&metadata=ref":  {"not a JSON object"},
	} {
		_, err := Open(ctx, c.URL()+"&collection="+name+settings, engine.Options{})
		for _, want := range wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", settings, err, want)
			}
		}
	}
	s := attachedTo(t, c, name+"&vector=dense")
	if d, err := s.Get(ctx, keyOf("id-1").String(), engine.AllParts); err != nil || d.Title != "title" || !strings.HasPrefix(d.Text, "text") || string(d.Metadata) != `{"n":1,"ref":"id-1"}` {
		t.Errorf("got %+v with %s and error %v, want title, text and metadata", d, d.Metadata, err)
	}
}

// A sample is fair also where UUIDs begin with the time.
func TestSampleInTime(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	name := collection(t, c)
	post(t, c, "schema", map[string]any{"class": name, "vectorizer": "none", "properties": []any{map[string]any{"name": "n", "dataType": []string{"int"}}}}, nil)
	const n = 1000
	var things []thing
	for i := range n {
		id := fmt.Sprintf("%08x-%04x-7000-8000-%012x", 0x0195_0000, i, i)
		things = append(things, thing{"class": name, "id": id, "properties": map[string]any{"n": i}, "vector": []float32{1, float32(i)}})
	}
	put(t, c, things)
	s := attachedTo(t, c, name)
	refs, err := s.Sample(ctx, 100)
	if err != nil || len(refs) < 90 || len(refs) > 100 {
		t.Fatalf("%d, %v", len(refs), err)
	}
	sum := 0
	for _, r := range refs {
		var i int
		if _, err := fmt.Sscanf(r.Key[9:13], "%x", &i); err != nil {
			t.Fatal(err)
		}
		sum += i
	}
	if mean := sum / len(refs); mean < n*4/10 || mean > n*6/10 {
		t.Errorf("the mean place is %d of %d", mean, n)
	}
}
