package spelling

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	commands := []string{"backup", "compact", "compare", "search", "score", "serve"}
	paths := []string{"garden/roses.md", "garden/bees.md", "house.txt"}
	for _, c := range []struct {
		word  string
		among []string
		want  string
	}{
		{"serch", commands, "search"},
		{"saerch", commands, "search"}, // two letters swapped
		{"SEARCH", commands, "search"},
		{"frobnicate", commands, ""},
		{"", commands, ""},
		{"x", commands, ""},
		{"comp", commands, "compact compare"},
		{"rozes.md", paths, "garden/roses.md"},
		{"bees", paths, "garden/bees.md"},
		{"haus.txt", paths, "house.txt"},
		{"é", []string{"è"}, "è"},
	} {
		if got := strings.Join(Words(c.word, c.among), " "); got != c.want {
			t.Errorf("%q is near %q, want %q", c.word, got, c.want)
		}
	}
	if got := Words("aaa", []string{"aab", "aac", "aad", "aaa"}); len(got) != Most || got[0] != "aaa" {
		t.Errorf("got %q, want %d words, the first \"aaa\"", got, Most)
	}
}

func TestMeant(t *testing.T) {
	among := []string{"exact", "exactly", "auto"}
	for word, want := range map[string]string{"exat": "did you mean exact?", "exacty": "did you mean exact or exactly?", "zzz": ""} {
		if got := Meant(word, among); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// FuzzDistance checks that a distance is 0 only to the word itself, symmetric, and at
// most the length of the longer word.
func FuzzDistance(f *testing.F) {
	f.Add("serch", "search")
	f.Add("", "ab")
	f.Add("ab", "ba")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > longest || len(b) > longest {
			t.Skip()
		}
		there, back := distance(a, b), distance(b, a)
		most := max(len([]rune(a)), len([]rune(b)))
		same := slices.Equal([]rune(a), []rune(b))
		if there != back || there > most || (there == 0) != same {
			t.Errorf("from %q to %q %d, back %d", a, b, there, back)
		}
	})
}
