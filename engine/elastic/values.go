package elastic

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// Metadata may have any fields, and one field may hold values of several kinds, which a
// mapping cannot express. So a document has one list of terms, and a predicate matches a term
// or a range of terms. A term consists of a kind, a hash of the field, and a string that sorts
// like the value: for a number, digits in numeric order; for a text, its first bytes as
// digits.

// The kinds of terms.
const (
	kindNumber  = "n" // a number
	kindWritten = "w" // a number as text, to compare it with texts
	kindText    = "t" // another text
)

// compared is the number of bytes of a text in its term. Longer texts are compared by the
// caller.
const compared = 128

// afterDigits is after all hexadecimal digits.
const afterDigits = "g"

func terms(values []predicate.Value) (out []string) {
	for _, v := range values {
		if !v.IsNumber {
			out = append(out, prefix(kindText, v.Field)+textDigits(v.Text))
			continue
		}
		out = append(out, prefix(kindNumber, v.Field)+numberDigits(v.Number), prefix(kindWritten, v.Field)+textDigits(v.Text))
	}
	return out
}

func prefix(kind, field string) string {
	sum := sha256.Sum256([]byte(field))
	return kind + hex.EncodeToString(sum[:12])
}

func textDigits(text string) string {
	return hex.EncodeToString([]byte(text[:min(len(text), compared)]))
}

// numberDigits returns sixteen digits that sort like numbers.
func numberDigits(x float64) string {
	bits := math.Float64bits(x + 0) // -0 is 0
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return hex.EncodeToString(binary.BigEndian.AppendUint64(nil, bits))
}

// valued follows predicate.Passes: a number in the metadata and a number in the predicate
// compare as numbers, everything else as strings, byte by byte.
func valued(p *query.Predicate) bound {
	text, long := textDigits(p.Value), len(p.Value) >= compared
	texts := termRange(prefix(kindText, p.Field), p.Op, text, long)
	numbers := termRange(prefix(kindWritten, p.Field), p.Op, text, long)
	if x, ok := predicate.ParseNumber(p.Value); ok {
		numbers = termRange(prefix(kindNumber, p.Field), p.Op, numberDigits(x), false)
	}
	most := anyOf(texts, numbers)
	if long {
		return atMost(most)
	}
	return exactly(most)
}

// termRange returns a clause for terms that begin with prefix and compare as required with
// prefix plus digits. If cut is set, the digits are truncated and the clause may match too
// much.
func termRange(prefix string, op query.Comparison, digits string, cut bool) clause {
	if op == query.Equal {
		return clause{"term": clause{valuesField: prefix + digits}}
	}
	bound := func(less bool) clause {
		switch {
		case less && (op == query.LessEqual || cut):
			return clause{"gte": prefix, "lte": prefix + digits}
		case less:
			return clause{"gte": prefix, "lt": prefix + digits}
		case op == query.GreaterEqual || cut:
			return clause{"gte": prefix + digits, "lt": prefix + afterDigits}
		}
		return clause{"gt": prefix + digits, "lt": prefix + afterDigits}
	}
	return clause{"range": clause{valuesField: bound(op == query.Less || op == query.LessEqual)}}
}
