package nl

import (
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ text, want, note string }{
		{"photos of dogs without leashes", "dogs AND NOT leashes", `"without" excludes leashes`},
		{"films about space but not aliens", "films about space AND NOT aliens", `"but not" excludes aliens`},
		{"cats or kittens, excluding cartoons", "(cats OR kittens) AND NOT cartoons", "any of: cats; kittens"},
		{"X that are also Y", "X AND Y", `"that are also" demands Y`},
		{"X that are also both Y and Z", "X AND Y AND Z", "all of: Y; Z"},
		{"X that are not Y", "X AND NOT Y", `"that are not" excludes Y`},
		{"X that are also Y but not Z", "X AND Y AND NOT Z", `"but not" excludes Z`},
		{"A or B", "A OR B", "any of: A; B"},
		{"A, B, or C", "A OR B OR C", "any of: A; B; C"},
		{"A that are not B or C", "A AND NOT (B OR C)", ""},
		{"dogs and cats", "dogs AND cats", "all of: dogs; cats"},
		{"dogs without leashes and collars", "dogs AND NOT (leashes OR collars)", `"without" excludes leashes OR collars`},
		{"recipes with chicken but without garlic, onions or cream", "recipes with chicken AND NOT (garlic OR onions OR cream)", ""},
		{"Show me black and white photos of Paris, not the Eiffel Tower.", "black and white photos of Paris AND NOT Eiffel Tower", `left out "Show me"`},
		{"pictures of a beach at sunset with no people", "beach at sunset AND NOT people", `left out "pictures of"`},
		{"I'm looking for novels that don't have vampires", "novels AND NOT vampires", ""},
		{"either cats or dogs", "cats OR dogs", ""},
		{"neither cats nor dogs", "NOT (cats OR dogs)", ""},
		{"dogs that are neither big nor brown", "dogs AND NOT (big OR brown)", ""},
		{"anything but cats", "NOT cats", ""},
		{"everything except cats", "NOT cats", "asks for everything"},
		{"not cats", "NOT cats", ""},
		{"Photos with no people", "NOT people", ""},
		{`"war and peace" but not films`, "war and peace AND NOT films", ""},
		{"cafés without música", "cafés AND NOT música", ""},
		// What cannot be read stays one atom, and says so.
		{"golden retriever", "golden retriever", "one atom"},
		{"dogs and cats or birds", "dogs and cats or birds", "two ways"},
		{"beach, sunset", "beach, sunset", "neither and nor or"},
		{"Doctors Without Borders", "Doctors Without Borders", "one atom"},
		{"to be or not to be", "to be or not to be", "one atom"},
		{"black and white", "black and white", "one atom"},
		{"dogs without", "dogs without", "one atom"},
		{"find", "find", "one atom"},
		{"the", "the", "one atom"},
		{"why not", "why not", "one atom"},
		// A formula is a formula.
		{"dog AND NOT leash", "dog AND NOT leash", "read as a formula"},
		{"dogs year:>=2015", "dogs year:>=2015", "read as a formula"},
		{"cats -dogs", "cats AND NOT dogs", "read as a formula"},
	} {
		r := Read(c.text)
		want, err := query.Parse(c.want)
		if err != nil {
			t.Fatal(err)
		}
		if !query.Same(r.Node, want) {
			t.Errorf("Read(%q) = %s, want %s", c.text, r.Node, want)
		}
		if notes := strings.Join(r.Notes, "\n"); len(r.Notes) == 0 || !strings.Contains(notes, c.note) {
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
		r, err := As(c.text, c.way)
		if (err != nil) != (c.want == "") || err == nil && r.Node.String() != c.want {
			t.Errorf("As(%.20q, %s) = %v, %v, want %s", c.text, c.way, r.Node, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"photos of dogs without leashes", "A, B, or C", `"x y" but not z`, "neither a nor b", "“q” and r", ",, or ,", "not", "dogs -cats"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Read(text)
		if r.Node == nil || len(r.Notes) == 0 {
			t.Fatalf("Read(%q) = %+v", text, r)
		}
	})
}
