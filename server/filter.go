package server

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/query"
)

// Filter maps metadata fields to the conditions they must meet.
type Filter map[string]Condition

// Condition is a value, a list of alternative values, or a range whose bounds must all hold.
// Values are written as in the query language.
type Condition struct {
	equal  []string
	bounds []query.Predicate // without the field
}

// comparisons are the names and operators of range bounds.
var comparisons = []struct {
	name string
	op   query.Comparison
}{{"gte", query.GreaterEqual}, {"gt", query.Greater}, {"lte", query.LessEqual}, {"lt", query.Less}}

// UnmarshalJSON accepts a value, a list or a range.
func (c *Condition) UnmarshalJSON(content []byte) error {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber() // to keep all digits
	var given any
	if err := d.Decode(&given); err != nil {
		return err
	}
	list, isList := given.([]any)
	limits, isRange := given.(map[string]any)
	switch {
	case isList && len(list) == 0:
		return invalid("a list in the filter is empty: no document could match")
	case isRange && len(limits) == 0:
		return invalid("a range in the filter is empty; set gte, gt, lte or lt")
	case !isList && !isRange:
		list = []any{given}
	}
	for _, value := range list {
		text, err := valueOf(value)
		if err != nil {
			return err
		}
		c.equal = append(c.equal, text)
	}
	for _, comparison := range comparisons {
		value, ok := limits[comparison.name]
		if !ok {
			continue
		}
		text, err := valueOf(value)
		if err != nil {
			return err
		}
		c.bounds = append(c.bounds, query.Predicate{Op: comparison.op, Value: text})
		delete(limits, comparison.name)
	}
	for name := range limits {
		return invalid("a range in the filter has the unknown field %q; the fields are gte, gt, lte and lt", name)
	}
	return nil
}

// valueOf returns a string, number or boolean in the syntax of the query language.
func valueOf(value any) (text string, err error) {
	switch value := value.(type) {
	case string:
		text = value
	case json.Number:
		text = value.String()
	case bool:
		text = strconv.FormatBool(value)
	default:
		return "", invalid("a value in the filter must be a string, a number or a boolean")
	}
	if strings.TrimSpace(text) == "" {
		return "", invalid("a value in the filter is an empty string")
	}
	return text, nil
}

// Schema returns the schema of a value, a list or a range.
func (Condition) Schema(huma.Registry) *huma.Schema {
	value := []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}}
	within := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{}, MinProperties: new(1)}
	for _, comparison := range comparisons {
		within.Properties[comparison.name] = &huma.Schema{OneOf: value}
	}
	list := &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{OneOf: value}, MinItems: new(1)}
	return &huma.Schema{OneOf: append(slices.Clone(value), list, within)}
}

// nodes returns the predicates of the filter. All of them must hold.
func (f Filter) nodes() (out []query.Node, err error) {
	leaves := 0
	for _, field := range slices.Sorted(maps.Keys(f)) {
		if !query.IsField(field) {
			return nil, invalid("%q is not a valid field name: use letters, digits, _, . and -, starting with a letter or _", field)
		}
		var any []query.Node
		for _, v := range f[field].equal {
			any = append(any, &query.Predicate{Field: field, Value: v})
		}
		if len(any) > 0 {
			out = append(out, query.AnyOf(any...))
		}
		for _, b := range f[field].bounds {
			out = append(out, &query.Predicate{Field: field, Op: b.Op, Value: b.Value})
		}
		leaves += len(f[field].equal) + len(f[field].bounds)
	}
	if leaves > query.MaxLeaves {
		return nil, invalid("the filter has %d values; the maximum is %d", leaves, query.MaxLeaves)
	}
	return out, nil
}
