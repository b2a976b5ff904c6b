package weaviate

import (
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// A filter in Weaviate is over whole properties. To have one for each field that
// metadata may have, and a range over each, would change the schema with every new
// field; and two bounds on a list are not bounds on the same element of it. So a
// document has one list of tokens, and a predicate is a list of tokens of which a
// document has to have one.
//
// A value has a token for the whole of it and one for each of its beginnings, in
// digits of four bits: of a number all digits, in an order that is that of the
// numbers, and of a text those of its first bytes. A range is then the beginnings
// that leave a bound's digits on its lower or on its upper side: for each digit of
// the bound up to fifteen tokens, however many values there are.

// The kinds of tokens.
const (
	kindNumber = 'n' // the beginning of a number's digits
	kindText   = 't' // the beginning of a text's digits, where it is not a number
	kindEqual  = 'e' // a whole text, where it is not a number
	kindLong   = 'l' // the first indexed bytes of a text that has more of them
)

// indexed is how many bytes of a text are in its beginnings: enough for a date.
// What is beyond them is compared by whoever asks; see filter.
const indexed = 12

// tokensOf are the tokens of metadata's values.
func tokensOf(values []engine.Value) []string {
	var tokens []string
	for _, v := range values {
		if v.IsNumber {
			digits := numberDigits(v.Number)
			for i := range len(digits) + 1 {
				tokens = append(tokens, token(kindNumber, v.Field, digits[:i]))
			}
			continue
		}
		tokens = append(tokens, token(kindEqual, v.Field, v.Text))
		digits := textDigits(v.Text)
		for i := range digits {
			tokens = append(tokens, token(kindText, v.Field, digits[:i+1]))
		}
		if len(v.Text) > indexed {
			tokens = append(tokens, token(kindLong, v.Field, v.Text[:indexed]))
		}
	}
	return tokens
}

// numberDigits are sixteen digits whose order is that of numbers.
func numberDigits(x float64) string {
	bits := math.Float64bits(x + 0) // -0 is 0
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	digits := make([]byte, 16)
	for i := range digits {
		digits[i] = byte(bits >> (60 - 4*i) & 15)
	}
	return string(digits)
}

// textDigits are two digits for each of a text's first bytes.
func textDigits(s string) string {
	s = s[:min(len(s), indexed)]
	digits := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		digits = append(digits, s[i]>>4, s[i]&15)
	}
	return string(digits)
}

// side are the tokens of what leaves a bound's digits on the lower side, or on the
// upper one.
func side(kind byte, field, digits string, op query.Comparison) []string {
	var tokens []string
	for i := range digits {
		from, to := byte(0), digits[i]
		if op == query.Greater || op == query.GreaterEqual {
			from, to = digits[i]+1, 16
		}
		for d := from; d < to; d++ {
			tokens = append(tokens, token(kind, field, digits[:i]+string(d)))
		}
	}
	return tokens
}

// numbers are the tokens of the numbers that satisfy a predicate.
func numbers(field string, op query.Comparison, bound float64) []string {
	digits := numberDigits(bound)
	var tokens []string
	if op != query.Equal {
		tokens = side(kindNumber, field, digits, op)
	}
	if op != query.Less && op != query.Greater {
		tokens = append(tokens, token(kindNumber, field, digits))
	}
	return tokens
}

// texts are the tokens of the texts that satisfy a predicate. Those of open belong
// to texts of which some may satisfy it and some may not.
func texts(field string, op query.Comparison, bound string) (tokens, open []string) {
	if op == query.Equal {
		return []string{token(kindEqual, field, bound)}, nil
	}
	digits := textDigits(bound)
	tokens = side(kindText, field, digits, op)
	if op == query.LessEqual || op == query.GreaterEqual {
		tokens = append(tokens, token(kindEqual, field, bound))
	}
	beginning := bound[:min(len(bound), indexed)]
	if op == query.Less || op == query.LessEqual {
		// What the bound begins with is before it.
		for i := range min(len(bound), indexed+1) {
			tokens = append(tokens, token(kindEqual, field, bound[:i]))
		}
	} else if len(bound) < indexed {
		// What begins with the bound is after it.
		for d := range byte(16) {
			tokens = append(tokens, token(kindText, field, digits+string(d)))
		}
	} else if len(bound) == indexed {
		tokens = append(tokens, token(kindLong, field, beginning))
	}
	if len(bound) > indexed {
		open = []string{token(kindLong, field, beginning)}
	}
	return tokens, open
}
