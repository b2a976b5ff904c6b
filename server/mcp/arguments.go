package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nsfl-go/nsfl/internal/spelling"
)

// arguments reads those of a call by their schema, defaults filled in. A mistake says what
// would be right.
func arguments[In any](schema *jsonschema.Schema, raw json.RawMessage) (in In, err error) {
	var given any = map[string]any{}
	if len(raw) > 0 {
		if err := decode(raw, &given); err != nil {
			return in, advise("the arguments are not JSON: %v", err)
		}
	}
	if err := check(schema, "", given); err != nil {
		return in, err
	}
	whole, err := json.Marshal(given)
	if err != nil {
		return in, err
	}
	return in, decode(whole, &in)
}

// givenBytes is how much of what was given an error repeats.
const givenBytes = 80

// wrong says what is wrong with a value that stands somewhere in the arguments, such as
// documents[0].text.
func wrong(at, format string, args ...any) error {
	return advise("%s: %s", cmp.Or(at, "the arguments"), fmt.Sprintf(format, args...))
}

// check says what is wrong with a value, if anything. It knows as much of schemas as those
// of arguments have.
func check(s *jsonschema.Schema, at string, value any) error {
	switch value := value.(type) {
	case map[string]any:
		if s.Type == "object" {
			return checkObject(s, at, value)
		}
	case []any:
		if s.Type == "array" {
			return checkList(s, at, value)
		}
	case string:
		if s.Type == "string" {
			return checkWord(s, at, value)
		}
	case json.Number:
		if x, err := value.Float64(); err == nil && (s.Type == "number" || s.Type == "integer" && x == math.Trunc(x)) {
			return checkNumber(s, at, x)
		}
	case bool:
		if s.Type == "boolean" {
			return nil
		}
	}
	if s.Type == "" { // anything
		return nil
	}
	return wrong(at, "%s is wanted, not %s", kinds[s.Type], clip(compact(value), givenBytes))
}

var kinds = map[string]string{
	"object": "an object", "array": "a list", "string": "a string", "number": "a number", "integer": "a whole number", "boolean": "true or false",
}

// checkObject also fills in what is left out, or null, and has a default.
func checkObject(s *jsonschema.Schema, at string, object map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		p := cmp.Or(s.Properties[name], s.AdditionalProperties)
		switch {
		case p == nil || p.Not != nil:
			return unknown(s, at, name)
		case object[name] == nil && p.Type != "":
			delete(object, name)
			continue
		}
		if err := check(p, strings.TrimPrefix(at+"."+name, "."), object[name]); err != nil {
			return err
		}
		if number, ok := object[name].(json.Number); ok && p.Type == "integer" { // perhaps 3.0
			x, _ := number.Float64()
			object[name] = int(x)
		}
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			return wrong(at, "%s is missing", name)
		}
	}
	for name, p := range s.Properties {
		if _, ok := object[name]; !ok && p.Default != nil {
			object[name] = p.Default
		}
	}
	return nil
}

func unknown(s *jsonschema.Schema, at, name string) error {
	name = clip(name, givenBytes)
	known := strings.Join(s.PropertyOrder, ", ")
	if meant := spelling.Meant(name, s.PropertyOrder); meant != "" {
		known += "; " + meant
	}
	return wrong(at, "there is no %q, but %s", name, known)
}

func checkList(s *jsonschema.Schema, at string, list []any) error {
	if s.MinItems != nil && len(list) < *s.MinItems || s.MaxItems != nil && len(list) > *s.MaxItems {
		return wrong(at, "there are %d; between %d and %d are possible", len(list), *s.MinItems, *s.MaxItems)
	}
	for i, item := range list {
		if err := check(s.Items, fmt.Sprintf("%s[%d]", at, i), item); err != nil {
			return err
		}
	}
	return nil
}

func checkWord(s *jsonschema.Schema, at, word string) error {
	if s.Enum == nil || slices.Contains(s.Enum, any(word)) {
		return nil
	}
	return wrong(at, "%q is none of %s", clip(word, givenBytes), compact(s.Enum))
}

func checkNumber(s *jsonschema.Schema, at string, x float64) error {
	if s.Minimum != nil && x < *s.Minimum || s.Maximum != nil && x > *s.Maximum {
		return wrong(at, "it is %v; between %v and %v are possible", x, *s.Minimum, *s.Maximum)
	}
	return nil
}
