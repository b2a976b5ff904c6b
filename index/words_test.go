package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// spokenDocs returns documents of random words, every third with passages.
func spokenDocs(n int, seed uint64) []engine.Document {
	r := rand.New(rand.NewPCG(seed, 3))
	vocabulary := strings.Fields("dog puppy leash kerberos iptables ball without no table tables winter song")
	sentence := func() string {
		var out []string
		for range 1 + r.IntN(6) {
			out = append(out, vocabulary[r.IntN(len(vocabulary))])
		}
		return strings.Join(out, " ")
	}
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint("d", i), Title: sentence(), Text: sentence(), Vector: []float32{1, float32(i)}, Metadata: []byte(fmt.Sprintf(`{"n": %d}`, i))}
		if i%3 == 0 {
			other := sentence()
			docs[i].Passages = []engine.Passage{{Text: docs[i].Text, Vector: []float32{1, 0}}, {Text: other, Vector: []float32{0, 1}}}
			docs[i].Text += ". " + other
		}
	}
	return docs
}

// TestSaid compares the term scores of a collection with those of a reader over the texts
// of its documents, with a filter and after some were replaced and deleted.
func TestSaid(t *testing.T) {
	ctx := context.Background()
	c, err := Create(ctx, t.TempDir(), Options{Dimension: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	docs := spokenDocs(700, 1)
	if err := c.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	again := spokenDocs(50, 2)
	if err := c.Upsert(ctx, again); err != nil {
		t.Fatal(err)
	}
	copy(docs, again)
	if _, err := c.Delete(ctx, []string{"d60", "d61"}); err != nil {
		t.Fatal(err)
	}
	statistics, err := c.Statistics(ctx)
	if err != nil || statistics.Documents() != 698 {
		t.Fatalf("%d documents are counted, %v", statistics.Documents(), err)
	}
	q := words.NewQuery([]string{"dog", "iptables leash", "no ball"}, statistics)
	filter, err := query.Parse("n:<500")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []query.Node{nil, filter} {
		all, err := c.Scan(ctx, [][]float32{{1, 0}}, f)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 698, false: 498}[f == nil]; len(all.Refs) != want {
			t.Fatalf("got %d documents under %v, want %d", len(all.Refs), f, want)
		}
		scores, err := c.TermScores(ctx, q, all.Refs)
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.Documents(ctx, all.Refs, engine.NoParts)
		if err != nil {
			t.Fatal(err)
		}
		reader, line := q.NewReader(), make([]float32, 3)
		for i, d := range found {
			var n int
			fmt.Sscanf(d.ID, "d%d", &n)
			reader.Read(line, words.Pieces(docs[n].Segments()))
			for a, want := range line {
				if scores[a][i] != want {
					t.Fatalf("%s has %v of atom %d, not %v", d.ID, scores[a][i], a, want)
				}
			}
		}
		wanted := []engine.TopK{{K: 30, By: func(out []float32, shares [][]float32) { copy(out, shares[1]) }}, {K: 10, By: func(out []float32, shares [][]float32) { copy(out, shares[0]) }}}
		best, err := c.MatchTerms(ctx, q, f, wanted)
		if err != nil {
			t.Fatal(err)
		}
		// Every hit contains one of the words; similar words alone find nothing.
		having := &engine.TermMatches{Atoms: make([][]float32, 3)}
		for i, d := range found {
			var n int
			fmt.Sscanf(d.ID, "d%d", &n)
			if text := strings.Join(docs[n].Segments(), " "); slices.ContainsFunc([]string{"dog", "iptables", "leash", "no", "ball"}, func(w string) bool {
				return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '.' }), w)
			}) {
				having.Refs = append(having.Refs, all.Refs[i])
				for a := range having.Atoms {
					having.Atoms[a] = append(having.Atoms[a], scores[a][i])
				}
			}
		}
		want := storekit.BestMatches(having, wanted)
		if !slices.Equal(best.Refs, want.Refs) || len(best.Refs) < 30 || len(having.Refs) == len(all.Refs) {
			t.Errorf("under %v the best are %d, and %d by plain means of %d that have a word", f, len(best.Refs), len(want.Refs), len(having.Refs))
		}
	}
	gone, err := c.TermScores(ctx, q, []engine.Ref{{Number: 61}, {Number: 1 << 40}})
	if err != nil || gone[0][0] != 0 {
		t.Errorf("a deleted document says %v, %v", gone, err)
	}
}

// TestTextPredicate: text: is exact, before and after more documents are stored.
func TestTextPredicate(t *testing.T) {
	ctx := context.Background()
	c, err := Create(ctx, t.TempDir(), Options{Dimension: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	docs := spokenDocs(5000, 4)
	for _, part := range [][]engine.Document{docs[:4100], docs[4100:]} {
		if err := c.Upsert(ctx, part); err != nil {
			t.Fatal(err)
		}
		for text, has := range map[string]func(string) bool{
			"text:iptables":          func(s string) bool { return slices.Contains(strings.Fields(s), "iptables") },
			`text:"without a leash"`: func(string) bool { return false },
			`text:"dog leash"`:       func(s string) bool { return strings.Contains(" "+s+" ", " dog leash ") },
			"text:table": func(s string) bool {
				return strings.Contains(s+" ", " table ") || strings.HasPrefix(s+" ", "table ") || strings.Contains(" "+s+" ", " tables ")
			},
			"NOT text:iptables n:<99": nil,
		} {
			f, err := query.ParseFormula(text)
			if err != nil {
				t.Fatal(err)
			}
			found, _, err := c.List(ctx, engine.Page{Filter: f.Filter, Limit: len(docs)})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, d := range found {
				got[d.ID] = true
			}
			stored, err := c.Size(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for i := range docs[:stored.Documents] {
				segments := docs[i].Segments()
				want := has != nil && slices.ContainsFunc(segments, has)
				if has == nil {
					want = i < 99 && !strings.Contains(strings.Join(segments, " "), "iptables")
				}
				if got[docs[i].ID] != want {
					t.Fatalf("%s and %q: %v", text, segments, got[docs[i].ID])
				}
			}
		}
	}
	var bad *engine.InputError
	for _, text := range []string{"text:>dog", `text:"--"`} {
		f, err := query.ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.List(ctx, engine.Page{Filter: f.Filter, Limit: 1}); !errors.As(err, &bad) {
			t.Errorf("%s: got error %v, want an InputError", text, err)
		}
	}
}
