package ingest

import (
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/passage"
)

// TestPlaces: passages begin at the places of the blocks that the readers return, and the
// document's title is not among the headings.
func TestPlaces(t *testing.T) {
	o, err := Options{Lengths: passage.Lengths{Max: 20}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	d := draft{title: "Guide", blocks: []passage.Block{
		{Kind: passage.Heading, Rows: []string{"Guide"}, Level: 1, Line: 1},
		{Kind: passage.Prose, Rows: []string{strings.Repeat("word ", 14) + "end."}, Page: 1, Line: 3},
		{Kind: passage.Heading, Rows: []string{"Install"}, Level: 2, Page: 2, Line: 5},
		{Kind: passage.Prose, Rows: []string{strings.Repeat("word ", 14) + "end."}, Page: 2, Line: 7},
	}}
	doc, err := d.finish(o)
	if err != nil || len(doc.Passages) != 2 {
		t.Fatalf("got %+v and error %v, want 2 passages", doc, err)
	}
	for i, want := range []passage.Place{{Line: 1}, {Heading: "Install", Page: 2, Line: 5}} {
		if got := doc.Passages[i].Place; got != want {
			t.Errorf("passage %d is at %+v, not %+v", i, got, want)
		}
	}
}
