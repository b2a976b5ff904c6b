package qdrant

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/testserver"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
)

func parse(t testing.TB, text string) query.Node {
	t.Helper()
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	return f.Filter
}

// TestLangChain checks a collection as LangChain fills it: the text is page_content, and the
// fields of the object metadata are metadata.
func TestLangChain(t *testing.T) {
	ctx := t.Context()
	f := collection(t, sharedURL(t), object{"size": 2, "distance": cosine}, nil)
	const id = "5c56c793-69f3-4fbf-87e6-c4bf54c28c26"
	f.must(t, http.MethodPut, "/points?wait=true", object{"points": []object{
		{"id": id, "vector": []float32{1, 0}, "payload": object{"page_content": "A dog.", "metadata": object{"year": 2015, "source": "a b.md", "in": object{"city": "Bern"}}}},
		{"id": 7, "vector": []float32{0, 2}, "payload": object{"page_content": "A cat.", "metadata": object{"year": 2001, "tags": []string{"x", "y"}}}},
	}})
	driver, s, err := open(ctx, f.address, engine.Options{Dimension: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d, err := s.Get(ctx, id, engine.AllParts)
	if err != nil || d.Text != "A dog." || string(d.Metadata) != `{"in":{"city":"Bern"},"source":"a b.md","year":2015}` || !slices.Equal(d.Vector, []float32{1, 0}) {
		t.Errorf("got %+v, %s, %v, want the document of LangChain", d, d.Metadata, err)
	}
	for filter, want := range map[string][]string{
		"year:>2001": {id}, "NOT year:>2001": {"7"}, "source:\"a b.md\"": {id}, "in.city:Bern": {id}, "tags:y": {"7"}, "NOT tags:x": {id}, "year:2001.5": nil, "year:>=2000.5": {id, "7"},
	} {
		c, err := s.Pool(ctx, [][]float32{{1, 0}}, 2, parse(t, filter), [][]float32{{1, 0}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range c.Refs {
			got = append(got, r.Key)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", filter, got, want)
		}
		where, err := driver.Compile(ctx, parse(t, filter))
		if err != nil || where.Native == nil {
			t.Errorf("%s: got no condition, want one (%v)", filter, err)
		}
	}
}

// TestDistances checks that the nearest documents by cosine are found whatever the distance of
// the index, and that the bound on the others holds.
func TestDistances(t *testing.T) {
	const seed, n, k = 5, 800, 20
	t.Logf("seed %d", seed)
	ctx, url := t.Context(), sharedURL(t)
	for _, c := range []struct {
		distance string
		unit     bool
	}{{cosine, false}, {dot, true}, {euclid, true}, {dot, false}, {euclid, false}, {manhattan, true}} {
		t.Run(fmt.Sprint(c.distance, c.unit), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, seed))
			docs := make([]engine.Document, n)
			for i := range docs {
				docs[i] = engine.Document{ID: idAt(i), Vector: direction(r, c.unit), Metadata: fmt.Appendf(nil, `{"year": %d, "tag": "t%d"}`, 1950+r.IntN(75), r.IntN(5))}
			}
			f := collection(t, url, vectors(c.distance, docs), small)
			f.fill(t, docs, ids)
			s := opened(t, f.address, engine.Options{})
			s.Limits = remote.Limits{Whole: 10 * n} // forces use of the index
			found, all := 0, 0
			for _, filter := range []string{"", "year:>=1990", "NOT tag:t3", "year:>1960.5 AND (tag:t0 OR year:<2000)"} {
				var node query.Node
				if filter != "" {
					node = parse(t, filter)
				}
				v := direction(r, true)
				got, err := s.Pool(ctx, [][]float32{v}, k, node, [][]float32{v})
				if err != nil {
					t.Fatal(err)
				}
				in := map[string]bool{}
				for _, ref := range got.Refs {
					in[ref.Key] = true
				}
				for i, d := range nearest(t, docs, node, v) {
					if i < k {
						all++
						if in[d.ID] {
							found++
						}
					} else if x := enginetest.Cosine(d.Vector, v); got.UnseenBounds != nil && !in[d.ID] && x > float64(got.UnseenBounds[0])+1e-6 {
						t.Errorf("%q: got the bound %g, want at least %g", filter, got.UnseenBounds[0], x)
					}
				}
			}
			least := overlap
			if c.distance == manhattan || !c.unit && c.distance != cosine {
				least = 0.7 // by another order
			}
			if float64(found) < least*float64(all) {
				t.Errorf("got %d of %d documents, want at least %g of them", found, all, least)
			}
		})
	}
}

// direction returns a random vector, of length 1 or of any length.
func direction(r *rand.Rand, unit bool) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	if err := vec.Normalize(v); err != nil {
		panic(err)
	}
	if !unit {
		length := float32(0.5 + r.Float64())
		for i := range v {
			v[i] *= length
		}
	}
	return v
}

