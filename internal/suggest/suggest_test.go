package suggest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

func TestOf(t *testing.T) {
	for name, test := range map[string]struct{ titles, want []string }{
		"empty":     {nil, nil},
		"names":     {[]string{"socket.2", "README", "IMG_0417", "a/b c/d", "release notes 2024"}, nil},
		"formulas":  {[]string{"cats AND dogs", "tea without milk", "-x y", `an "odd one`}, nil},
		"man pages": {[]string{"ls - list directory contents", "ls - list directory contents"}, []string{"list directory contents"}},
		"titles":    {[]string{"Working  with submodules"}, []string{"Working with submodules"}},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := index.OpenOrCreate(t.Context(), t.TempDir(), index.Options{Dimension: 2, Encoder: "test"})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			var docs []engine.Document
			for i, title := range test.titles {
				docs = append(docs, engine.Document{ID: fmt.Sprint(i), Title: title, Vector: []float32{1, 0}})
			}
			if err := c.Upsert(t.Context(), docs); err != nil {
				t.Fatal(err)
			}
			examples, err := Of(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range examples {
				got = append(got, e.Query)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func FuzzPhrase(f *testing.F) {
	f.Add("ls - list directory contents")
	f.Add("’s’ -- \x80 NOT")
	f.Fuzz(func(t *testing.T, title string) {
		if p := phrase(title); p != "" {
			if _, err := query.ParseFormula(p); err != nil {
				t.Errorf("%q: %v", p, err)
			}
		}
	})
}
