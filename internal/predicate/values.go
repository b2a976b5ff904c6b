// Package predicate decides predicates on the metadata of documents: it reads metadata as
// values, limits its size, and compares values with predicates.
//
// It knows nothing of stores and documents.
package predicate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Value is one value of one field of a document's metadata, as predicates see it.
// A number has its text, too, since it compares as a string with other strings.
type Value struct {
	Field, Text string
	Number      float64
	IsNumber    bool
}

// Values reads metadata: the elements of a list are values of the field it stands
// in; the fields of an object within an object are named outer.inner; null is as if
// the field were missing. Values are distinct and sorted, in each field the numbers
// first.
func Values(metadata []byte) ([]Value, error) {
	if len(metadata) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(metadata))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, fmt.Errorf("the metadata is not a JSON object: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the metadata is not a JSON object: something follows it")
	}
	if object == nil {
		return nil, errors.New("the metadata is not a JSON object but null")
	}
	var values []Value
	for field, value := range object {
		values = appendValues(values, field, value)
	}
	slices.SortFunc(values, Compare)
	return slices.Compact(values), nil
}

// ParseNumber reads a decimal number. Words such as inf are not numbers here.
func ParseNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-0123456789.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// NewValue is a value that is written so.
func NewValue(field, text string) Value {
	x, ok := ParseNumber(text)
	if !ok {
		x = 0
	}
	return Value{field, text, x, ok}
}

func appendValues(values []Value, field string, value any) []Value {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			values = appendValues(values, field+"."+name, inner)
		}
	case []any:
		for _, inner := range v {
			values = appendValues(values, field, inner)
		}
	case json.Number:
		values = append(values, NewValue(field, v.String()))
	case string:
		values = append(values, NewValue(field, v))
	case bool:
		values = append(values, Value{Field: field, Text: strconv.FormatBool(v)})
	}
	return values
}

// Compare orders by field, numbers before strings.
func Compare(a, b Value) int {
	if a.IsNumber != b.IsNumber && a.Field == b.Field {
		if a.IsNumber {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Text, b.Text))
}

// Passes reports whether a document with such values passes a filter, for stores
// that cannot leave all of it to their engine. A number in the metadata and a
// number in the predicate compare as numbers, everything else as strings, byte by
// byte. One value is enough, and a document without the field satisfies nothing.
func Passes(filter query.Node, values []Value) bool {
	return query.Holds(filter, func(leaf query.Node) bool {
		p, ok := leaf.(*query.Predicate)
		return ok && matching(p, values)
	})
}

func matching(p *query.Predicate, values []Value) bool {
	x, number := ParseNumber(p.Value)
	for _, v := range values {
		if v.Field != p.Field {
			continue
		}
		if p.Op == query.Glob {
			if isMatch(v.Text, strings.Split(p.Value, "*")) {
				return true
			}
			continue
		}
		c := cmp.Compare(v.Text, p.Value)
		if number && v.IsNumber {
			c = cmp.Compare(v.Number, x)
		}
		if agrees(p.Op, c) {
			return true
		}
	}
	return false
}

// isMatch reports whether a text consists of parts with any characters between them.
func isMatch(text string, parts []string) bool {
	last := len(parts) - 1
	rest, ok := strings.CutPrefix(text, parts[0])
	for i := 1; i < last && ok; i++ {
		_, rest, ok = strings.Cut(rest, parts[i])
	}
	return ok && (last == 0 && rest == "" || last > 0 && strings.HasSuffix(rest, parts[last]))
}

// agrees reports whether a comparison holds for a value that is less (-1), equal or greater.
func agrees(op query.Comparison, c int) bool {
	switch op {
	case query.Equal:
		return c == 0
	case query.Less:
		return c < 0
	case query.LessEqual:
		return c <= 0
	case query.Greater:
		return c > 0
	}
	return c >= 0
}
