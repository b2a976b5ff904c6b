package milvus

import (
	"encoding/json"
	"slices"

	"github.com/nsfl-go/nsfl/engine/attached"
)

// metadataFields are the fields that metadata is made of.
func (s *Attached) metadataFields() (out []string) {
	if s.roles.Metadata != "" {
		return []string{s.roles.Metadata}
	}
	for _, f := range s.fields {
		if kind := kindOf(f); !s.taken(f.GetName()) && kind != attached.Other && kind != attached.Vector {
			out = append(out, f.GetName())
		}
	}
	if s.dynamic {
		out = append(out, dynamicField)
	}
	return out
}

// taken reports whether a field has a role other than that of metadata.
func (s *Attached) taken(name string) bool {
	return slices.Contains([]string{s.roles.ID, s.roles.Vector, s.roles.Text, s.roles.Title}, name)
}

// metadata is that of entity i, nil where it has none: an object of the fields without a
// role, in which what the dynamic field has stands beside the others.
func (s *Attached) metadata(r *rows, i int) (json.RawMessage, error) {
	if s.roles.Metadata != "" && s.roles.Metadata != dynamicField {
		if r.object(i, s.roles.Metadata) == nil {
			return nil, nil
		}
		return r.value(i, s.roles.Metadata), nil
	}
	out := map[string]json.RawMessage{}
	for _, name := range s.metadataFields() {
		if name == dynamicField {
			for key, value := range r.object(i, dynamicField) {
				if !s.taken(key) && !s.isField(key) {
					out[key] = value
				}
			}
		} else if value := r.value(i, name); value != nil {
			out[name] = value
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return json.Marshal(out)
}
