package passage

import (
	"slices"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	if got := Cut(" \n "); len(got) != 0 {
		t.Errorf("blank text: got passages %q, want none", got)
	}
	if got := Cut("One  sentence.\nAnd another."); !slices.Equal(got, []string{"One sentence. And another."}) {
		t.Errorf("short text: got passages %q", got)
	}
	sentence := "The ferry leaves at nine and comes back at noon. "
	got := Cut(strings.Repeat(sentence, 100)) // a thousand words
	if len(got) < 5 || len(got) > 11 {
		t.Errorf("a thousand words: got %d passages, want 5 to 11", len(got))
	}
	for _, p := range got {
		if !strings.HasPrefix(p, "The ferry") || !strings.HasSuffix(p, "at noon.") {
			t.Errorf("a passage starts or ends inside a sentence: %q", p)
		}
	}
}
