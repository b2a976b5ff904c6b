package index_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Evaluate a formula over a collection exactly: one scan for all vectors of the formula,
// then the calculus over the columns.
func Example() {
	if err := search(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1.02 tabby
	// 0.41 on the keyboard
}

func search(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "nsfl-example-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := index.Create(ctx, filepath.Join(dir, "pets"), index.Options{Dimension: 3, Encoder: "three dimensions"})
	if err != nil {
		return err
	}
	defer c.Close()
	err = c.Upsert(ctx, []engine.Document{
		{ID: "on the keyboard", Vector: []float32{0.7, 0.7, 0.1}, Metadata: json.RawMessage(`{"year": 2020}`)},
		{ID: "tabby", Vector: []float32{0.9, 0.1, 0.1}, Metadata: json.RawMessage(`{"year": 2019}`)},
		{ID: "too old", Vector: []float32{0.9, 0, 0.1}, Metadata: json.RawMessage(`{"year": 1999}`)},
	})
	if err != nil {
		return err
	}
	f, err := query.ParseFormula("cat AND NOT laptop year:>2000")
	if err != nil {
		return err
	}
	// Vectors in place of an encoder: cats, laptops, everything else.
	encoded := map[string][]float32{"cat": {1, 0, 0}, "laptop": {0, 1, 0}, "cat AND laptop": {0.7, 0.7, 0}, "cat AND NOT laptop": {0.7, 0.7, 0}}
	plan := fusion.New(f, fusion.Simple)
	var vectors [][]float32
	for _, s := range plan.Strings {
		vectors = append(vectors, encoded[s])
	}
	columns, err := c.Scan(ctx, vectors, f.Filter)
	if err != nil {
		return err
	}
	program, err := logic.Compile(f, logic.Options{})
	if err != nil {
		return err
	}
	scores := make([]float32, len(columns.Refs))
	if _, err := program.Rank(scores, columns.Similarities); err != nil {
		return err
	}
	docs, err := c.Documents(ctx, columns.Refs, engine.Titles)
	if err != nil {
		return err
	}
	for _, i := range []int{1, 0} {
		fmt.Printf("%.2f %s\n", scores[i], docs[i].ID)
	}
	return nil
}
