// Package passage cuts texts into passages, which are what a vector stands for:
// between paragraphs or sentences, about as long as wished, and never longer.
//
// The package must never know files, Markdown or HTML. What knows these makes
// blocks of them; of plain text Blocks does.
package passage

import "fmt"

// Lengths are the tokens that passages aim at. A passage may be shorter than the least,
// never longer than the most. The zero value stands for 105 and 210, about 80 and 160
// words of English; where one of them is zero, it follows from the other.
type Lengths struct {
	Min, Max int
	// Count is how many tokens a text has to an encoder: of texts with white space
	// between them together at least as many as of the whole. Nil: they are estimated.
	Count func(text string) int
}

// Part is a passage, and where it begins.
type Part struct {
	Text  string
	Place Place
}

// Cut cuts a plain text into passages of the usual lengths, estimated.
func Cut(text string) []string {
	_, parts := usual.Cut(Blocks(text))
	var passages []string
	for _, p := range parts {
		passages = append(passages, p.Text)
	}
	return passages
}

var usual = Lengths{Min: 105, Max: 210}

// Within are the usual lengths, or what an encoder has room for where that is less.
func (l Lengths) Within(room int) Lengths {
	l.Min, l.Max = 0, max(1, min(usual.Max, room))
	return l
}

// WithDefaults fills in what is zero, and says what cannot be.
func (l Lengths) WithDefaults() (Lengths, error) {
	switch {
	case l.Min == 0 && l.Max == 0:
		l.Min, l.Max = usual.Min, usual.Max
	case l.Max == 0:
		l.Max = 2 * l.Min
	case l.Min == 0:
		l.Min = (l.Max + 1) / 2
	}
	const most = 8192 // what is longer is no passage, and slow to cut
	if l.Min < 0 || l.Min > l.Max || l.Max > most {
		return l, fmt.Errorf("passages of %d to %d tokens cannot be made; the least must not be above the most, nor the most above %d", l.Min, l.Max, most)
	}
	return l, nil
}

// Fits reports whether a text is no longer than a passage may be.
func (l Lengths) Fits(text string) bool {
	return l.cutter().measure(text) <= l.Max
}

// Cut is the text of blocks and the passages it is cut into: of all the ways to do
// so, the one with the least penalties. The lengths are not zero.
func (l Lengths) Cut(blocks []Block) (text string, parts []Part) {
	c := l.cutter()
	units := c.units(blocks)
	return join(units), c.cut(units)
}

func (l Lengths) cutter() *cutter {
	c := &cutter{l.Min, l.Max, l.Count}
	if c.count == nil {
		c.count = estimate
	}
	return c
}
