package mcp

import (
	"encoding/json"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"
)

// arguments decodes the arguments of a call after filling in defaults and checking them
// against the schema. It accepts null for an argument that is left out.
func arguments[In any](schema *jsonschema.Resolved, raw json.RawMessage) (in In, err error) {
	given := map[string]any{}
	if len(raw) > 0 {
		if err := decode(raw, &given); err != nil {
			return in, advise("the arguments are not a JSON object: %v", err)
		}
	}
	maps.DeleteFunc(given, func(_ string, value any) bool { return value == nil })
	for name, value := range given { // numbers inside metadata keep all digits
		if number, ok := value.(json.Number); ok {
			if given[name], err = number.Float64(); err != nil {
				return in, advise("the arguments are wrong: %s: %v", name, err)
			}
		}
	}
	if err := schema.ApplyDefaults(&given); err != nil {
		return in, err
	}
	if err := schema.Validate(given); err != nil {
		return in, advise("the arguments are wrong: %v", err)
	}
	whole, err := json.Marshal(given)
	if err != nil {
		return in, err
	}
	if err := decode(whole, &in); err != nil {
		return in, advise("the arguments are wrong: %v", err)
	}
	return in, nil
}
