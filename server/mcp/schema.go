package mcp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// definition is a tool, and what its clients are not told unless they err.
type definition struct {
	tool    *sdk.Tool
	in      *jsonschema.Schema
	example string // of arguments
}

// define describes a tool that takes In and answers Out. The types have a schema
// by construction, so that a failure is a fault of this package.
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
	return &definition{described, in, example}
}

// looks are the hints of a tool that changes nothing.
var looks = sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}

func schemaFor[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("the schema of a tool: %v", err))
	}
	return s
}

// each visits a schema and those inside it.
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

// strict takes the null out of lists and objects, where it stands for Go's nil
// and would only tempt a model.
func strict(s *jsonschema.Schema) {
	if i := slices.Index(s.Types, "null"); i >= 0 && len(s.Types) == 2 {
		s.Type, s.Types = s.Types[1-i], nil
	}
}

// open lets an object have more than it says: answers may, arguments may not.
func open(s *jsonschema.Schema) {
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
}

// between bounds a number and says what it is when it is left out.
func between(s *jsonschema.Schema, least, most, otherwise int) {
	s.Minimum, s.Maximum = jsonschema.Ptr(float64(least)), jsonschema.Ptr(float64(most))
	s.Default = json.RawMessage(fmt.Sprint(otherwise))
}

// oneOf lists the words that a property may be, the default first.
func oneOf(s *jsonschema.Schema, words ...string) {
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	s.Default, _ = json.Marshal(words[0])
}
