package words

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// house is a text of some hundred words with placeholders.
const house = `The house stands at the end of a quiet lane above the river. It was built in %s by a
family of millers, who kept it for three generations. Downstairs there are a kitchen with an old
stove, a large room with windows to the garden, and a small study. Upstairs there are %s bedrooms
and a bathroom. Guests find %s near the gate. The garden has apple trees, a well and a bench from
which you see the whole valley. In summer swallows nest under the roof, and in winter the road is
cleared every morning. The village with its shop and its %s is ten minutes away on foot.`

func filled(with ...any) string { return fmt.Sprintf(house, with...) }

// TestCopies checks labelled pairs of texts: copies and texts that are not.
func TestCopies(t *testing.T) {
	one := filled("1871", "three", "parking", "bakery")
	for _, c := range []struct {
		name   string
		a, b   [2]string // title and text
		copies bool
	}{
		{"equal", [2]string{"A", one}, [2]string{"A", one}, true},
		{"equal, short", [2]string{"Chair", "A red chair."}, [2]string{"Chair", "A red chair."}, true},
		{"equal, laid out otherwise", [2]string{"Chair", "A red chair."}, [2]string{"Chair", " A\tred\n\nchair. "}, true},
		{"equal, other marks and capitals", [2]string{"A", one}, [2]string{"A", "# " + strings.ToUpper(one) + "!"}, true},
		{"equal, another title", [2]string{"The mill", one}, [2]string{"Our house", one}, true},
		{"another year", [2]string{"A", one}, [2]string{"A", filled("1873", "three", "parking", "bakery")}, true},
		{"a line more", [2]string{"A", one}, [2]string{"A", one + " Last changed in May."}, true},
		{"another language", [2]string{"", strings.Repeat("これは長い文章です。", 9)}, [2]string{"", strings.Repeat("これは別の文章です。", 9)}, false},

		{"nothing", [2]string{}, [2]string{}, false},
		{"short, one word", [2]string{"", "red chair"}, [2]string{"", "blue chair"}, false},
		{"short, another title", [2]string{"Red", "A chair of beech."}, [2]string{"Blue", "A chair of beech."}, false},
		{"short, signs", [2]string{"", "Written in C++"}, [2]string{"", "Written in C#"}, false},
		{"short, capitals", [2]string{"", "polish furniture"}, [2]string{"", "Polish furniture"}, false},
		{"leash", [2]string{"", "a dog on a leash"}, [2]string{"", "a dog without a leash"}, false},
		{"a template filled otherwise", [2]string{"A", one}, [2]string{"A", filled("1911", "two", "a bench", "church")}, false},
		{"half of it", [2]string{"A", one}, [2]string{"A", one[:len(one)/2]}, false},
		{"twice", [2]string{"A", one}, [2]string{"A", one + " " + one}, false},
		{"no parking", [2]string{"A", one}, [2]string{"A", filled("1871", "three", "no parking", "bakery")}, false},
		{"denied before", [2]string{"A", one + " Towels are provided."}, [2]string{"A", one + " Towels are not provided."}, false},
		{"denied behind", [2]string{"A", one + " A cot is there."}, [2]string{"A", one + " A cot is missing."}, false},
		{"another thing denied", [2]string{"A", one + " There is no dog."}, [2]string{"A", one + " There is no cat."}, false},
		{"an apostrophe", [2]string{"A", one + " We do take pets."}, [2]string{"A", one + " We don’t take pets."}, false},
		{"free of", [2]string{"A", one + " It is full of dust."}, [2]string{"A", one + " It is free of dust."}, false},
	} {
		a, b := NewWording(c.a[0], c.a[1]), NewWording(c.b[0], c.b[1])
		if a.Copy(b) != c.copies || b.Copy(a) != c.copies {
			t.Errorf("%s: copies %t and %t, want %t", c.name, a.Copy(b), b.Copy(a), c.copies)
		}
	}
	// A table row that differs in one word is never a copy, wherever the word occurs.
	row := strings.Fields("This sturdy chair of solid beech has a woven seat and four straight legs and comes in a flat box with all screws and a key")
	for i := range row {
		other := slices.Clone(row)
		other[i] = "blue"
		if NewWording("", strings.Join(row, " ")).Copy(NewWording("", strings.Join(other, " "))) {
			t.Errorf("%q is a copy", other)
		}
	}
}

