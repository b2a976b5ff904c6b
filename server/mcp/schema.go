package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// definition is a tool, with an example of arguments for error messages.
type definition struct {
	tool    *sdk.Tool
	in      *jsonschema.Resolved
	example string
}

// define describes a tool that takes In and returns Out. It panics if the types have no
// schema.
func define[In, Out any](name, title, description, example string, hints sdk.ToolAnnotations, refine func(in map[string]*jsonschema.Schema)) *definition {
	in, out := schemaFor[In](), schemaFor[Out]()
	each(in, strict)
	each(out, strict)
	each(out, open)
	if refine != nil {
		refine(in.Properties)
	}
	closed := false
	hints.OpenWorldHint = &closed
	described := &sdk.Tool{Name: name, Title: title, Description: description, InputSchema: in, OutputSchema: out, Annotations: &hints}
	resolved, err := in.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", name, err))
	}
	return &definition{described, resolved, example}
}

// looks are the hints for tools that change nothing.
var looks = sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}

func schemaFor[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("the schema of a tool: %v", err))
	}
	return s
}

// each calls f for a schema and the schemas inside it.
func each(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	if s == nil {
		return
	}
	f(s)
	for _, p := range s.Properties {
		each(p, f)
	}
	each(s.Items, f)
	each(s.AdditionalProperties, f)
}

// strict removes null, which stands for Go's nil, from the types of lists and objects.
func strict(s *jsonschema.Schema) {
	if i := slices.Index(s.Types, "null"); i >= 0 && len(s.Types) == 2 {
		s.Type, s.Types = s.Types[1-i], nil
	}
}

// open allows further properties: results may have them, arguments may not.
func open(s *jsonschema.Schema) {
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
}

// between sets the bounds and the default of a number.
func between(s *jsonschema.Schema, least, most, otherwise int) {
	s.Minimum, s.Maximum = jsonschema.Ptr(float64(least)), jsonschema.Ptr(float64(most))
	s.Default = json.RawMessage(fmt.Sprint(otherwise))
}

// oneOf sets the values of a property, the default first.
func oneOf(s *jsonschema.Schema, words ...string) {
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	s.Default, _ = json.Marshal(words[0])
}

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
