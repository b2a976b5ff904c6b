package report

import (
	"strings"
	"testing"
)

func TestEscapes(t *testing.T) {
	const hostile = "50 % of a_b & <i>|\\x| [l](u) `c` {#1} $~^*\x1b[31m\u202e\nA∧¬B −1…"
	if got, want := escape(hostile), "50 % of a_b & &lt;i>\\|\\\\x\\| [l](u) \\`c\\` {#1} $~^\\*[31m A∧¬B −1…"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestAligned: the columns of a table begin in the same place in every line.
func TestAligned(t *testing.T) {
	table := NewTable(1, "method", "A∧B")
	table.Add("rerank", "0.5000")
	table.Rows = append(table.Rows, line{Title: "the paper"}, line{Cells: []cell{{Text: "x"}, {Text: "0.1", Best: true}}})
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `| method      |     A∧B |
|-------------|--------:|
| rerank      |  0.5000 |
| *the paper* |         |
| x           | **0.1** |
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestNegationOf(t *testing.T) {
	for _, c := range []struct {
		base, fused, mono float64
		want              string
	}{
		{0.35, 0.27, 0.26, "same sign, not weaker"}, // the paper's dog but not giraffe
		{0.35, 0.27, 0.33, "same sign, weaker"},
		{0.35, 0.27, 0.36, "inverted"},
		{0.35, 0.45, 0.30, "inverted"},
	} {
		if got := negationOf(c.base, c.fused, c.mono); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestTables(t *testing.T) {
	r := newReport(t)
	for _, table := range Tables {
		name := table.Name
		var b strings.Builder
		if err := r.Table(&b, name); err != nil || b.Len() == 0 {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	if err := r.Table(&strings.Builder{}, "appendix"); err == nil || !strings.Contains(err.Error(), "unknown table") {
		t.Errorf("got error %v, want one about the name", err)
	}
	r.deltas = nil
	r.Rows = r.Rows[:1]
	for _, name := range []string{"main", "significance", "deltas"} {
		if err := r.Table(&strings.Builder{}, name); err == nil {
			t.Errorf("%s was made without data", name)
		}
	}
}
