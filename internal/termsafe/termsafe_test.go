package termsafe_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"a dog\n\tand a ball":      "a dog\n\tand a ball",
		"\x1b]0;owned\x07notes.md": "]0;ownednotes.md",
		"a\rb\x7fc\u009b31md":      "abc31md",
		"gpj.\u202egod":            "gpj.god",
		"broken \x9b here":         "broken \ufffd here",
		"חתול\u200f and naïve, 犬":  "חתול and naïve, 犬",
	} {
		if got := termsafe.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	if got, want := termsafe.Line("one\ntwo\u2028three\x1b"), "one two three"; got != want {
		t.Errorf("Line = %q, want %q", got, want)
	}
}

func TestWriters(t *testing.T) {
	all := ""
	for r := rune(0); r < 0x3000; r++ {
		all += string(r)
	}
	var text, encoded strings.Builder
	if n, err := termsafe.Writer(&text).Write([]byte(all)); n != len(all) || err != nil {
		t.Fatalf("wrote %d of %d bytes: %v", n, len(all), err)
	}
	if err := json.NewEncoder(termsafe.JSON(&encoded)).Encode(all); err != nil {
		t.Fatal(err)
	}
	for _, written := range []string{text.String(), encoded.String()} {
		for _, r := range written {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Errorf("wrote %q", r)
			}
		}
	}
	var back string
	if err := json.Unmarshal([]byte(encoded.String()), &back); err != nil || back != all {
		t.Errorf("the JSON reads as other text, %v", err)
	}
}
