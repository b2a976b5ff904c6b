package enum

import "testing"

type size uint8

func TestWords(t *testing.T) {
	sizes := []string{"small", "large"}
	for i, word := range sizes {
		if got := Of(sizes, size(i)); got != word {
			t.Errorf("%d is %s, want %s", i, got, word)
		}
		if got, err := Find[size]("size", sizes, word); err != nil || int(got) != i {
			t.Errorf("%s is %d (%v), want %d", word, got, err, i)
		}
	}
	if got := Of(sizes, size(2)); got != "unknown (2)" {
		t.Error(got)
	}
	if _, err := Find[size]("size", sizes, "huge"); err == nil || err.Error() != `unknown size "huge": it is one of small, large` {
		t.Error(err)
	}
}
