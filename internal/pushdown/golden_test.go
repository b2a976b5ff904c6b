package pushdown_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
)

var update = flag.Bool("update", false, "write the golden files")

// targets are all that a formula can be written for.
var targets = map[string]func(*pushdown.Query) (*pushdown.Output, error){
	"sql":        func(q *pushdown.Query) (*pushdown.Output, error) { return pushdown.SQL(q, pushdown.SQLOptions{}) },
	"opensearch": pushdown.OpenSearch,
}

// TestGolden compares with the files in testdata, which -update writes.
func TestGolden(t *testing.T) {
	vector := []float32{1, 0.5, -0.25}
	for name, text := range map[string]string{
		"and-not": "dog AND NOT leash year:>=2015",
		"nested":  "(beach OR lake) AND sunset^2 AND NOT (people AND NOT far) (NOT kind:photo OR year:2020)",
	} {
		for _, all := range []bool{false, true} {
			for target, write := range targets {
				p := compiled(t, text, logic.Options{})
				q := &pushdown.Query{Score: scored(t, p), K: 10, Candidates: 1000, Filter: p.Formula().Filter, Names: pushdown.Names{Table: "photos"}}
				for range p.Formula().Terms.Len() {
					q.Vectors = append(q.Vectors, vector)
				}
				file := filepath.Join("testdata", strings.Join([]string{name, target, "pool"}, "."))
				if all {
					file = filepath.Join("testdata", strings.Join([]string{name, target, "all"}, "."))
				} else {
					q.Near = [][]float32{vector}
				}
				out, err := write(q)
				if err != nil {
					t.Fatal(err)
				}
				if *update {
					if err := os.WriteFile(file, []byte(out.Text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if out.Text != string(want) {
					t.Errorf("%s has changed to\n%s", file, out.Text)
				}
			}
		}
	}
}

// TestRefused: a query that a system does not support is an error, never another score.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ target, text, wants string }{
		{"sql", "A text:b", "what texts say"},
		{"opensearch", "A text:b", "what texts say"},
	} {
		p := compiled(t, c.text, logic.Options{})
		q := &pushdown.Query{Score: scored(t, p), Vectors: [][]float32{{1}}, K: 10, Filter: p.Formula().Filter, Names: pushdown.Names{Table: "items"}}
		if _, err := targets[c.target](q); err == nil || !strings.Contains(err.Error(), c.wants) {
			t.Errorf("%s for %s: %v, want %q", c.text, c.target, err, c.wants)
		}
	}
}
