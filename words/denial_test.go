package words

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestDenialsOfManuals measures deny on testdata/denials.tsv: sentences of technical manuals,
// drawn at random among those with a cue, each with a term and a label given by a reader.
// The rules were written with the split "dev" in view. The errors of the split "heldout" were
// never looked at.
func TestDenialsOfManuals(t *testing.T) {
	texts := manuals(t)
	type count struct{ right, wrong, missed, total int }
	counts := map[string]*count{"dev": {}, "heldout": {}}
	for _, l := range labelledDenials(t) {
		text := texts[l.document]
		if l.offset+l.length > len(text) {
			t.Fatalf("%s has %d bytes, want a sentence at %d of %d bytes", l.document, len(text), l.offset, l.length)
		}
		sentence := text[l.offset:][:l.length]
		c := counts[l.split]
		c.total++
		got := denies2(sentence, l.term)
		switch {
		case got && l.denied:
			c.right++
		case got:
			c.wrong++
		case l.denied:
			c.missed++
		}
		if got != l.denied && l.split == "dev" {
			t.Logf("denied %t, want %t: %q in %q", got, l.denied, l.term, strings.Join(strings.Fields(sentence), " "))
		}
	}
	for split, c := range counts {
		precision := float64(c.right) / float64(c.right+c.wrong)
		recall := float64(c.right) / float64(c.right+c.missed)
		t.Logf("%s: %d terms, precision %.2f, recall %.2f", split, c.total, precision, recall)
	}
}

func denies2(sentence, term string) bool {
	tokens := shared().tokenize(sentence)
	for i, denied := range deny(tokens) {
		if denied && Stem(tokens[i].word) == Stem(term) {
			return true
		}
	}
	return false
}

type labelledDenial struct {
	split, document string
	offset, length  int
	term            string
	denied          bool
}

func labelledDenials(t *testing.T) (out []labelledDenial) {
	data, err := os.ReadFile("testdata/denials.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		offset, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatal(err)
		}
		length, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, labelledDenial{f[0], f[1], offset, length, f[4], f[5] == "yes"})
	}
	return out
}

// manuals returns the texts of ../shared/data/manuals by document ID.
func manuals(t *testing.T) map[string]string {
	file, err := os.Open(filepath.Join("..", "..", "shared", "data", "manuals", "corpus.jsonl.gz"))
	if err != nil {
		t.Skip("needs the manuals in ../shared beside the checkout")
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for decoder := json.NewDecoder(bufio.NewReader(unzipped)); decoder.More(); {
		var d struct {
			ID   string `json:"_id"`
			Text string
		}
		if err := decoder.Decode(&d); err != nil {
			t.Fatal(err)
		}
		texts[d.ID] = d.Text
	}
	return texts
}
