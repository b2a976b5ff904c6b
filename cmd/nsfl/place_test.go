package main

import (
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/retrieve"
)

// TestPlace: below a passage stands where it is, on one line where it fits.
func TestPlace(t *testing.T) {
	install := passage.Place{Heading: "The guide for everybody who runs it › Install › From source", Line: 120}
	for _, c := range []struct {
		metadata string
		place    passage.Place
		width    int
		want     string
	}{
		{``, passage.Place{}, 60, ""},
		{`{"source": "a.md"}`, passage.Place{}, 60, ""},
		{``, passage.Place{Page: 3}, 60, "     page 3\n"},
		{`{"source": 7}`, passage.Place{Line: 3}, 60, "     line 3\n"},
		{`{"source": "doc/guide.md"}`, install, 100, "     doc/guide.md, The guide for everybody who runs it › Install › From source, line 120\n"},
		{`{"source": "doc/guide.md"}`, install, 60, "     doc/guide.md, … › Install › From source, line 120\n"},
		{`{"source": "doc/guide.md"}`, install, 40, "     doc/guide.md, … › From source, line\n     120\n"},
		{`{"source": "a/very/long/path/to/some/folder/of/a/friend/guide.md"}`, passage.Place{Line: 3}, 40, "     …/some/folder/of/a/friend/guide.md,\n     line 3\n"},
		{`{"source": "a\u001b[1mb"}`, passage.Place{Heading: "x\u001b[1my"}, 60, "     a[1mb, x[1my\n"},
	} {
		h := retrieve.Hit{Rank: 1, ID: "x", Title: "T", Snippet: retrieve.Snippet{Text: "A dog.", Place: c.place}, Metadata: []byte(c.metadata)}
		out := printed(&retrieve.Result{Formula: "dog", Hits: []retrieve.Hit{h}}, c.width, false)
		if _, got, _ := strings.Cut(out, "     A dog.\n"); got != c.want {
			t.Errorf("%+v at %d columns:\n%q, want\n%q", c.place, c.width, got, c.want)
		}
		for line := range strings.Lines(out) {
			if progress.Columns(strings.TrimSuffix(line, "\n")) > c.width {
				t.Errorf("a line is longer than %d columns: %q", c.width, line)
			}
		}
	}
}
