package milvus

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

//go:embed testdata/quickstart.py
var quickstart string

// A collection that Milvus's own client has made and filled, by the few lines that its
// documentation begins with, is searched as it is.
func TestQuickstart(t *testing.T) {
	url := sharedURL(t)
	python, err := pythonOf()
	if err != nil {
		t.Skip(err)
	}
	c := clientOf(t, url)
	name := collection(t, c)
	if out, err := exec.Command(python, "-c", quickstart, "http://"+serverAt(t), name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := attachedTo(t, enginetest.At(url, name))
	ctx := context.Background()
	d, err := s.Get(ctx, "2", engine.AllParts)
	if err != nil || d.Text != "A ball on a lawn" || string(d.Metadata) != `{"topic":"toys","year":2021}` || len(d.Vector) != 4 {
		t.Errorf("got %+v and error %v, want the ball with its metadata and 4 dimensions", d, err)
	}
	filter := &query.Predicate{Field: "year", Op: query.Greater, Value: "2020"}
	v := [][]float32{{1, 0, 0, 0}}
	found, err := s.Pool(ctx, v, 10, filter, v)
	if err != nil || len(found.Refs) != 2 {
		t.Errorf("got %+v and error %v, want 2 documents", found, err)
	}
	if engine.CapabilitiesOf(s).Lexical == nil {
		t.Error("its texts are not read")
	}
}

func attachedTo(t testing.TB, url string) *remote.Store {
	t.Helper()
	s, err := Open(context.Background(), url, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// What cannot be known is asked for, with what there is.
func TestQuestions(t *testing.T) {
	docs := []engine.Document{{ID: "1", Text: "a", Vector: []float32{1, 0}}}
	two, none := library(docs), library(docs)
	two.schema.Fields = append(two.schema.Fields, vectorsSchema(docs, "other"))
	two.data = append(two.data, vectorsIn(docs, "other"))
	two.indexes = append(two.indexes, indexed("other", "FLAT", "COSINE"))
	none.indexes = none.indexes[1:]
	c := clientOf(t, sharedURL(t))
	several, bare, usual, free := two.made(t, c), none.made(t, c), library(docs).made(t, c), loose(docs).made(t, c)
	for at, want := range map[string]string{
		several:                    "2 columns hold a vector: say which",
		several + "&vector=none":   `there is no column "none" for the vector`,
		bare:                       "its field embedding has no index",
		usual + "&id=n":            "entities are found by their primary key, pk: leave id=n out",
		usual + "&text=nothing":    `there is no column "nothing" for the text`,
		usual + "&metadata=n":      `the column "n" is of type Int32 and not a JSON object`,
		usual + "&vector=sparse":   "holds no vectors",
		free + "&text=nothing":     `there is no column "nothing" for the text`,
		free + "&metadata=nothing": `there is no column "nothing" for the metadata`,
	} {
		_, err := Open(context.Background(), enginetest.At(sharedURL(t), at), engine.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", at, err, want)
		}
	}
	for _, at := range []string{several + "&vector=other&text=body", free + "&title=headline", free + "&metadata=$meta"} {
		attachedTo(t, enginetest.At(sharedURL(t), at))
	}
}

// A collection that is not loaded stays so, and the error says what to do.
func TestReleased(t *testing.T) {
	docs := []engine.Document{{ID: "1", Text: "a", Vector: []float32{1, 0}}}
	c := clientOf(t, sharedURL(t))
	name := library(docs).made(t, c)
	if err := c.tell(context.Background(), "ReleaseCollection", &wire.NamedRequest{CollectionName: name}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), enginetest.At(sharedURL(t), name), engine.Options{}); err == nil || !strings.Contains(err.Error(), "is not loaded, so that it cannot be searched: load it") {
		t.Errorf("got error %v, want advice to load the collection", err)
	}
}

// scattered are n documents with vectors of lengths around one.
func scattered(n int, spread float64) []engine.Document {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	docs := make([]engine.Document, n)
	for i := range docs {
		v := make([]float32, dim)
		for j := range v {
			v[j] = float32(r.NormFloat64()) + 0.3
		}
		_ = vec.Normalize(v) // it is not zero
		for j := range v {
			v[j] *= float32(1 + spread*(r.Float64()-0.5))
		}
		docs[i] = engine.Document{ID: fmt.Sprint(i), Vector: v}
	}
	return docs
}

// By every metric and index the best are found, and nothing that is not among them is more
// similar than it is said.
func TestMetrics(t *testing.T) {
	for _, metric := range []string{"COSINE", "IP", "L2"} {
		for _, kind := range []string{"FLAT", "HNSW", "IVF_FLAT", "IVF_SQ8", "AUTOINDEX"} {
			for _, spread := range []float64{0, 1.5} {
				docs := scattered(500, spread)
				f := library(docs)
				f.indexes[0] = indexed("embedding", kind, metric)
				s := attachedTo(t, enginetest.At(sharedURL(t), f.made(t, clientOf(t, sharedURL(t)))))
				name := fmt.Sprintf("%s by %s, spread %g", kind, metric, spread)
				s.Limits.Cheap = 100
				checkPools(t, name, s, docs, kind == "FLAT", spread > 0 && metric != "COSINE")
			}
		}
	}
}

func checkPools(t *testing.T, name string, s *remote.Store, docs []engine.Document, exact, uneven bool) {
	t.Helper()
	const k = 10
	hits := 0
	for q := range 4 {
		near := [][]float32{scattered(q+1, 0)[q].Vector}
		c, err := s.Pool(context.Background(), near, k, nil, near)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.Approximate == exact || (c.UnseenBounds == nil) != uneven {
			t.Errorf("%s: approximate is %t, beyond %v", name, c.Approximate, c.UnseenBounds)
		}
		if uneven {
			c.UnseenBounds = []float32{slices.Min(c.Similarities[0])}
		}
		there := map[string]bool{}
		for i, ref := range c.Refs {
			there[ref.Key] = true
			if got, want := c.Similarities[0][i], cosineOf(docs, ref.Key, near[0]); got < want-1e-5 || got > want+1e-5 {
				t.Errorf("%s: the similarity of %s is %g, want %g", name, ref.Key, got, want)
			}
		}
		better := 0
		for i := range docs {
			if sim := cosineOf(docs, docs[i].ID, near[0]); !there[docs[i].ID] && sim > c.UnseenBounds[0]+1e-5 {
				better++
			}
		}
		if better > 0 && exact && !uneven {
			t.Errorf("%s: %d are beyond %v", name, better, c.UnseenBounds)
		}
		hits += k - min(better, k)
	}
	if hits < 38 {
		t.Errorf("%s: %d of 40 are found", name, hits)
	}
}

func cosineOf(docs []engine.Document, id string, v []float32) float32 {
	var i int
	_, _ = fmt.Sscan(id, &i) // a number
	return float32(vec.Dot64(docs[i].Vector, v) / vec.Norm(docs[i].Vector))
}

// Of very many entities not all are read because of a filter that Milvus cannot answer, and
// that is said.
func TestTooMany(t *testing.T) {
	docs := scattered(500, 0)
	for i := range docs {
		docs[i].Metadata = fmt.Appendf(nil, `{"name": "%d"}`, i%250)
	}
	s := attachedTo(t, enginetest.At(sharedURL(t), library(docs).made(t, clientOf(t, sharedURL(t)))))
	s.Limits.Whole = 100
	near := [][]float32{docs[0].Vector}
	c, err := s.Pool(context.Background(), near, 5, &query.Predicate{Field: "name", Value: "7"}, near)
	if err != nil || len(c.Degraded) != 1 || !strings.Contains(c.Degraded[0], "of 500 that may pass, only the") {
		t.Fatalf("got %+v and error %v, want a note about the 500 that may pass", c, err)
	}
	there := map[string]bool{}
	for _, ref := range c.Refs {
		there[ref.Key] = true
	}
	for _, id := range []string{"7", "257"} {
		if x := cosineOf(docs, id, near[0]); !there[id] && x > c.UnseenBounds[0] {
			t.Errorf("%s has %g, and nothing is to exceed %g", id, x, c.UnseenBounds[0])
		}
	}
	c, err = s.Pool(context.Background(), near, 5, &query.Predicate{Field: "name", Op: query.Less, Value: "x"}, near)
	if err != nil || len(c.Degraded) != 0 || len(c.Refs) != 5 {
		t.Errorf("got %+v and error %v, want 5 documents without a note", c, err)
	}
}
