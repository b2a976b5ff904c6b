package choices

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"kind", "year", "country", "Été", "a"}
	for asked, want := range map[string]string{
		"yeer": "year", "YEAR": "year", "yera": "year", "years": "year", "ye": "", "contry": "country", "cuontry": "country",
		"kin": "kind", "flavour": "", "": "a", "ete": "", "été": "Été",
	} {
		if got := Nearest(asked, words); got != want {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
	if got := Nearest("x", nil); got != "" {
		t.Errorf("of no words: %q", got)
	}
}

func FuzzNearest(f *testing.F) {
	f.Add("yeer", "year")
	f.Add("\xff", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got := Nearest(a, []string{b}); got != "" && got != b {
			t.Errorf("%q is no word", got)
		}
		if len(a) < 64 && len(b) < 64 && apart([]rune(a), []rune(b)) != apart([]rune(b), []rune(a)) {
			t.Errorf("%q and %q are not as far apart the other way round", a, b)
		}
	})
}
