package nl

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/query"
)

// What is understood is said, phrase by phrase, and what is not is said too.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ text, want, note string }{
		{"photos of dogs without leashes", "dogs AND NOT leashes", `left out "photos of"`},
		{"films, excluding those of Spielberg, about war", "films about war AND NOT Spielberg", `"excluding those of" excludes Spielberg`},
		{"cats or kittens, excluding cartoons", "(cats OR kittens) AND NOT cartoons", "any of: cats; kittens"},
		{"X that are also both Y and Z", "X AND Y AND Z", `"that are also both" demands Y; Z as well`},
		{"both X and Y", "X AND Y", "all of: X; Y"},
		{"pizza or pasta but not both", "(pizza OR pasta) AND NOT (pizza AND pasta)", "but not both"},
		{"Show me black and white photos of Paris, not the Eiffel Tower.", "black and white photos of Paris AND NOT Eiffel Tower", `left out "Show me"`},
		{"everything except cats", "NOT cats", "asks for everything"},
		{"a cake without eggs because my son is allergic", "cake AND NOT eggs", `left out "because my son is allergic"`},
		{"bake bread without tins", "bake bread AND NOT tins^0.5", `"without" may exclude tins^0.5, which therefore counts with weight 0.5: it may only say how`},
		{"them, not us", "them, not us", "names nothing to search for"},
		{"golden retriever", "golden retriever", "one atom"},
		{"dogs and cats or birds", "dogs and cats or birds", "two ways"},
		{"dogs without", "dogs without", "one atom"},
		{"dog AND NOT leash", "dog AND NOT leash", "read as a formula"},
		{"dogs year:>=2015", "dogs AND year:>=2015", ""},
		{strings.Repeat("a or ", 100) + "b", strings.Repeat("a or ", 100) + "b", "one atom"},
	} {
		r := Read(c.text)
		if r.Node.String() != c.want {
			t.Errorf("Read(%q) = %s, want %s", c.text, r.Node, c.want)
		}
		if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, c.note) {
			t.Errorf("Read(%q) says %q, want %q in it", c.text, notes, c.note)
		}
	}
}

// What has operators is a formula, mistakes and all, unless rules are asked for.
func TestAs(t *testing.T) {
	for _, c := range []struct {
		text string
		way  Way
		want string // empty: an error
	}{
		{"dogs without leashes", Off, "dogs without leashes"},
		{"dogs without leashes", Auto, "dogs AND NOT leashes"},
		{"dogs without leashes", Rules, "dogs AND NOT leashes"},
		{"dogs without leashes", LLM, ""},
		{"golden retriever", Auto, "golden retriever"},
		{"dog AND NOT leash", Auto, "dog AND NOT leash"},
		{"dog AND OR leash", Auto, ""},
		{"dog AND OR leash", Rules, `"dog AND OR leash"`},
		{"dog (cat", Auto, ""},
		{"dog (cat", Rules, `"dog (cat"`},
		{"", Rules, ""},
		{" \n", Auto, ""},
		{strings.Repeat("long ", 2000), Rules, ""},
		{"a \xff b", Rules, ""},
	} {
		r, err := As(t.Context(), c.text, c.way, nil)
		if (err != nil) != (c.want == "") || err == nil && r.Node.String() != c.want {
			t.Errorf("As(%.20q, %s) = %v, %v, want %s", c.text, c.way, r.Node, err, c.want)
		}
	}
}

// Whatever the text, there is a reading that is a formula, and no word of it is lost that
// is not one of the rules' own.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`"x y" but not z`, "neither a nor b", "“q” and r", ",, or ,", "not", "dogs -cats", "a (b", "f(x) [y", "x), not (y", "is not AND", "year:>=1 no cats", "no: x — y"} {
		f.Add(seed)
	}
	for _, s := range sentences(f) {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" || len(text) > query.MaxBytes || !utf8.ValidString(text) {
			return
		}
		r := Read(text)
		again, err := query.Parse(r.Node.String())
		if err != nil || !query.Same(again, r.Node) {
			t.Fatalf("Read(%q) = %s, which is parsed as %v (%v)", text, r.Node, again, err)
		}
		if hasOperators(text) {
			return
		}
		told := strings.Join(r.Told(), "\n")
		for _, w := range split(text) {
			for part := range strings.FieldsFuncSeq(w.text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if !strings.Contains(told, part) && !own[w.is] {
					t.Errorf("Read(%q) = %s, and there is no %q in it", text, told, part)
				}
			}
		}
	})
}

// own are the words that rules have.
var own = func() map[string]bool {
	out := map[string]bool{"both": true, "either": true, "neither": true, "and": true, "or": true, "nor": true}
	all := slices.Concat(more, requests, polite, greetings, holds, empty, tail, several, []pattern{of, everything, notBoth, thanks})
	maps.Copy(out, members["POSS"])
	for _, c := range cues {
		all = append(all, c.patterns...)
	}
	for _, p := range all {
		for _, s := range p {
			maps.Copy(out, s.words)
		}
	}
	return out
}()
