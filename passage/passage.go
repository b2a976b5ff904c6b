// Package passage splits texts into passages, the units that are encoded as vectors. It
// splits between paragraphs or sentences, aims at a length, and never exceeds a maximum.
//
// The package must not know about files, Markdown or HTML. Parsers of those formats create
// blocks; Blocks does so for plain text.
package passage

import "fmt"

// Lengths are the target lengths of passages in tokens. A passage may be shorter than Min,
// but never longer than Max. The zero value means 105 and 210, about 80 and 160 English
// words; if only one is zero, it is derived from the other.
type Lengths struct {
	Min, Max int
	// Count returns the number of tokens in a text. Splitting a text at white space must
	// never lower the total. If nil, tokens are estimated.
	Count func(text string) int
}

// Part is a passage and its position.
type Part struct {
	Text  string
	Place Place
}

var usual = Lengths{Min: 105, Max: 210}

// Within returns the default lengths, reduced to room, the encoder's limit, if necessary.
func (l Lengths) Within(room int) Lengths {
	l.Min, l.Max = 0, max(1, min(usual.Max, room))
	return l
}

// WithDefaults replaces zeros by defaults and validates the lengths.
func (l Lengths) WithDefaults() (Lengths, error) {
	switch {
	case l.Min == 0 && l.Max == 0:
		l.Min, l.Max = usual.Min, usual.Max
	case l.Max == 0:
		l.Max = 2 * l.Min
	case l.Min == 0:
		l.Min = (l.Max + 1) / 2
	}
	const most = 8192 // longer passages are useless, and slow to compute
	if l.Min < 0 || l.Min > l.Max || l.Max > most {
		return l, fmt.Errorf("cannot make passages of %d to %d tokens; the minimum must not exceed the maximum, nor the maximum %d", l.Min, l.Max, most)
	}
	return l, nil
}

// Fits reports whether a text is no longer than a passage may be.
func (l Lengths) Fits(text string) bool {
	return l.cutter().measure(text) <= l.Max
}

// Cut returns the text of blocks and its passages. Of all ways to split the text, it
// chooses the one with the lowest penalty. The lengths must not be zero.
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
