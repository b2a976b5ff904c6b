package words

import (
	"slices"
	"testing"
)

func TestStems(t *testing.T) {
	for text, want := range map[string][]string{
		"":                              nil,
		"The dog's ladies — RUNNING!":   {"the", "dog", "lady", "running"},
		"leashes boxes glasses houses":  {"leash", "box", "glass", "house"},
		"state-of-the-art C++ in 2015":  {"state", "of", "the", "art", "c", "in", "2015"},
		"don’t, won't":                  {"don", "won"},
		"Gas, bus and boss; musicals":   {"gas", "bus", "and", "boss", "musical"},
		"собака лает 犬":                 {"собака", "лает", "犬"},
		"packet filters filter packets": {"packet", "filter", "filter", "packet"},
	} {
		if got := Stems(text); !slices.Equal(got, want) {
			t.Errorf("%q has the stems %q, want %q", text, got, want)
		}
	}
}

func FuzzStems(f *testing.F) {
	f.Add("The dog's leashes")
	f.Add("\xff'’")
	f.Fuzz(func(t *testing.T, text string) {
		for _, stem := range Stems(text) {
			if stem == "" {
				t.Errorf("%q has an empty stem", text)
			}
		}
	})
}
