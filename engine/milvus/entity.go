package milvus

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// compared is the vector.
func (s *Attached) compared() []string { return s.wanted(engine.Vectors) }

// unit is the vector of entity i at length 1; nil where it has none, or one without a
// direction.
func (s *Attached) unit(r *rows, i int) []float32 {
	if v := r.vector(i, s.roles.Vector); len(v) == s.dim && engine.Unit(v) == nil {
		return v
	}
	return nil
}

// wanted are the fields that some parts are made of.
func (s *Attached) wanted(parts engine.Parts) []string {
	out := []string{s.table.key}
	for part, name := range map[engine.Parts]string{engine.Titles: s.roles.Title, engine.Texts: s.roles.Text, engine.Vectors: s.roles.Vector} {
		switch {
		case name == "" || !parts.Has(part):
		default:
			out = append(out, s.outputOf(name))
		}
	}
	if parts.Has(engine.Metadata) {
		out = append(append(out, s.plain()...), s.objects()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// document is the wanted parts of entity i.
func (s *Attached) document(r *rows, i int, parts engine.Parts) (d engine.Document, err error) {
	d.ID = r.keys[i]
	if parts.Has(engine.Titles) {
		d.Title = s.said(r, i, s.roles.Title)
	}
	if parts.Has(engine.Texts) {
		d.Text = s.said(r, i, s.roles.Text)
	}
	if parts.Has(engine.Vectors) {
		d.Vector = s.unit(r, i)
	}
	if parts.Has(engine.Metadata) {
		d.Metadata, err = s.metadata(r, i)
	}
	return d, err
}

// said is what entity i has as title or text.
func (s *Attached) said(r *rows, i int, name string) string {
	switch {
	case name == "":
		return ""
	case s.isField(name):
		return r.text(i, name)
	}
	return textOf(r.object(i, dynamicField)[name])
}

// objects are the fields of JSON objects whose fields stand beside those of an entity.
func (s *Attached) objects() (out []string) {
	if s.roles.Metadata != "" && s.roles.Metadata != dynamicField {
		out = append(out, s.roles.Metadata)
	}
	if s.dynamic {
		out = append(out, dynamicField)
	}
	return out
}

// plain are the fields without a role that hold what metadata can have.
func (s *Attached) plain() (out []string) {
	for _, f := range s.fields {
		if kind := kindOf(f); !s.taken(f.GetName()) && kind != remote.Other && kind != remote.Vector {
			out = append(out, f.GetName())
		}
	}
	return out
}

// outputOf is a field, or what the dynamic field has by a name, as it is asked for: what
// else the dynamic field has may be long.
func (s *Attached) outputOf(name string) string {
	if s.isField(name) || collectionName.MatchString(name) {
		return name
	}
	return dynamicField
}

// judged are the fields that a filter is about.
func (s *Attached) judged(filter query.Node) []string {
	var out []string
	for leaf := range query.Leaves(filter) {
		p, ok := leaf.(*query.Predicate)
		if !ok || s.taken(p.Field) {
			continue
		}
		name, _, _ := strings.Cut(p.Field, ".")
		if s.isField(name) {
			out = append(out, name)
		}
		for _, object := range s.objects() {
			if object == dynamicField {
				object = s.outputOf(p.Field) // which may have a key a.b
			}
			out = append(out, object)
		}
	}
	return out
}

// taken reports whether a field has a role.
func (s *Attached) taken(name string) bool {
	return slices.Contains([]string{s.roles.ID, s.roles.Vector, s.roles.Text, s.roles.Title, s.roles.Metadata}, name)
}

// metadata is that of entity i, nil where it has none: an object of the fields without a
// role, in which what JSON objects have stands beside the others. A field hides what these
// have by its name.
func (s *Attached) metadata(r *rows, i int) (json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for _, name := range s.plain() {
		if value := r.value(i, name); value != nil {
			out[name] = value
		}
	}
	for _, object := range s.objects() {
		for key, value := range r.object(i, object) {
			if _, there := out[key]; !there && !s.taken(key) && !s.isField(key) {
				out[key] = value
			}
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(out)
	return bytes.TrimSpace(b.Bytes()), err
}
