package builtin

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/encoder/tokenizer"
	"github.com/nsfl-go/nsfl/internal/frozen"
)

// TestTokenizeHardTexts compares with the tokens of the teacher's own tokenizer
// (training/tokens.py): accents, CJK, zero-width characters, spelled-out special tokens,
// words of 99 to 101 characters, unassigned code points.
func TestTokenizeHardTexts(t *testing.T) {
	v := open(t).tokens
	f, err := os.Open("testdata/tokens.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var want struct {
			Text string
			IDs  []int32
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got, cut := v.Encode(want.Text, 1000); cut || !slices.Equal(got, want.IDs) {
			t.Errorf("%+q:\n%v, want\n%v", want.Text, got, want.IDs)
		}
	}
}

// Reference tokenizers only accept UTF-8. Invalid bytes read as U+FFFD, which is dropped.
func TestTokenizeInvalidUTF8(t *testing.T) {
	v := open(t).tokens
	for text, same := range map[string]string{
		"caf\xe9":            "caf",
		"\xff\xfe":           "",
		"a\xc3 dog":          "a dog",
		"do\x80g":            "dog",
		"\xed\xa0\x80dog":    "dog", // half of a surrogate pair
		"[SE\xffP] [SEP\xc3": "[SE\ufffdP] [SEP",
	} {
		got, _ := v.Encode(text, 100)
		if want, _ := v.Encode(same, 100); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v as for %q", text, got, want, same)
		}
	}
}

func TestTokenizeCuts(t *testing.T) {
	v := open(t).tokens
	for _, c := range []struct {
		text string
		cut  bool
	}{
		{"", false},
		{"a b c", false},
		{"a b c  \n", false}, // only white space is cut
		{"a b c\u200b \u200b", false},
		{"a b c d", true},
		{"a b c[SEP]", true},
		{"a b supercalifragilistic", true}, // within a word
		{strings.Repeat("a ", 1<<20), true},
	} {
		ids, cut := v.Encode(c.text, 5)
		if cut != c.cut || len(ids) > 5 || !enclosed(v, ids) {
			t.Errorf("%.40q: got %v, cut %t, want cut %t", c.text, ids, cut, c.cut)
		}
	}
}

// enclosed reports whether ids begin and end with the special tokens.
func enclosed(v *tokenizer.Tokenizer, ids []int32) bool {
	begin, _ := v.ID("[CLS]")
	end, _ := v.ID("[SEP]")
	return len(ids) >= 2 && ids[0] == begin && ids[len(ids)-1] == end
}

// TestTokenizeTrainingText tokenizes all lines of the training text, if it is present next
// to the checkout. The checksum is over the ids that the teacher's own tokenizer returns.
func TestTokenizeTrainingText(t *testing.T) {
	const want = "55c0a4058e5b78f3c70944c53de631aeb29030402c03232f36ae1dc84d184e09"
	f, err := os.Open(filepath.Join(frozen.Dir(t), "train", "text.txt.gz"))
	if err != nil {
		t.Skip("needs the training text in ../shared next to the checkout")
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	v, seen, sum := open(t).tokens, map[string]bool{}, sha256.New()
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || seen[line] {
			continue
		}
		seen[line] = true
		ids, _ := v.Encode(line, 1<<20)
		text := fmt.Sprint(ids)
		fmt.Fprintln(sum, text[1:len(text)-1])
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want {
		t.Errorf("%d lines, sum of their tokens %s, want %s", len(seen), got, want)
	}
}

// The word pieces of a text spell the text, however odd it is.
func FuzzTokenize(f *testing.F) {
	for _, text := range []string{"", "a dog", "[SEP] [MASK", "naïve 中文", "\xff\u200b\u0301", strings.Repeat("x", 101)} {
		f.Add(text, uint8(20))
	}
	v, words := open(f).tokens, len(open(f).model.Words.Scales)
	f.Fuzz(func(t *testing.T, text string, most uint8) {
		limit := max(int(most), 2)
		ids, cut := v.Encode(text, limit)
		if len(ids) > limit || !enclosed(v, ids) {
			t.Fatalf("got %d tokens, want at most %d: %v", len(ids), limit, ids)
		}
		for _, id := range ids {
			if id < 0 || int(id) >= words {
				t.Fatalf("no token has the id %d", id)
			}
		}
		all, _ := v.Encode(text, 1<<30)
		if cut != (len(all) > limit) {
			t.Fatalf("%d tokens of %d, cut %t", len(ids), len(all), cut)
		}
		if n := len(ids) - 1; !slices.Equal(ids[:n], all[:n]) {
			t.Fatalf("%v is not a prefix of %v", ids, all)
		}
		if spaced, _ := v.Encode(" "+text+"\n", 1<<30); !slices.Equal(spaced, all) {
			t.Fatalf("surrounded by spaces: got %v, want %v", spaced, all)
		}
		if valid := strings.ToValidUTF8(text, "\ufffd"); utf8.ValidString(valid) {
			if same, _ := v.Encode(valid, 1<<30); !slices.Equal(same, all) {
				t.Fatalf("as UTF-8: got %v, want %v", same, all)
			}
		}
	})
}
