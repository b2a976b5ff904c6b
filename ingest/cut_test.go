package ingest

import (
	"slices"
	"strings"
	"testing"
)

func TestPassagesOfText(t *testing.T) {
	if got := Passages(" \n "); len(got) != 0 {
		t.Errorf("blank text has the passages %q", got)
	}
	if got := Passages("One  sentence.\nAnd another."); !slices.Equal(got, []string{"One sentence. And another."}) {
		t.Errorf("a short text has the passages %q", got)
	}
	sentence := "The ferry leaves at nine and comes back at noon. "
	got := Passages(strings.Repeat(sentence, 100)) // a thousand words
	if len(got) < 7 || len(got) > 13 {
		t.Errorf("a thousand words have %d passages", len(got))
	}
	for _, p := range got {
		if !strings.HasPrefix(p, "The ferry") || !strings.HasSuffix(p, "at noon.") {
			t.Errorf("a passage is cut within a sentence: %q", p)
		}
	}
}
