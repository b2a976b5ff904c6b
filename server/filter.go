package server

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/query"
)

// Filter is what the metadata of a document must be, field by field.
type Filter map[string]Condition

// Condition is what a field must be: a value, one of a list of values, or within
// a range.
type Condition struct {
	equal []Value
	Range
}

// Range is what a value must be above or below.
type Range struct {
	GTE *Value `json:"gte,omitempty"`
	GT  *Value `json:"gt,omitempty"`
	LTE *Value `json:"lte,omitempty"`
	LT  *Value `json:"lt,omitempty"`
}

// Value is a string, a number or a boolean, as the language writes it.
type Value string

// UnmarshalJSON reads one of the three.
func (v *Value) UnmarshalJSON(content []byte) error {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber() // as it was written, to the last digit
	var value any
	if err := d.Decode(&value); err != nil {
		return err
	}
	switch value := value.(type) {
	case string:
		*v = Value(value)
	case json.Number:
		*v = Value(value)
	case bool:
		*v = Value(strconv.FormatBool(value))
	default:
		return invalid("a filter compares with a string, a number or a boolean, not with %s", clip(content))
	}
	if strings.TrimSpace(string(*v)) == "" {
		return invalid("a filter cannot compare with an empty string")
	}
	return nil
}

// Schema is that of the three.
func (Value) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}}}
}

func clip(content []byte) string {
	const most = 40
	if len(content) > most {
		return strings.ToValidUTF8(string(content[:most]), "") + "…"
	}
	return string(content)
}

// UnmarshalJSON reads a value, a list or a range.
func (c *Condition) UnmarshalJSON(content []byte) error {
	switch content = bytes.TrimSpace(content); content[0] {
	case '{':
		if err := decodeJSON(content, &c.Range); err != nil {
			return err
		}
		if c.Range == (Range{}) {
			return invalid("a range of a filter is empty; give it gte, gt, lte or lt")
		}
		return nil
	case '[':
		if err := json.Unmarshal(content, &c.equal); err != nil {
			return err
		}
		if len(c.equal) == 0 {
			return invalid("a list of a filter is empty: no document could pass")
		}
		return nil
	}
	c.equal = make([]Value, 1)
	return c.equal[0].UnmarshalJSON(content)
}

// Schema is that of the three.
func (Condition) Schema(r huma.Registry) *huma.Schema {
	value, least := Value("").Schema(r), 1
	return &huma.Schema{OneOf: append(value.OneOf,
		&huma.Schema{Type: huma.TypeArray, Items: value, MinItems: &least},
		r.Schema(reflect.TypeFor[Range](), true, ""))}
}

// nodes are the predicates of a filter, all of which must hold.
func (f Filter) nodes() (out []query.Node, err error) {
	leaves := 0
	for _, field := range slices.Sorted(maps.Keys(f)) {
		if !query.IsField(field) {
			return nil, invalid("%q cannot be a field of a filter: it has letters, digits, _, . and -, and begins with a letter or _", field)
		}
		c := f[field]
		predicate := func(op query.Comparison, value Value) query.Node {
			leaves++
			return &query.Predicate{Field: field, Op: op, Value: string(value)}
		}
		var any []query.Node
		for _, v := range c.equal {
			any = append(any, predicate(query.Equal, v))
		}
		if len(any) > 0 {
			out = append(out, query.AnyOf(any...))
		}
		for _, bound := range []struct {
			op    query.Comparison
			value *Value
		}{{query.GreaterEqual, c.GTE}, {query.Greater, c.GT}, {query.LessEqual, c.LTE}, {query.Less, c.LT}} {
			if bound.value != nil {
				out = append(out, predicate(bound.op, *bound.value))
			}
		}
	}
	if leaves > query.MaxLeaves {
		return nil, invalid("the filter compares with %d values; at most %d are possible", leaves, query.MaxLeaves)
	}
	return out, nil
}
