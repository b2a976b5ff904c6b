package retrieve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/profile"
)

// TestProvenCollection checks that proofs over a collection on disk agree with an exact
// search, with and without lexical scores, with passages and under a filter.
func TestProvenCollection(t *testing.T) {
	ctx := context.Background()
	c, err := index.Create(ctx, t.TempDir(), index.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	vocabulary := strings.Fields("dog puppy ball leash lead park beach sea sunset harbour boat cat sofa kitchen soup stew tomato meat bread wine mountain snow ski train station city night lamp book kerberos")
	r := rand.New(rand.NewPCG(5, 6))
	docs := make([]engine.Document, 3000)
	for i := range docs {
		some := make([]string, 8)
		for j := range some {
			at := min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary))) // the first are the most common
			some[j] = vocabulary[at]
		}
		if r.IntN(5) == 0 {
			some[3] = "no"
		}
		d := &docs[i]
		*d = engine.Document{ID: fmt.Sprint(i), Text: strings.Join(some, " "), Metadata: []byte(fmt.Sprintf(`{"n": %d}`, i%10))}
		d.Vector = vectorOf(d.Text)
		if i%3 == 0 {
			for _, part := range []string{strings.Join(some[:4], " "), strings.Join(some[4:], " ")} {
				d.Passages = append(d.Passages, engine.Passage{Text: part, Vector: vectorOf(part)})
			}
		}
	}
	if err := c.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	s := &Searcher{Store: c, Encoder: &hashing{}}
	proven, all := 0, 0
	for _, formula := range []string{
		"dog AND ball", "dog AND NOT leash", "beach AND sunset AND NOT dog", "soup OR stew", "kerberos", "kerberos AND NOT dog", "(soup OR stew) AND tomato AND NOT meat",
		"dog^2 AND sea", "NOT dog", "NOT dog AND NOT cat", "(dog AND NOT ball) OR (cat AND sofa)", "dog AND NOT (ball AND park)", "(dog AND ball) n:>6", "train AND station AND night AND lamp",
	} {
		for _, p := range []*profile.Profile{profile.Paper(), spoken} {
			o := Options{K: 10, AllCopies: true, Profile: p, Research: Research{Mode: Exact}}
			q := asked(t, formula)
			whole, err := s.Search(ctx, q, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Mode = Hybrid
			prepared, err := s.Prepare(ctx, q, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{20, 60, 180, 540} {
				found, err := s.FindWithin(ctx, prepared, n)
				if err != nil {
					t.Fatal(err)
				}
				ranking, err := found.Rank(10)
				if err != nil {
					t.Fatal(err)
				}
				exact := found.Proven(ranking)
				proven, all = proven+exact, all+10
				for i := range exact {
					if got, want := float64(ranking.Scores[i]), whole.Hits[i].Score; got < want-1e-5 || got > want+1e-5 {
						t.Errorf("%s, %s, %d of each: place %d of %d has %v, of all %v", formula, p.Name, n, i, exact, got, want)
					}
				}
			}
		}
	}
	t.Logf("%d of %d results are proven", proven, all)
	if proven < all/2 {
		t.Errorf("%d of %d results are proven", proven, all)
	}
}

// TestUnbounded checks that the proof of a formula without a known bound gives the reason,
// unless all documents were read.
func TestUnbounded(t *testing.T) {
	s, docs := corpus(t, 300)
	for candidates, want := range map[int]int{40: 0, len(docs): 5} {
		r, err := s.Search(context.Background(), asked(t, "(a OR b OR c OR d) AND (e OR f OR g OR h) AND NOT i AND NOT j AND NOT k"),
			Options{K: 5, AllCopies: true, Research: Research{Mode: Hybrid, Candidates: candidates}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Proof == nil || r.Proof.Exact != want || (want == 0) != strings.HasPrefix(r.Proof.Says, "not proven: scores of such a formula") {
			t.Errorf("%d candidates: %+v", candidates, r.Proof)
		}
	}
}
