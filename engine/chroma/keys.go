package chroma

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
)

// A record of Chroma's has one value for a key, which conditions compare as a
// number or for equality. A field of ours may have many, numbers and strings, that
// are ordered. So a record has for each field the least and the greatest of either
// kind, as an integer that is ordered as they are, and which of these four there are,
// and for each string a key of its own. That is as much as conditions can use; what
// they leave open is checked here.
const (
	leastNumber = iota
	greatestNumber
	leastString
	greatestString
	bounds
)

// boundKeys are the beginnings of the keys of bounds; kinds is a set of bits, one
// for each that is there. The greatest is there only where it is not the least.
var boundKeys = [bounds]string{"n", "N", "s", "S"}

const (
	kinds = "k"
	equal = "="
	more  = "+" // the record has not all of its strings as keys
)

// there is the value of a key that has nothing to say but that it is there. Chroma
// has an index of numbers, and none of truth.
const there int64 = 1

// maxEqual bounds the keys of a record: each is a row in Chroma's database.
const maxEqual = 1000

// keysOf are the keys of metadata.
func keysOf(values []engine.Value) map[string]any {
	keys := map[string]any{}
	set := map[string]int{} // the kinds of each field
	bound := func(field string, kind int, x int64, least bool) {
		key := keyOf(boundKeys[kind], field)
		if old, ok := keys[key]; !ok || least == (x < old.(int64)) {
			keys[key] = x
		}
		set[field] |= 1 << kind
	}
	equals := 0
	for _, v := range values {
		least, greatest, x := leastNumber, greatestNumber, orderedNumber(v.Number)
		if !v.IsNumber {
			least, greatest, x = leastString, greatestString, orderedString(v.Text)
			if equals++; equals <= maxEqual {
				keys[equalKey(v.Field, v.Text)] = there
			} else {
				keys[more] = there
			}
		}
		bound(v.Field, least, x, true)
		bound(v.Field, greatest, x, false)
	}
	for field, bits := range set {
		for _, kind := range []int{leastNumber, leastString} {
			greatest := keyOf(boundKeys[kind+1], field)
			if bits&(1<<kind) != 0 && keys[greatest] == keys[keyOf(boundKeys[kind], field)] {
				delete(keys, greatest)
				bits &^= 1 << (kind + 1)
			}
		}
		keys[keyOf(kinds, field)] = int64(bits)
	}
	return keys
}

// keyOf is the key of a field. What is long or odd is there by its hash.
func keyOf(kind, field string) string {
	const longest = 64
	odd := func(r rune) bool { return r < ' ' || r == utf8.RuneError }
	if len(field) > longest || strings.ContainsFunc(field, odd) {
		return kind + "#" + hash(field)
	}
	return kind + ":" + field
}

// equalKey is the key of one string of a field.
func equalKey(field, text string) string {
	return equal + hash(string(binary.AppendUvarint(nil, uint64(len(field))))+field+text)
}

// hash is short, and no two strings that anybody will ever have share one.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}

// orderedNumber is an integer that is ordered as numbers are.
func orderedNumber(x float64) int64 {
	if x == 0 {
		x = 0 // not -0
	}
	bits := int64(math.Float64bits(x))
	if bits < 0 {
		bits ^= math.MaxInt64 // the more negative, the less
	}
	return bits
}

// orderedString is an integer that is ordered as strings are, byte by byte, but
// equal for those that begin alike.
func orderedString(s string) int64 {
	var b [8]byte
	copy(b[:], s)
	return int64(binary.BigEndian.Uint64(b[:]) ^ 1<<63)
}