// FuzzCopy checks that every text is a copy of itself, and that Copy is symmetric.
func FuzzCopy(f *testing.F) {
	f.Add("", "")
	f.Add("a\xff b", "a b")
	f.Add(filled("1871", "three", "parking", "bakery"), filled("1873", "three", "no parking", "bakery"))
	f.Fuzz(func(t *testing.T, one, other string) {
		a, b := NewWording("", one), NewWording("", other)
		if a.Copy(b) != b.Copy(a) || a.Copy(NewWording(one, "")) != (strings.TrimSpace(one) != "") || a.Copy(b) && a.text != b.text && a.shared(b) > 1 {
			t.Errorf("%q and %q: %t and %t", one, other, a.Copy(b), b.Copy(a))
		}
	})
}

// TestLicences counts copies among the licences in Go's module cache, which label themselves:
// two licences are the same if they differ only in their copyright lines, and different if
// they are of different kinds.
func TestLicences(t *testing.T) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil || testing.Short() {
		t.Skip("reads the licences of the modules that Go has fetched")
	}
	type licence struct {
		kind, body string
		*Wording
	}
	var all []licence
	_ = fs.WalkDir(os.DirFS(strings.TrimSpace(string(out))), ".", func(path string, d fs.DirEntry, err error) error {
		switch name := strings.ToUpper(filepath.Base(path)); {
		case err != nil || d.IsDir() && path == "cache":
			return fs.SkipDir
		case d.IsDir() || name != "LICENSE" && name != "LICENSE.TXT" && name != "LICENSE.MD":
			return nil
		}
		content, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), path))
		if err != nil {
			return err
		}
		body := strings.Join(strings.Fields(strings.ToLower(copyrightLines.ReplaceAllString(string(content), ""))), " ")
		all = append(all, licence{kindOf(body), body, NewWording("", string(content))})
		return nil
	})
	if len(all) < 50 {
		t.Skipf("only %d modules with a licence are there", len(all))
	}
	thresholds := []float64{0.95, 0.9, leastShared, 0.85, 0.8}
	same, found, mixed := 0, make([]int, len(thresholds)), make([]int, len(thresholds))
	for i, a := range all {
		for _, b := range all[:i] {
			if a.body == b.body {
				same++
			}
			for j, least := range thresholds {
				switch is := a.text == b.text || a.shared(b.Wording) >= least; {
				case is && a.body == b.body:
					found[j]++
				case is && a.kind != b.kind:
					mixed[j]++
				}
			}
			if a.Copy(b.Wording) && a.kind != b.kind {
				t.Errorf("a licence of the kind %q is a copy of one of the kind %q", a.kind, b.kind)
			}
		}
	}
	t.Logf("%d licences, %d pairs that differ in the copyright at most", len(all), same)
	for j, least := range thresholds {
		t.Logf("with %.2f of all shingles %.1f %% of those are copies, and %d pairs of different kinds", least, 100*float64(found[j])/float64(same), mixed[j])
	}
}

var copyrightLines = regexp.MustCompile(`(?mi)^\W*(portions )?copyright.*$|^\W*all rights reserved\W*$|^\W*(the )?mit license( \(mit\))?\W*$`)

// kindOf identifies a licence by a phrase unique to it.
func kindOf(body string) (kind string) {
	for _, k := range [][2]string{
		{"MIT", "permission is hereby granted, free of charge"}, {"Apache", "apache license"}, {"BSD", "redistributions in binary form must"}, {"of three clauses", "neither the name"},
		{"MPL", "mozilla public license"}, {"ISC", "permission to use, copy, modify, and"}, {"GNU", "gnu "}, {"CC", "creative commons"}, {"Unlicense", "unlicense"},
	} {
		if strings.Contains(body, k[1]) {
			kind = strings.TrimSpace(kind + " " + k[0])
		}
	}
	return kind
}

// TestLongWording checks that long texts are copies only if they are equal except for white
// space.
func TestLongWording(t *testing.T) {
	long := strings.Repeat("every word of it ", mostBytes/16)
	same, other := NewWording("A title", long), NewWording("A", "title\n\n"+strings.ReplaceAll(long, " ", "\t"))
	if !same.Copy(other) || !other.Copy(same) {
		t.Error("equal texts are no copies")
	}
	for name, w := range map[string]*Wording{"another word": NewWording("A title", long+"more"), "short": NewWording("A title", "every word of it"), "empty": NewWording("", "")} {
		if same.Copy(w) || w.Copy(same) {
			t.Errorf("%s is a copy", name)
		}
	}
	if kept := len(same.text); kept > 0 {
		t.Errorf("%d bytes of it are kept", kept)
	}
}
