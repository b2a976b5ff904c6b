// Package passage cuts texts into passages, which are what a vector stands for:
// between paragraphs or sentences, about as long as wished, and never longer.
//
// The package must never know files, Markdown or HTML. What knows these makes
// blocks of them; of plain text Blocks does.
package passage

import "fmt"

// Lengths are the words that passages aim at. A passage may be shorter than the
// least, never longer than the most. Two characters of a script without spaces
// count as a word. The zero value stands for 80 and 160; where one of them is
// zero, it follows from the other.
type Lengths struct{ Min, Max int }

// Cut cuts a plain text into passages of the usual lengths.
func Cut(text string) []string {
	_, passages := usual.Cut(Blocks(text))
	return passages
}

var usual = Lengths{80, 160}

// WithDefaults fills in what is zero, and says what cannot be.
func (l Lengths) WithDefaults() (Lengths, error) {
	switch {
	case l.Min == 0 && l.Max == 0:
		l = usual
	case l.Max == 0:
		l.Max = 2 * l.Min
	case l.Min == 0:
		l.Min = (l.Max + 1) / 2
	}
	const most = 4096 // what is longer is no passage, and slow to cut
	if l.Min < 0 || l.Min > l.Max || l.Max > most {
		return l, fmt.Errorf("passages of %d to %d words cannot be made; the least must not be above the most, nor the most above %d", l.Min, l.Max, most)
	}
	return l, nil
}

// Cut is the text of blocks and the passages it is cut into: of all the ways to do
// so, the one with the least penalties. The lengths are not zero.
func (l Lengths) Cut(blocks []Block) (text string, passages []string) {
	c := cutter{2 * l.Min, 2 * l.Max}
	units := c.units(blocks)
	return join(units), c.cut(units)
}
