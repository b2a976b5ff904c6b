package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscapes(t *testing.T) {
	const hostile = "50 % of a_b & <i>|\\x| [l](u) `c` {#1} $~^*\x1b[31m\u202e\nA∧¬B −1…"
	if got, want := escapeMarkdown(hostile), "50 % of a\\_b &amp; &lt;i&gt;\\|\\\\x\\| \\[l\\](u) \\`c\\` {\\#1} $~^\\*\\[31m A∧¬B −1…"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFormats(t *testing.T) {
	for _, f := range []Format{Text, Markdown} {
		if got, err := ParseFormat(f.String()); got != f || err != nil {
			t.Errorf("%s: got %v, %v", f, got, err)
		}
	}
	if _, err := ParseFormat("html"); err == nil || !strings.Contains(err.Error(), "text, markdown") {
		t.Errorf("got error %v, want one that lists the formats", err)
	}
}

// A table of any width fits a terminal: it continues below with its keys repeated.
func TestFolded(t *testing.T) {
	wide := &Table{Caption: "wide", Head: []string{"method"}, Left: 1, Rows: []line{{Cells: words("rerank")}}}
	for range 40 {
		wide.Head = append(wide.Head, "template")
		wide.Rows[0].Cells = append(wide.Rows[0].Cells, cell{Text: "0.1234", Best: true})
	}
	var b strings.Builder
	if err := wide.Write(&b, Text); err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if utf8.RuneCountInString(l) > width {
			t.Errorf("got %d columns: %s", utf8.RuneCountInString(l), l)
		}
	}
	if n := strings.Count(b.String(), "0.1234*"); n != 40 {
		t.Errorf("got %d of 40 figures", n)
	}
	if n := strings.Count(b.String(), "rerank"); n < 2 {
		t.Error("the keys are not repeated")
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

func TestTableNames(t *testing.T) {
	r := newReport(t)
	for _, name := range TableNames() {
		var b strings.Builder
		if err := r.Table(&b, name, Markdown); err != nil || b.Len() == 0 {
			t.Errorf("%s: got error %v", name, err)
		}
	}
	if err := r.Table(&strings.Builder{}, "appendix", Text); err == nil || !strings.Contains(err.Error(), "deltas") {
		t.Errorf("got error %v, want one that lists the tables", err)
	}
	r.observed = observed{}
	r.Rows = r.Rows[:1]
	for _, name := range []string{"main", "significance", "deltas"} {
		if err := r.Table(&strings.Builder{}, name, Text); err == nil {
			t.Errorf("%s was made without data", name)
		}
	}
}
