package retrieve

import (
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/logic"
)

// byteBudget is a budget of JSON bytes for a result. A nil budget has no limit.
type byteBudget struct{ left int }

func newByteBudget(bytes int) *byteBudget {
	if bytes == 0 {
		return nil
	}
	return &byteBudget{bytes}
}

// take spends bytes and reports whether the budget covered them.
func (r *byteBudget) take(bytes int) bool {
	if r == nil {
		return true
	}
	r.left -= bytes
	return r.left >= 0
}

// fieldBytes estimates the JSON overhead of a value: its name, numbers and separators.
const fieldBytes = 48

// bytes estimates the JSON size of a hit without explanation and similarities. Similarities
// have the same size in every hit.
func (l *loadedDoc) bytes() int {
	n := 8*fieldBytes + jsonBytes(l.id) + jsonBytes(l.title) + len(l.metadata) + jsonBytes(l.best.Text)
	for _, s := range slices.Concat(l.passages, l.unwanted) {
		n += 4*fieldBytes + jsonBytes(s.Text) + jsonBytes(s.Atom) + jsonBytes(s.Place.Heading)
	}
	for _, found := range l.found {
		n += 2 * fieldBytes
		for i := range found {
			n += 4*fieldBytes + jsonBytes(found[i].Word) + jsonBytes(found[i].Matched)
		}
	}
	for _, p := range l.patterns {
		n += 2*fieldBytes + jsonBytes(p.Pattern)
		for _, m := range p.Matches {
			n += 2*fieldBytes + jsonBytes(m.Text)
		}
	}
	return n
}

// plainBytes estimates the JSON size of a plain-retrieval hit.
func (l *loadedDoc) plainBytes() int {
	return 3*fieldBytes + jsonBytes(l.id) + jsonBytes(l.title) + jsonBytes(l.best.Text)
}

// similarityBytes estimates the JSON size of a hit's similarities. The server repeats them per
// atom.
func (c *Candidates) similarityBytes() (n int) {
	for t := range c.Terms {
		if c.read[t] {
			n += 2 * (fieldBytes + jsonBytes(c.Formula.Terms.Name(t)))
		}
	}
	return n
}

// explanationBytes estimates the JSON size of an explanation. The server repeats it as a tree.
func explanationBytes(x *logic.Explanation) int {
	n := 8*fieldBytes + 2*(jsonBytes(x.Formula)+jsonBytes(x.Sentence))
	for i := range x.Similarities {
		n += 4*fieldBytes + 2*jsonBytes(x.Similarities[i].Formula)
	}
	for i := range x.Deltas {
		d := &x.Deltas[i]
		n += 8*fieldBytes + 2*jsonBytes(d.Of) + 3*jsonBytes(d.Given) + 2*jsonBytes(d.Fused)
	}
	for i := range x.Gates {
		n += 12*fieldBytes + 3*jsonBytes(x.Gates[i].Of)
	}
	if x.Words != nil {
		for i := range x.Words.Atoms {
			n += 4*fieldBytes + 2*jsonBytes(x.Words.Atoms[i].Formula)
		}
	}
	for _, part := range x.Parts {
		n += explanationBytes(part)
	}
	return n
}

// jsonBytes returns an upper bound on the length of s in JSON.
func jsonBytes(s string) int {
	n := len(s) + 2
	for i := range len(s) {
		switch c := s[i]; {
		case c < 0x20, c == '<', c == '>', c == '&', c == 0xE2: // 0xE2 starts U+2028 and U+2029, which are escaped too
			n += 5
		case c == '"', c == '\\':
			n++
		}
	}
	return n
}

// crowded returns the note on content that exceeded the byte budget.
func (o *Options) crowded(what string, n int) string {
	return fmt.Sprintf("%s: the first %d; more would not fit into the %d bytes that an answer may have, so ask for fewer at once, or for one by its id", what, n, o.Bytes)
}
