package nl

import (
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
	r, err := As(s.text, way)
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

// TestSentences: of all sentences at least 95 of a hundred are read exactly as they are
// meant. With -v it prints how many of each kind.
func TestSentences(t *testing.T) {
	type tally struct{ right, all int }
	kinds, sets, total := map[string]*tally{}, map[string]*tally{}, &tally{}
	var order []string
	for _, s := range sentences(t) {
		if kinds[s.kind] == nil {
			kinds[s.kind] = &tally{}
			order = append(order, s.kind)
		}
		if sets[s.set] == nil {
			sets[s.set] = &tally{}
		}
		want, got := s.formula, s.got(t)
		if want != "=" {
			want = normal(t, want)
		}
		for _, n := range []*tally{kinds[s.kind], sets[s.set], total} {
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
	row := func(name string, n *tally) {
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f %% |\n", name, n.all, n.right, 100*float64(n.right)/float64(n.all))
	}
	for _, kind := range order {
		row(kind, kinds[kind])
	}
	for _, set := range []string{"seen", "held out"} {
		if sets[set] != nil {
			row("**"+set+"**", sets[set])
		}
	}
	row("**all**", total)
	t.Logf("\n| kind | sentences | exact | |\n|---|---:|---:|---:|\n%s", b.String())
	if total.all < 400 || 100*total.right < 95*total.all {
		t.Errorf("%d of %d sentences are read exactly", total.right, total.all)
	}
}
