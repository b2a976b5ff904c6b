package postgres

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// entry is one value of one field of a document's metadata, as predicates see
// it: a number with the text it was written as, or a text.
type entry struct {
	field  string
	number *float64
	text   string
}

// parseNumber reads a decimal number as package index does.
func parseNumber(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-0123456789.eE") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

func newEntry(field, text string) entry {
	if x, ok := parseNumber(text); ok {
		return entry{field, &x, text}
	}
	return entry{field, nil, text}
}

// entriesOf reads metadata as package index does: the elements of a list are
// values of the field it stands in, the fields of an object within an object are
// named outer.inner, and null is as if the field were missing.
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
	for _, e := range entries {
		if !storable(e.field) || !storable(e.text) {
			return nil, fmt.Errorf("the field %q has a zero byte, which PostgreSQL cannot store", e.field)
		}
	}
	return entries, nil
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
		entries = append(entries, entry{field, nil, strconv.FormatBool(v)})
	}
	return entries
}
