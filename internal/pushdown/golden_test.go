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

// TestGolden compares with the files in testdata, which -update writes.
func TestGolden(t *testing.T) {
	vector := []float32{1, 0.5, -0.25}
	for name, text := range map[string]string{
		"and-not": "dog AND NOT leash year:>=2015",
		"nested":  "(beach OR lake) AND sunset^2 AND NOT (people AND NOT far) (NOT kind:photo OR year:2020)",
	} {
		for _, documents := range []string{"all", "pool"} {
			p := compiled(t, text, logic.Options{})
			q := &pushdown.Query{Score: scored(t, p), K: 10, Candidates: 1000, Filter: p.Formula().Filter, Names: pushdown.Names{Table: "photos"}}
			for range p.Formula().Terms.Len() {
				q.Vectors = append(q.Vectors, vector)
			}
			if documents == "pool" {
				q.Near = [][]float32{vector}
			}
			file := filepath.Join("testdata", name+".sql."+documents)
			out, err := pushdown.SQL(q, pushdown.SQLOptions{})
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

// TestRefused: a predicate on texts is an error, never another score.
func TestRefused(t *testing.T) {
	p := compiled(t, "A text:b", logic.Options{})
	q := &pushdown.Query{Score: scored(t, p), Vectors: [][]float32{{1}}, K: 10, Filter: p.Formula().Filter, Names: pushdown.Names{Table: "items"}}
	if _, err := pushdown.SQL(q, pushdown.SQLOptions{}); err == nil || !strings.Contains(err.Error(), "what texts say") {
		t.Errorf("got error %v, want one about what texts say", err)
	}
}
