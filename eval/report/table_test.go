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

func TestTableNames(t *testing.T) {
	r := newReport(t)
	for _, name := range TableNames() {
		var b strings.Builder
		if err := r.Table(&b, name); err != nil || b.Len() == 0 {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	if err := r.Table(&strings.Builder{}, "appendix"); err == nil || !strings.Contains(err.Error(), "significance") {
		t.Errorf("got error %v, want one that lists the tables", err)
	}
	r.Rows = r.Rows[:1]
	for _, name := range []string{"main", "significance"} {
		if err := r.Table(&strings.Builder{}, name); err == nil {
			t.Errorf("%s was made without data", name)
		}
	}
}
