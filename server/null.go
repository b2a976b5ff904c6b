package server

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

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
