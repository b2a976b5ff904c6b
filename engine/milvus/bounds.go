package milvus

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Milvus compares a scalar with another, and metadata may have lists, numbers beside texts,
// and numbers that compare as texts. So a document has, for each field of its metadata, the
// least and the greatest of its numbers, of its texts that are no numbers, and of all of
// them as texts: whether some value is on one side of a bound is then one comparison, and
// whether one is equal nearly so. All of these are texts, whose order is that of what they
// stand for, and none of them is missing where the field is there, so that nothing is
// neither true nor false. What they let pass is checked here.

// The kinds of values that have bounds.
const (
	numberKind = "n"
	textKind   = "s"
	anyKind    = "a"
)

// The least of no values is after everything, the greatest before it.
const noLeast, noGreatest = "~", "!"

// overflow is the key of a document that has more bounds than Milvus keeps.
const overflow = "more"

// maxBounds is how long they may be as JSON: Milvus takes 65,536 bytes.
const maxBounds = 60_000

// bounded is how many bytes of a text are in its bounds.
const bounded = 64

func leastKey(field, kind string) string    { return hashed(field)[:16] + "l" + kind }
func greatestKey(field, kind string) string { return hashed(field)[:16] + "g" + kind }

// boundsOf are those of metadata's values, as JSON.
func boundsOf(values []engine.Value) ([]byte, error) {
	bounds := map[string]string{}
	add := func(field, kind, text string) {
		least, greatest := leastKey(field, kind), greatestKey(field, kind)
		if text == "" {
			bounds[least], bounds[greatest] = cmp.Or(bounds[least], noLeast), cmp.Or(bounds[greatest], noGreatest)
			return
		}
		bounds[least], bounds[greatest] = min(bounds[least], text), max(bounds[greatest], text)
	}
	for _, v := range values {
		for _, kind := range []string{numberKind, textKind, anyKind} {
			add(v.Field, kind, "")
		}
		if v.IsNumber {
			add(v.Field, numberKind, orderedNumber(v.Number))
		} else {
			add(v.Field, textKind, orderedText(v.Text))
		}
		add(v.Field, anyKind, orderedText(v.Text))
	}
	out, err := json.Marshal(bounds)
	if len(out) > maxBounds {
		return []byte(`{"` + overflow + `":"1"}`), err
	}
	return out, err
}

// orderedNumber is a text whose order is that of numbers.
func orderedNumber(x float64) string {
	bits := math.Float64bits(x + 0) // -0 is 0
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	digits := strconv.FormatUint(bits, 16)
	return "0000000000000000"[len(digits):] + digits
}

// orderedText is the beginning of a text, which is then never empty.
func orderedText(text string) string {
	if len(text) > bounded {
		end := bounded
		for end > bounded-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return "t" + text
}

// predicate follows engine.Passes.
func (s *Store) predicate(p *query.Predicate, negated bool) condition {
	if len(p.Value) > bounded-utf8.UTFMax || !quotable(p.Value) {
		return anything
	}
	x, isNumber := engine.ParseNumber(p.Value)
	var texts []string
	if isNumber {
		texts = append(texts, side(p.Field, numberKind, p.Op, orderedNumber(x), negated))
		if p.Op != query.Equal {
			texts = append(texts, side(p.Field, textKind, p.Op, orderedText(p.Value), negated))
		}
	} else {
		texts = append(texts, side(p.Field, anyKind, p.Op, orderedText(p.Value), negated))
	}
	if negated {
		return condition{text: "(not (exists " + bound(leastKey(p.Field, anyKind)) + ") or not (" + join(texts, " or ") + "))"}
	}
	return condition{text: "(exists " + bound(overflow) + " or " + join(texts, " or ") + ")"}
}

func bound(key string) string { return boundsField + "[" + quote(key) + "]" }

// side passes what has a value of a kind that satisfies a comparison: nothing else where it
// is sure, and everything that has where it is not.
func side(field, kind string, op query.Comparison, value string, sure bool) string {
	least, greatest, literal := bound(leastKey(field, kind)), bound(greatestKey(field, kind)), quote(value)
	switch op {
	case query.Less, query.LessEqual:
		return least + " " + operators[op] + " " + literal
	case query.Greater, query.GreaterEqual:
		return greatest + " " + operators[op] + " " + literal
	}
	if sure {
		return "(" + least + " == " + literal + " or " + greatest + " == " + literal + ")"
	}
	return "(" + least + " <= " + literal + " and " + greatest + " >= " + literal + ")"
}
