//go:build unix

package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// everyCall makes every call that a collection supports.
func everyCall(ctx context.Context, c *Collection, docs []engine.Document) map[string]error {
	near := [][]float32{docs[0].Vector}
	var refs []engine.Ref
	for o := range Ordinal(200) {
		refs = append(refs, refOf(o))
	}
	asked := words.NewQuery([]string{"text of passage"}, words.NewStatistics())
	calls := map[string]error{}
	for name, f := range map[string]func() error{
		"Scan": func() error { _, err := c.Scan(ctx, near, nil); return err },
		"Scan words": func() error {
			_, err := c.Scan(ctx, near, &query.Predicate{Field: "text", Value: "text"})
			return err
		},
		"Scan year": func() error {
			_, err := c.Scan(ctx, near, &query.Predicate{Field: "year", Op: query.Greater, Value: "2020"})
			return err
		},
		"TopK":       func() error { _, err := c.TopK(ctx, near, 3, nil); return err },
		"Pool":       func() error { _, err := c.Pool(ctx, near, 3, nil, near); return err },
		"Compare":    func() error { _, err := c.Compare(ctx, refs, near); return err },
		"Get":        func() error { _, err := c.Get(ctx, docs[0].ID, engine.AllParts); return err },
		"Find":       func() error { _, err := c.Find(ctx, docs[0].ID); return err },
		"Documents":  func() error { _, err := c.Documents(ctx, refs, engine.Vectors); return err },
		"List":       func() error { _, _, err := c.List(ctx, engine.Page{Limit: 1000, Parts: engine.AllParts}); return err },
		"Sample":     func() error { _, err := c.Sample(ctx, 10); return err },
		"Size":       func() error { _, err := c.Size(ctx); return err },
		"Statistics": func() error { _, err := c.Statistics(ctx); return err },
		"MatchTerms": func() error {
			_, err := c.MatchTerms(ctx, asked, nil, []engine.TopK{{K: 1, By: func([]float32, [][]float32) {}, Thorough: true}})
			return err
		},
		"TermScores": func() error { _, err := c.TermScores(ctx, asked, refs); return err },
		"Notes":      func() error { _, err := c.Notes(ctx, ""); return err },
		"Upsert":     func() error { return c.Upsert(ctx, docs[:3]) },
		"Delete":     func() error { _, err := c.Delete(ctx, []string{docs[1].ID}); return err },
		"Compact":    func() error { return c.Compact(ctx) },
	} {
		calls[name] = f()
	}
	return calls
}

// TestCutWhileOpen truncates each file of an open collection: every call succeeds or
// reports damage.
func TestCutWhileOpen(t *testing.T) {
	docs := randomDocuments(source(t, 52), 2000, testDim)
	for k := range fileKinds {
		for _, readOnly := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/%v", k, readOnly), func(t *testing.T) {
				c := create(t, Options{})
				must(t, c.Upsert(t.Context(), docs))
				_, err := c.Delete(t.Context(), []string{docs[2].ID})
				must(t, err)
				if readOnly {
					must(t, c.Close())
					c, err = Open(t.Context(), c.dir, Options{ReadOnly: true})
					must(t, err)
				}
				name := c.fileName(k, c.current.epoch)
				must(t, os.Truncate(filepath.Join(c.dir, name), 0))
				told := 0
				for call, err := range everyCall(t.Context(), c, docs) {
					var damage *DamageError
					switch {
					case errors.As(err, &damage) && damage.File == name:
						told++
					case err != nil && !(readOnly && errors.Is(err, engine.ErrReadOnly)):
						t.Errorf("%s: %v", call, err)
					}
				}
				if told == 0 {
					t.Error("no call says that the file is cut")
				}
				must(t, c.Close())
			})
		}
	}
}
