package passage

import (
	"slices"
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	sentence := "One two three four five six seven eight nine ten. "
	blocks := []Block{
		{Kind: Prose, Rows: []string{"Before all."}, Page: 1, Line: 1},
		{Kind: Heading, Rows: []string{"Install"}, Level: 1, Page: 1, Line: 3},
		{Kind: Prose, Rows: []string{strings.TrimSpace(strings.Repeat(sentence, 4))}, Page: 1, Line: 5},
		{Kind: Heading, Rows: []string{"From source"}, Level: 3, Page: 2, Line: 9},
		{Kind: Rows, Rows: []string{"git clone it with its history and all its branches", "go build it with the newest compiler that there is", "go test it on every machine that you can find", "go install it for everybody who works with you here"}, Page: 2, Line: 11},
		{Kind: Heading, Rows: []string{"Windows"}, Level: 2, Page: 3, Line: 16},
		{Kind: Prose, Rows: []string{sentence + "Done."}, Page: 3, Line: 18},
		{Kind: Heading, Rows: []string{"Unknown"}, Line: 20},
		{Kind: Prose, Rows: []string{sentence + "Done."}},
		{Kind: Heading, Rows: []string{"Unknown too"}, Line: 24},
		{Kind: Prose, Rows: []string{sentence + "Done."}, Line: 26},
		{Kind: Heading, Rows: []string{"Use"}, Level: 1, Line: 30},
		{Kind: Prose, Rows: []string{sentence + "Done."}, Line: 32},
	}
	_, parts := Lengths{Min: 10, Max: 22, Count: byWords}.Cut(blocks)
	var got []string
	for _, p := range parts {
		first, _, _ := strings.Cut(p.Text, "\n")
		got = append(got, p.Place.String()+": "+first[:min(len(first), 11)])
	}
	want := []string{
		"page 1, line 1: Before all.",
		"Install, page 1, line 5: One two thr",
		"Install, page 1, line 5: One two thr",
		"Install › From source, page 2, line 9: From source",
		"Install › From source, page 2, line 13: go test it ",
		"Install › Windows, page 3, line 16: Windows",
		"Install › Windows › Unknown, line 20: Unknown",
		"Install › Windows › Unknown too, line 24: Unknown too",
		"Use, line 30: Use",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got places\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPlaceWithoutTitle(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for _, c := range []struct{ heading, title, want string }{
		{"Guide › Install", "Guide", "Install"},
		{"Guide", "Guide", ""},
		{"Guidelines", "Guide", "Guidelines"},
		{"Install", "", "Install"},
		{clipped(long) + Below + "End", long, "End"},
	} {
		if got := (Place{Heading: c.heading, Line: 1}).Without(c.title); got.Heading != c.want || got.Line != 1 {
			t.Errorf("%q without %q: got %q", c.heading, c.title, got.Heading)
		}
	}
	if got := clipped(long); len([]rune(got)) > 81 || !strings.HasSuffix(got, "word…") {
		t.Errorf("a long heading was clipped to %q", got)
	}
}
