package passage

import (
	"slices"
	"strings"
	"testing"
)

// cut splits a plain text into passages of the default lengths.
func cut(text string) (passages []string) {
	_, parts := usual.Cut(Blocks(text))
	for _, p := range parts {
		passages = append(passages, p.Text)
	}
	return passages
}

func TestCut(t *testing.T) {
	if got := cut(" \n "); len(got) != 0 {
		t.Errorf("blank text: got passages %q, want none", got)
	}
	if got := cut("One  sentence.\nAnd another."); !slices.Equal(got, []string{"One sentence. And another."}) {
		t.Errorf("short text: got passages %q", got)
	}
	sentence := "The ferry leaves at nine and comes back at noon. "
	got := cut(strings.Repeat(sentence, 100)) // a thousand words
	if len(got) < 5 || len(got) > 11 {
		t.Errorf("a thousand words: got %d passages, want 5 to 11", len(got))
	}
	for _, p := range got {
		if !strings.HasPrefix(p, "The ferry") || !strings.HasSuffix(p, "at noon.") {
			t.Errorf("a passage starts or ends inside a sentence: %q", p)
		}
	}
}
