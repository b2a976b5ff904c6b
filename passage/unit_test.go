package passage

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// byWords counts words; a character of a script without spaces counts as half a word.
func byWords(s string) int {
	n := 0
	for w := range strings.FieldsFuncSeq(s, isBlank) {
		runes := 0
		for _, r := range w {
			if unspaced(r) || r == '。' {
				runes++
			}
		}
		n += max(1, (runes+1)/2)
	}
	return n
}

func cutterOf(min, max int) *cutter { return &cutter{min, max, byWords} }

func textsOf(parts []Part) (texts []string) {
	for _, p := range parts {
		texts = append(texts, p.Text)
	}
	return texts
}

func passagesOf(min, max int, blocks ...Block) []string {
	c := cutterOf(min, max)
	return textsOf(c.cut(c.units(blocks)))
}

func proseOf(s string) Block       { return Block{Kind: Prose, Rows: []string{s}} }
func headingOf(s string) Block     { return Block{Kind: Heading, Rows: []string{s}} }
func rowsBlock(rs ...string) Block { return Block{Kind: Rows, Rows: rs} }
func sentenceOf(n int, s string) string {
	return strings.TrimSpace(strings.Repeat(s+" ", n-1)) + " end."
}

// TestPassages checks where passages start.
func TestPassages(t *testing.T) {
	s := func(n int, word string) string { return "W" + sentenceOf(n, word)[1:] }
	for _, c := range []struct {
		name   string
		blocks []Block
		want   []string
	}{
		{"nothing", nil, nil},
		{"a text that fits is one passage", []Block{headingOf("H"), proseOf(s(8, "a")), rowsBlock("- x", "- y")},
			[]string{"H\n\n" + s(8, "a") + "\n\n- x\n- y"}},
		{"short paragraphs are merged", []Block{proseOf(s(6, "a")), proseOf(s(6, "b")), proseOf(s(12, "c"))},
			[]string{s(6, "a") + "\n\n" + s(6, "b"), s(12, "c")}},
		{"a section begins a passage", []Block{proseOf(s(12, "a")), headingOf("H"), proseOf(s(12, "b"))},
			[]string{s(12, "a"), "H\n\n" + s(12, "b")}},
		{"a heading stays with the next block", []Block{proseOf(s(18, "a")), headingOf("H"), proseOf(s(19, "b"))},
			[]string{s(18, "a"), "H\n\n" + s(19, "b")}},
		{"a long paragraph is cut between sentences", []Block{proseOf(s(9, "a") + " " + s(9, "b") + " " + s(9, "c") + " " + s(9, "d"))},
			[]string{s(9, "a") + " " + s(9, "b"), s(9, "c") + " " + s(9, "d")}},
		{"no short rest at the end", []Block{proseOf(s(9, "a") + " " + s(9, "b") + " " + s(3, "c"))},
			[]string{s(9, "a"), s(9, "b") + " " + s(3, "c")}},
		{"a list stays whole", []Block{proseOf(s(9, "a") + " " + s(4, "b")), rowsBlock("- x x x x x", "- y y y y y", "- z z")},
			[]string{s(9, "a") + " " + s(4, "b"), "- x x x x x\n- y y y y y\n- z z"}},
		{"an announcement stays with the next block", []Block{proseOf(s(14, "a")), proseOf("such as these:"), rowsBlock("- x x x x x", "- y y y y y")},
			[]string{s(14, "a"), "such as these:\n\n- x x x x x\n- y y y y y"}},
		{"a long sentence is split at a comma", []Block{proseOf(strings.Repeat("a ", 9) + "comma, " + strings.Repeat("b ", 12) + "c")},
			[]string{strings.Repeat("a ", 9) + "comma,", strings.Repeat("b ", 12) + "c"}},
		{"scripts without spaces", []Block{proseOf(strings.Repeat("天", 30) + "。" + strings.Repeat("地", 30) + "。")},
			[]string{strings.Repeat("天", 30) + "。", strings.Repeat("地", 30) + "。"}},
	} {
		if got := passagesOf(10, 20, c.blocks...); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// checkPassages checks the guarantees: no text is lost, no passage is too long or empty,
// and a text that fits is one passage.
func checkPassages(t *testing.T, c *cutter, blocks []Block) {
	t.Helper()
	units := c.units(blocks)
	passages := textsOf(c.cut(units))
	var all strings.Builder
	for _, b := range blocks {
		for _, r := range b.Rows {
			all.WriteString(r)
		}
	}
	squeeze := func(s string) string { return strings.Join(strings.FieldsFunc(s, isBlank), "") }
	if got := squeeze(strings.Join(passages, "")); got != squeeze(all.String()) {
		t.Fatalf("text was lost:\n got %q\nwant %q", got, squeeze(all.String()))
	}
	if got := squeeze(join(units)); got != squeeze(all.String()) {
		t.Fatalf("the text is incomplete: %q", got)
	}
	for i, p := range passages {
		if cost := c.count(p); cost > c.max || p == "" {
			t.Fatalf("passage %d of %q has %d tokens, want at most %d", i, passages, cost, c.max)
		}
	}
	total, whole := 0, true
	for _, u := range units {
		total += int(u.cost)
		whole = whole && u.separator != within
	}
	if whole && total <= c.max && len(passages) > 1 {
		t.Fatalf("%q would fit into one passage", passages)
	}
}

// TestNothingIsLost splits random texts in which all words are short, so the words of the
// passages are those of the text.
func TestNothingIsLost(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	vocabulary := strings.Fields("a the bee, honey. Mr. 3.5 (so) “Yes!” etc. hive; Étude naïve U.S. end? No! – 12. über: x")
	for range 300 {
		var blocks []Block
		var want []string
		for range random.IntN(12) {
			b := Block{Kind: Kind(random.IntN(3))}
			count := 1
			if b.Kind == Rows {
				count += random.IntN(8)
			}
			for range count {
				var words []string
				for range 1 + random.IntN(60) {
					words = append(words, vocabulary[random.IntN(len(vocabulary))])
				}
				want = append(want, words...)
				b.Rows = append(b.Rows, strings.Join(words, " "))
			}
			blocks = append(blocks, b)
		}
		most := 1 + random.IntN(50)
		c := cutterOf(1+random.IntN(most), most)
		checkPassages(t, c, blocks)
		if got := strings.Fields(strings.Join(textsOf(c.cut(c.units(blocks))), " ")); !slices.Equal(got, want) {
			t.Fatalf("got words\n%q, want\n%q", got, want)
		}
	}
}

func FuzzPassages(f *testing.F) {
	for i, s := range []string{
		"One. Two! Three? Four", "# Title\n\nText.\n\n- a\n- b", strings.Repeat("word ", 500), strings.Repeat("天地。", 100),
		strings.Repeat("x", 1000), "e\u0301" + strings.Repeat("\u0301", 300), "a\u200B b\u00ADc \x00 \uFEFF", "1. x\n2) y\n  z\r\rw",
		strings.Repeat("a, ", 100) + "。" + strings.Repeat("b ", 100),
	} {
		f.Add(s, 1+i, 5*i)
	}
	f.Fuzz(func(t *testing.T, s string, least, most int) {
		s = strings.ToValidUTF8(s, "")
		most = 1 + most&63
		c := &cutter{1 + least&63%most, most, estimate}
		blocks := Blocks(s)
		checkPassages(t, c, blocks)
		checkPassages(t, c, Code(s))
		want := strings.FieldsFunc(invisible.Replace(s), isBlank)
		var got []string
		for _, b := range blocks {
			got = append(got, strings.Fields(strings.Join(b.Rows, " "))...)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got words %q, want %q", got, want)
		}
	})
}
