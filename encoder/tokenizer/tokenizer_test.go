package tokenizer

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/internal/frozen"
)

func (f *fixture) named(tb testing.TB, name string) *Tokenizer {
	for _, t := range f.Tokenizers {
		if t.Name == name {
			return t.Tokenizer
		}
	}
	tb.Fatalf("the fixture has no %q", name)
	return nil
}

// checkCut checks that a truncated text has the first ids that it has without a limit, and
// the special tokens around it.
func (t *Tokenizer) checkCut(tb testing.TB, text string, all []int32, limit int) {
	got, cut := t.Encode(text, limit)
	kept := all[len(t.before) : len(all)-len(t.after)]
	room := max(limit-len(t.before)-len(t.after), 0)
	if cut != (len(kept) > room) {
		tb.Errorf("%.60q at %d: got %d ids of %d, cut %t", text, limit, len(got), len(all), cut)
	}
	want := slices.Concat(t.before, kept[:min(len(kept), room)], t.after)
	want = want[:min(len(want), limit)]
	if !slices.Equal(got, want) {
		tb.Errorf("%.60q at %d: got %v, want %v", text, limit, got, want)
	}
}

func TestCut(t *testing.T) {
	f := openFixture(t)
	for _, c := range f.Tokenizers {
		for i, text := range f.Texts {
			for _, limit := range []int{1, 2, 3, 5, 8} {
				c.checkCut(t, text, c.IDs[i], limit)
			}
		}
	}
	// These texts lose nothing.
	for _, text := range []string{"a b c", "a b c  \n", "a b c\u200b \u200b"} {
		if ids, cut := f.named(t, "bert uncased").Encode(text, 5); cut || len(ids) != 5 {
			t.Errorf("%q: got %v, cut %t", text, ids, cut)
		}
	}
}

// The counts of the parts of a text, split at white space, add up to at least its own.
func TestCount(t *testing.T) {
	f := openFixture(t)
	for _, c := range f.Tokenizers {
		if c.Name == "added tokens" { // unrealistic: its tokens depend on their neighbours
			continue
		}
		for i, text := range f.Texts {
			if n, want := c.Count(text), len(c.IDs[i])-len(c.before)-len(c.after); n != want && n != want+2 {
				t.Errorf("%s, %.60q: got %d tokens, want %d", c.Name, text, n, want)
			}
			for _, between := range []string{" ", "\n", "\n\n"} {
				all, _ := c.Encode(text+between+f.Texts[(i+1)%len(f.Texts)], 0)
				got, most := len(all)-len(c.before)-len(c.after), c.Count(text)+c.Count(f.Texts[(i+1)%len(f.Texts)])
				if got > most {
					t.Errorf("%s, %.60q and the next text: got %d tokens, but only %d separately", c.Name, text, got, most)
				}
			}
		}
	}
}

// The reference only accepts UTF-8.
func TestInvalidUTF8(t *testing.T) {
	for _, c := range openFixture(t).Tokenizers {
		for text, same := range map[string]string{
			"caf\xe9":                 "caf\ufffd",
			"\xff\xfe":                "\ufffd\ufffd",
			"a\xc3 dog":               "a\ufffd dog",
			"\xed\xa0\x80dog":         "\ufffd\ufffd\ufffddog", // half of a surrogate pair
			"[SE\xffP] <s\xff> <mask": "[SE\ufffdP] <s\ufffd> <mask",
		} {
			got, _ := c.Encode(text, 0)
			if want, _ := c.Encode(same, 0); !slices.Equal(got, want) {
				t.Errorf("%s, %q: got %v, want %v as for %q", c.Name, text, got, want, same)
			}
		}
	}
}

func TestID(t *testing.T) {
	f := openFixture(t)
	for _, c := range []struct {
		tokenizer, token string
		id               int32
	}{
		{"bert uncased", "[PAD]", 0},
		{"bert uncased", "[SEP]", 3},
		{"bert uncased", "<pad>", -1},
		{"roberta", "<pad>", 1},
		{"xlm-roberta", "<mask>", 4},
	} {
		id, ok := f.named(t, c.tokenizer).ID(c.token)
		if ok != (c.id >= 0) || ok && id != c.id {
			t.Errorf("%s, %s: got %d, %t", c.tokenizer, c.token, id, ok)
		}
	}
	// An added token that is not in the model.
	b := f.named(t, "bert cased")
	if id, ok := b.ID("[new]"); !ok || int(id) != b.model.size() {
		t.Errorf("[new]: got %d, %t, want %d", id, ok, b.model.size())
	}
}

func TestConcurrently(t *testing.T) {
	f := openFixture(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, c := range f.Tokenizers {
				for i := 0; i < len(f.Texts); i += 5 {
					if got, _ := c.Encode(f.Texts[i], 0); !slices.Equal(got, c.IDs[i]) {
						t.Errorf("%s, %q: got %v", c.Name, f.Texts[i], got)
					}
				}
			}
		})
	}
	all.Wait()
}

// TestShippedFile reads the published file of all-MiniLM-L6-v2 and compares with the ids
// in the built-in encoder's tests.
func TestShippedFile(t *testing.T) {
	file, err := os.ReadFile(filepath.Join(frozen.Dir(t), "models", "all-minilm-l6-v2", "tokenizer.json"))
	if err != nil {
		t.Skip("needs the tokenizer of all-MiniLM-L6-v2 in ../shared next to the checkout")
	}
	shipped, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../builtin/testdata/tokens.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var want struct {
			Text string
			IDs  []int32
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got, cut := shipped.Encode(want.Text, 0); cut || !slices.Equal(got, want.IDs) {
			t.Errorf("%+q:\ngot  %v\nwant %v", want.Text, got, want.IDs)
		}
	}
	if n < 180 {
		t.Errorf("got only %d texts", n)
	}
}
