package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// printed is a result as a person sees it.
func printed(r *retrieve.Result, width int, colour bool) string {
	var b bytes.Buffer
	f, _ := query.ParseFormula(r.Formula) // some tests have none
	p := &printer{terminal: &terminal{Writer: &b, width: width, colour: colour, wraps: true}, result: r, formula: f, options: retrieve.Options{}, studied: true}
	p.head()
	p.hits()
	return b.String()
}

// TestPassages: every wanted atom can be checked; a passage that has several is shown
// once, unless a line is too short for the words of all.
func TestPassages(t *testing.T) {
	long := "A dog that nobody had seen before ran all the way along the shore and came back with a ball"
	hit := retrieve.Hit{
		Rank: 1, ID: "x", Title: "Dogs and other company", Score: 1,
		Passages: []retrieve.Snippet{
			{Text: "The puppy has no ball.", Atom: "dog", Similarity: 0.5, Share: 0.7},
			{Text: "The puppy has no ball.", Atom: "ball", Similarity: 0.4},
			{Text: "A café by the sea.", Atom: "café", Similarity: 0.3, Share: 1},
		},
		Words: []retrieve.AtomWords{
			{Atom: "dog", Share: 1, Found: []words.Found{{Word: "dog", Matched: "puppy", Similarity: 0.71, Passage: 1, Weight: 1}}},
			{Atom: "ball", Share: -0.25, Found: []words.Found{{Word: "ball", Matched: "ball", Similarity: 1, Passage: 1, Denied: true, Weight: 1}}},
			{Atom: "café", Share: 1, Found: []words.Found{
				{Word: "cafe", Matched: "cafe", Similarity: 1, Passage: 2, Weight: 0.95}, {Word: "the", Matched: "the", Similarity: 1, Passage: 2, Weight: 0.05},
			}},
		},
	}
	r := &retrieve.Result{Formula: "dog AND ball AND café", Hits: []retrieve.Hit{hit}}
	out := printed(r, 100, false)
	for _, want := range []string{"     The puppy has no ball.  ← dog 0.50, ball 0.40 ruled out by the text\n", "     A café by the sea.  ← café 0.30\n"} {
		if strings.Count(out, want) != 1 {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	out = printed(r, 100, true)
	// The atom's own word, one near to it, and one that is denied; not what all documents have.
	for _, want := range []string{"\x1b[4;33mpuppy\x1b[0m", "\x1b[4;31mball\x1b[0m", "\x1b[1;33mcafé\x1b[0m by the sea"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%q", want, out)
		}
	}

	hit.Passages = []retrieve.Snippet{{Text: long, Atom: "dog", Share: 1}, {Text: long, Atom: "ball", Share: 1}}
	hit.Words = []retrieve.AtomWords{
		{Atom: "dog", Share: 1, Found: []words.Found{{Word: "dog", Matched: "dog", Similarity: 1, Weight: 1}}},
		{Atom: "ball", Share: 1, Found: []words.Found{{Word: "ball", Matched: "ball", Similarity: 1, Weight: 1}}},
	}
	r.Hits[0] = hit
	out = printed(r, 60, false)
	dog, ball, _ := strings.Cut(out, "← dog 0.00\n")
	if !strings.Contains(dog, "     A dog that nobody") || !strings.Contains(ball, "with a ball  ← ball 0.00\n") {
		t.Errorf("a line for each:\n%s", out)
	}
	if out = printed(r, 120, true); !strings.Contains(out, "\x1b[1;1;33mDogs\x1b[0m") {
		t.Errorf("the title's word is not marked in\n%q", out)
	}
	// Without words of the store, those of the formula are marked.
	r.Hits[0].Words = nil
	if out = printed(r, 120, true); !strings.Contains(out, "A \x1b[1;33mdog\x1b[0m that") {
		t.Errorf("no word is marked in\n%q", out)
	}
}

// TestWordsPart: an explanation has words as a part of their own, whose sum is the score.
func TestWordsPart(t *testing.T) {
	r := &retrieve.Result{Formula: "dog AND NOT ball", Hits: []retrieve.Hit{{
		Rank: 1, ID: "x", Title: "Puppies", Score: 0.9,
		Words: []retrieve.AtomWords{
			{Atom: "dog", Share: 0.71, Found: []words.Found{{Word: "dog", Matched: "puppies", Similarity: 0.71, Weight: 1}}},
			{Atom: "ball", Negated: true, Share: -0.25, Found: []words.Found{{Word: "ball", Matched: "ball", Similarity: 1, Passage: 3, Denied: true, Weight: 1}}},
		},
		Explanation: &logic.Explanation{Formula: "dog AND NOT ball", Sentence: "so it is", Words: &logic.WordsOf{Vectors: 0.132, Weight: 0.8, Lexical: 0.96}},
	}}}
	want := `     so it is
       0.132 by vectors + 0.768 by words = 0.900
         dog        0.71 ███▌   dog: puppies ~0.71 (title)
         NOT ball  -0.25        ball: ruled out by the text (passage 3)
`
	if out := printed(r, 100, false); !strings.Contains(out, want) {
		t.Errorf("there is no\n%s in\n%s", want, out)
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestNarrow: on a terminal of 60 columns no line is longer, and words stay whole.
func TestNarrow(t *testing.T) {
	for _, formula := range []string{"dog AND ball", "dog AND NOT ball", "(golden retriever OR sheepdog) AND a beach with people AND NOT ball", "dog"} {
		r := answerOf(t, "search", "--demo", "--explain", "-k", "20", formula)
		out := escapes.ReplaceAllString(printed(&r, 60, true), "")
		for line := range strings.Lines(out) {
			if n := progress.Columns(strings.TrimSuffix(line, "\n")); n > 60 {
				t.Errorf("%s: a line of %d columns: %s", formula, n, line)
			}
		}
		shown := strings.Fields(out)
		for _, h := range r.Hits {
			for _, word := range strings.Fields(h.Explanation.Sentence) {
				if !slices.Contains(shown, word) {
					t.Errorf("%s: %s is broken in\n%s", formula, word, out)
				}
			}
		}
	}
}

// TestSaidToBeAbsent: what a document denies is no hit for who wants it, and is told.
func TestSaidToBeAbsent(t *testing.T) {
	dir := t.TempDir()
	texts := map[string]string{
		"with.txt":    "A cake with hazelnuts and walnuts on top, and all kinds of nuts inside.",
		"without.txt": "A plain cake for everybody, baked without nuts.",
		"soup.txt":    "A soup of pumpkins for cold evenings.",
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	at := filepath.Join(t.TempDir(), "cakes")
	must(t, "index", dir, "-c", at, "--quiet")
	wanted := must(t, "search", "-c", at, "cake AND nuts")
	with, without := strings.Index(wanted, "with.txt"), strings.Index(wanted, "without.txt")
	if with < 0 || without < with || !strings.Contains(wanted, "ruled out by the text") {
		t.Errorf("nuts are wanted:\n%s", wanted)
	}
	unwanted := must(t, "search", "-c", at, "--explain", "cake AND NOT nuts")
	if !regexp.MustCompile(`(?s)  1  [^\n]*without\.txt.*NOT nuts  -0\.25 +nuts: ruled out by the text \((title|passage \d)\)`).MatchString(unwanted) {
		t.Errorf("nuts are not wanted:\n%s", unwanted)
	}
}

// TestCopies: the same text in several files is one result, unless all are wanted.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	terms := strings.Repeat("The house is let to guests for a week at most, with linen and firewood. ", 8)
	for name, text := range map[string]string{"a/terms.txt": terms, "b/terms.txt": terms, "c/terms.txt": terms + "\nChanged in May.\n", "d/pets.txt": "Guests of the house may bring a dog."} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	at := filepath.Join(t.TempDir(), "house")
	must(t, "index", dir, "-c", at, "--quiet")
	folded := must(t, "search", "-c", at, "guests AND firewood")
	if !strings.Contains(folded, "     and 2 copies: ") || strings.Contains(folded, "  3  ") {
		t.Errorf("copies are not folded:\n%s", folded)
	}
	if beside := must(t, "search", "-c", at, "--compare", "guests AND firewood"); strings.Count(beside, "+2, ") != 2 {
		t.Errorf("copies are not told on both sides:\n%s", beside)
	}
	if all := must(t, "search", "-c", at, "--all-copies", "guests AND firewood"); strings.Contains(all, "copies") || !strings.Contains(all, "  4  ") {
		t.Errorf("not all are shown:\n%s", all)
	}
	r := answerOf(t, "search", "-c", at, "guests AND firewood")
	if len(r.Hits) != 2 || r.Hits[0].CopyCount != 2 || len(r.Hits[0].Copies) != 2 {
		t.Fatalf("hits %+v", r.Hits)
	}
	// However long and odd the names are, a line is one.
	r.Hits[0].Copies[0].ID = strings.Repeat("long/", 40) + "\x1b[2J\n"
	for line := range strings.Lines(escapes.ReplaceAllString(printed(&r, 60, true), "")) {
		if n := progress.Columns(strings.TrimSuffix(line, "\n")); n > 60 || strings.Contains(line, "\x1b") {
			t.Errorf("a line of %d columns: %q", n, line)
		}
	}
}

// TestWordsOption: words can be left out, and compile and vector have no such flag.
func TestWordsOption(t *testing.T) {
	none := must(t, "search", "--demo", "--explain", "--words", "0", "dog AND ball")
	if strings.Contains(none, "by words") {
		t.Errorf("words count:\n%s", none)
	}
	for _, command := range []string{"compile", "vector"} {
		if code, _, errs := cli("", command, "--words", "1", "dog"); code != exitUsage || !strings.Contains(errs, "has no flag --words") {
			t.Errorf("%s: exits with %d: %s", command, code, errs)
		}
	}
}

// A query in another language, or of misspelled words alone, has no results by its vectors, which
// mean nothing. Misspelled words are no other language.
func TestForeign(t *testing.T) {
	for query, want := range map[string]string{
		"perros que no son negros": "knows English only", "Hund ohne Leine": "knows English only", "recette au chocolat pour deux chiens": "knows English only",
		"choclate cokies": "did you mean: chocolate cookies",
	} {
		out := must(t, "search", "--demo", query)
		if !strings.Contains(out, want) || !strings.Contains(out, "nothing found") {
			t.Errorf("%s: got\n%s\nwant %q, and no results", query, out, want)
		}
	}
}
