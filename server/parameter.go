package server

import (
	"regexp"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/screening"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// parameter is a path or query parameter.
type parameter struct {
	name, text string
	schema     *huma.Schema
}

// ofPath are the path parameters.
var ofPath = map[string]parameter{
	"name":      {"name", "the collection", &huma.Schema{Type: huma.TypeString, Pattern: workspace.NameForm}},
	"id":        {"id", "the document, percent-encoded", &huma.Schema{Type: huma.TypeString, MinLength: new(1), MaxLength: new(engine.MaxIDBytes)}},
	"screening": {"screening", "the screening", &huma.Schema{Type: huma.TypeString, Pattern: screening.NameForm}},
	"model":     {"model", "the spec of an encoder or the name of a collection, percent-encoded", &huma.Schema{Type: huma.TypeString, MinLength: new(1)}},
}

var pathParameter = regexp.MustCompile(`{(\w+)}`)

func (r *route) describeParameters(op *huma.Operation) {
	for _, match := range pathParameter.FindAllStringSubmatch(r.path, -1) {
		p := ofPath[match[1]]
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: "path", Required: true, Description: p.text, Schema: p.schema})
	}
	for _, p := range r.parameters {
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: "query", Description: p.text, Schema: p.schema})
	}
}

// describeNames sets the pattern of collection names.
func describeNames(schemas map[string]*huma.Schema) {
	for _, request := range []string{"NewCollection", "Restoring"} {
		schemas[request].Properties["name"].Pattern = workspace.NameForm
	}
}
