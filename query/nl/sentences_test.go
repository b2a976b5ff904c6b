package nl

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// sentence is a line of testdata/sentences.tsv: a text as a person would write it, and what
// it means. Of the kind bare it is read by rules in any case, of all others as a shell reads
// it; a formula = says that the text is to stay as it is written.
type sentence struct{ set, kind, text, formula string }

func sentences(t testing.TB) (out []sentence) {
	t.Helper()
	content, err := os.ReadFile("testdata/sentences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("line %d has %d columns, want 4", i+1, len(f))
		}
		out = append(out, sentence{f[0], f[1], f[2], f[3]})
	}
	return out
}

// got is the formula that a sentence is read as.
func (s sentence) got(t testing.TB) string {
	way := Auto
	if s.kind == "bare" {
		way = Rules
	}
	r, err := As(context.Background(), s.text, way, nil)
	if err != nil {
		return err.Error()
	}
	if r.Formula {
		return "="
	}
	return normal(t, r.Node.String())
}

func normal(t testing.TB, text string) string {
	t.Helper()
	f, err := query.ParseFormula(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out := query.AllOf(f.Root)
	if f.Filter != nil {
		out = query.AllOf(f.Root, f.Filter)
	}
	return out.String()
}

// tally counts sentences, and those of them that are read as they are meant.
type tally struct{ right, all int }

func (n tally) String() string { return fmt.Sprintf("%d of %d", n.right, n.all) }

// percent is the share that is right.
func (n tally) percent() string { return fmt.Sprintf("%.1f %%", 100*float64(n.right)/float64(n.all)) }

// TestSentences: of all sentences at least 95 of a hundred are read exactly as they are
// meant. With -v it prints how many of each kind.
func TestSentences(t *testing.T) {
	sets := []string{"seen", "held out"}
	kinds, totals, all := map[string]map[string]*tally{}, map[string]*tally{}, tally{}
	var order []string
	for _, set := range sets {
		totals[set] = &tally{}
	}
	for _, s := range sentences(t) {
		if kinds[s.kind] == nil {
			kinds[s.kind] = map[string]*tally{"seen": {}, "held out": {}}
			order = append(order, s.kind)
		}
		want, got := s.formula, s.got(t)
		if want != "=" {
			want = normal(t, want)
		}
		for _, n := range []*tally{kinds[s.kind][s.set], totals[s.set], &all} {
			n.all++
			if got == want {
				n.right++
			}
		}
		if got != want {
			t.Logf("%s, %s: %s\n  read as %s\n  meant   %s", s.set, s.kind, s.text, got, want)
		}
	}
	var b strings.Builder
	for _, kind := range order {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", kind, kinds[kind]["seen"], kinds[kind]["held out"])
	}
	fmt.Fprintf(&b, "| **all** | **%s**, %s | **%s**, %s |\n", totals["seen"], totals["seen"].percent(), totals["held out"], totals["held out"].percent())
	t.Logf("\n| kind | seen | held out |\n|---|---:|---:|\n%s%s in all, %s", b.String(), all, all.percent())
	if all.all < 400 || 100*all.right < 95*all.all {
		t.Errorf("%s sentences are read exactly", all)
	}
}