// nearest returns the documents that pass a filter, by the cosine to v.
func nearest(t testing.TB, docs []engine.Document, filter query.Node, v []float32) (out []engine.Document) {
	t.Helper()
	judge, err := remote.NewJudge(filter)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if passes, err := judge.Passes(&d); err != nil {
			t.Fatal(err)
		} else if passes {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b engine.Document) int {
		return cmp.Compare(enginetest.Cosine(b.Vector, v), enginetest.Cosine(a.Vector, v))
	})
	return out
}

func TestOpen(t *testing.T) {
	url := sharedURL(t)
	f := collection(t, url, object{"a": vectors(cosine, nil), "b": vectors(dot, nil)}, nil)
	f.fillNamed(t, enginetest.Documents(3), "a", func(i int, _ *engine.Document, _ object) any { return i })
	for address, want := range map[string]string{
		url:                                      "names no collection; the server has",
		enginetest.At(url, "nobody"):             "there is no such collection; the server has",
		f.address:                                "2 columns hold a vector: say which",
		f.address + "&vector=c":                  `there is no column "c" for the vector`,
		f.address + "&vector=a&title=x":          `has a field "x"; there are: `,
		f.address + "&vector=a&grpc=1":           `its setting "grpc" is unknown`,
		"qdrant://u:hunter2@h/?collection=a":     "it has a user or a password",
		"qdrant://h/?collection=" + `a%2Fb`:      "is not 1 to 255 characters",
		"qdrant://" + testserver.Unused(t) + "/": "cannot be listed",
	} {
		s, err := Open(t.Context(), address, engine.Options{Timeout: 20 * time.Second})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got %v, %v, want an error with %q", address, s, err, want)
		}
	}
	s := opened(t, f.address+"&vector=a", engine.Options{})
	if size, err := s.Size(t.Context()); err != nil || size != (engine.Size{Documents: 3, Vectors: 3, Dimension: dim}) {
		t.Errorf("got %+v, %v, want 3 documents of dimension %d", size, err, dim)
	}
}

// TestKey checks that the key is sent to the server, and is in no message.
func TestKey(t *testing.T) {
	t.Setenv("QDRANT_API_KEY", "hunter2")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("api-key"); got != "hunter2" {
			t.Errorf("got the key %q, want hunter2", got)
		}
		http.Error(w, `{"status":{"error":"forbidden for hunter2"}}`, http.StatusForbidden)
	}))
	defer server.Close()
	_, err := Open(t.Context(), "qdrant://"+strings.TrimPrefix(server.URL, "http://")+"/?collection=a", engine.Options{})
	if err == nil || strings.Contains(fmt.Sprintf("%v %#v", err, err), "hunter2") || !strings.Contains(err.Error(), "QDRANT_API_KEY") {
		t.Errorf("got %v, want an error with advice and without the key", err)
	}
}

// answers are what a server may answer to all requests.
var answers = []string{
	`{"result": {"config": {"params": {"vectors": {"size": 2, "distance": "Cosine"}}}, "payload_schema": {}, "points": [{"id": 1, "vector": [1, 2], "payload": {"a": [1, {"b": null}]}}], "count": 1}}`,
	`{"result": {"config": {"params": {"vectors": {"a": {"size": 2, "distance": "Dot"}}}}, "points": [{"id": "x", "vector": {"a": [1]}}], "count": -1}}`,
	`{"result": {"config": {"params": {"vectors": {"size": 1e9, "distance": "?"}}}}}`, `{"result": []}`, `{"result": null}`, `{}`, `[]`, `"`, ``,
}

// FuzzAnswer checks that no answer makes the driver panic.
func FuzzAnswer(f *testing.F) {
	for _, a := range answers {
		f.Add([]byte(a))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(answer) }))
		defer server.Close()
		s, err := Open(t.Context(), "qdrant://"+strings.TrimPrefix(server.URL, "http://")+"/?collection=a", engine.Options{})
		if err != nil {
			return
		}
		defer s.Close()
		_, _ = s.Pool(t.Context(), [][]float32{make([]float32, s.Dimension)}, 1, parse(t, "a:1"), nil)
		_, _, _ = s.List(t.Context(), engine.Page{Limit: 1, Parts: engine.AllParts})
	})
}
