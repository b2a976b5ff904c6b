package index

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
)

// entry is one value of one field of a document's metadata, as predicates see
// it. A number is kept with the text it was written as, since it compares as a
// string with what is not a number.
type entry struct {
	field string
	value any // float64 or string
	text  string
}

// Value is one value of one field of a document's metadata, as predicates see it,
// for stores that have to see it alike. A number is one beside the text it was
// written as.
type Value struct {
	Field, Text string
	Number      float64
	IsNumber    bool
}

// Values reads metadata: the elements of a list are values of the field it stands
// in; the fields of an object within an object are named outer.inner; null is as if
// the field were missing. Values are distinct.
func Values(metadata []byte) ([]Value, error) {
	entries, err := entriesOf(metadata)
	if err != nil {
		return nil, err
	}
	values := make([]Value, len(entries))
	for i, e := range entries {
		if x, ok := e.value.(float64); ok {
			values[i] = Value{e.field, e.text, x, true}
		} else {
			values[i] = Value{Field: e.field, Text: e.value.(string)}
		}
	}
	return values, nil
}

// ParseNumber reads a decimal number. Words such as inf are not numbers here.
func ParseNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-0123456789.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

func newEntry(field, text string) entry {
	if x, ok := ParseNumber(text); ok {
		return entry{field, x, text}
	}
	return entry{field, text, ""}
}

// entriesOf reads metadata as Values says. Entries are sorted.
func entriesOf(metadata []byte) ([]entry, error) {
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
	var entries []entry
	for field, value := range object {
		entries = appendEntries(entries, field, value)
	}
	slices.SortFunc(entries, compareEntries)
	return slices.Compact(entries), nil
}

func appendEntries(entries []entry, field string, value any) []entry {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			entries = appendEntries(entries, field+"."+name, inner)
		}
	case []any:
		for _, inner := range v {
			entries = appendEntries(entries, field, inner)
		}
	case json.Number:
		entries = append(entries, newEntry(field, v.String()))
	case string:
		entries = append(entries, newEntry(field, v))
	case bool:
		entries = append(entries, entry{field, strconv.FormatBool(v), ""})
	}
	return entries
}

// compareEntries orders as the ledger's index does: numbers before strings.
func compareEntries(a, b entry) int {
	if c := cmp.Compare(a.field, b.field); c != 0 {
		return c
	}
	x, xNumber := a.value.(float64)
	y, yNumber := b.value.(float64)
	switch {
	case xNumber && yNumber:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.text, b.text))
	case xNumber:
		return -1
	case yNumber:
		return 1
	}
	return cmp.Compare(a.value.(string), b.value.(string))
}
