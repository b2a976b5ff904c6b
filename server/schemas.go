package server

import (
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/screening"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

// calculusName is the schema name of logic.Options.
const calculusName = "Calculus"

// schemaName returns the schema name of a type.
func schemaName(t reflect.Type, hint string) string {
	if t == reflect.TypeFor[*logic.Options]() {
		return calculusName
	}
	name := huma.DefaultSchemaNamer(t, hint)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.PkgPath() == reflect.TypeFor[screening.Decision]().PkgPath() {
		name = "Screening" + name
	}
	return name
}

// describeKnobs replaces the schemas of the search options by the option descriptions of
// package retrieve, with this server's limit on results.
func describeKnobs(schemas map[string]*huma.Schema, most int) {
	for _, k := range new(retrieve.Options).Knobs() {
		switch k.Field() {
		case "k":
			k.High = float64(most)
		case "offset":
			k.High = float64(most - 1)
		}
		if k.Calculus {
			schemas[calculusName].Properties[k.Field()] = knobSchema(k)
			continue
		}
		for _, request := range []string{"Search", "Explain", "VectorRequest", "PlanRequest", "ParseRequest"} {
			if properties := schemas[request].Properties; properties[k.Field()] != nil {
				properties[k.Field()] = knobSchema(k)
			}
		}
	}
}

func knobSchema(k retrieve.Knob) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Description: k.Help}
	name := &huma.Schema{Type: huma.TypeString, MinLength: new(1)}
	number, whole := k.IsNumber()
	switch {
	case k.IsFacets():
		wish := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Required: []string{"field"}, Properties: map[string]*huma.Schema{
			"field": name,
			"size":  {Type: huma.TypeInteger, Minimum: new(0.0), Maximum: new(float64(fieldstats.MaxFacetSize)), Description: "values or ranges at most, 10 by default"},
		}}
		s.Type, s.Items, s.MaxItems = huma.TypeArray, &huma.Schema{OneOf: []*huma.Schema{name, wish}}, new(fieldstats.MaxFacets)
	case k.IsList():
		s.Type, s.Items, s.MaxItems = huma.TypeArray, name, new(engine.MaxFields)
	case k.IsSwitch():
		s.Type = huma.TypeBoolean
	case number:
		s.Type, s.Minimum, s.Maximum = huma.TypeNumber, &k.Low, &k.High
		if whole {
			s.Type = huma.TypeInteger
		}
	}
	for _, word := range k.Words {
		s.Enum = append(s.Enum, word)
	}
	if k.Or != "" { // an enum value or a number
		above, most := 0.0, 1.0
		return &huma.Schema{Description: k.Usage(), OneOf: []*huma.Schema{
			{Type: huma.TypeString, Enum: s.Enum}, {Type: huma.TypeNumber, ExclusiveMinimum: &above, Maximum: &most},
		}}
	}
	return s
}

// describeNull makes all optional request fields nullable. Null means the same as leaving the
// field out.
func describeNull(api *huma.OpenAPI) {
	seen := map[*huma.Schema]bool{}
	for _, item := range api.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put} {
			if op != nil && op.RequestBody != nil {
				for _, content := range op.RequestBody.Content {
					nullable(api.Components.Schemas, content.Schema, seen)
				}
			}
		}
	}
}

// nullable changes a schema and all schemas that it refers to.
func nullable(schemas huma.Registry, s *huma.Schema, seen map[*huma.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	if s.Ref != "" {
		nullable(schemas, schemas.SchemaFromRef(s.Ref), seen)
	}
	nullable(schemas, s.Items, seen)
	for _, one := range s.OneOf {
		nullable(schemas, one, seen)
	}
	for name, p := range s.Properties {
		nullable(schemas, p, seen)
		if !slices.Contains(s.Required, name) {
			s.Properties[name] = orNull(p)
		}
	}
}

// orNull returns a copy of a schema that also accepts null.
func orNull(s *huma.Schema) *huma.Schema {
	null := &huma.Schema{Type: "null"}
	out := *s
	switch {
	case s.Ref != "":
		return &huma.Schema{Description: s.Description, OneOf: []*huma.Schema{{Ref: s.Ref}, null}}
	case s.OneOf != nil:
		out.OneOf = append(slices.Clone(s.OneOf), null)
	default:
		out.Nullable = true
	}
	if s.Enum != nil {
		out.Enum = append(slices.Clone(s.Enum), nil)
	}
	return &out
}
