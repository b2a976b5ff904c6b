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

// wanted returns the fields to ask for.
func (d *driver) wanted(want remote.Want) []string {
	out := []string{d.table.key}
	for part, name := range map[engine.Parts]string{engine.Titles: d.roles.Title, engine.Texts: d.roles.Text, engine.Vectors: d.roles.Vector} {
		if name != "" && want.Parts.Has(part) {
			out = append(out, d.outputOf(name))
		}
	}
	if want.Parts.Has(engine.Metadata) {
		out = append(append(out, d.plain()...), d.objects()...)
	}
	if want.Filter != nil {
		out = append(out, d.judged(want.Filter)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// entry returns the wanted parts of entity i.
func (d *driver) entry(r *rows, i int, want remote.Want) (e *remote.Entry, err error) {
	e = &remote.Entry{Ref: engine.Ref{Key: r.keys[i]}, Document: engine.Document{ID: r.keys[i]}}
	if want.Parts.Has(engine.Titles) {
		e.Title = d.text(r, i, d.roles.Title)
	}
	if want.Parts.Has(engine.Texts) {
		e.Text = d.text(r, i, d.roles.Text)
	}
	if want.Parts.Has(engine.Vectors) {
		if v := r.vector(i, d.roles.Vector); len(v) == d.dim {
			e.Vector = v
		}
	}
	if want.Filter != nil || want.Parts.Has(engine.Metadata) {
		e.Metadata, err = d.metadata(r, i)
	}
	return e, err
}

// text returns what entity i has as title or text.
func (d *driver) text(r *rows, i int, name string) string {
	switch {
	case name == "":
		return ""
	case d.isField(name):
		return r.text(i, name)
	}
	return textOf(r.object(i, dynamicField)[name])
}

// objects returns the JSON fields whose keys are metadata.
func (d *driver) objects() (out []string) {
	if d.roles.Metadata != "" && d.roles.Metadata != dynamicField {
		out = append(out, d.roles.Metadata)
	}
	if d.dynamic {
		out = append(out, dynamicField)
	}
	return out
}

// plain are the fields without a role that hold what metadata can have.
func (d *driver) plain() (out []string) {
	for _, f := range d.fields {
		if kind := kindOf(f); !d.taken(f.GetName()) && kind != remote.Other && kind != remote.Vector {
			out = append(out, f.GetName())
		}
	}
	return out
}

// outputOf returns the name by which a field, or a key of the dynamic field, is requested:
// the rest of the dynamic field may be long.
func (d *driver) outputOf(name string) string {
	if d.isField(name) || collectionName.MatchString(name) {
		return name
	}
	return dynamicField
}

// judged are the fields that a filter is about.
func (d *driver) judged(filter query.Node) []string {
	var out []string
	for leaf := range query.Leaves(filter) {
		p, ok := leaf.(*query.Predicate)
		if !ok || d.taken(p.Field) {
			continue
		}
		name, _, _ := strings.Cut(p.Field, ".")
		if d.isField(name) {
			out = append(out, name)
		}
		for _, object := range d.objects() {
			if object == dynamicField {
				object = d.outputOf(p.Field) // which may have a key a.b
			}
			out = append(out, object)
		}
	}
	return out
}

// taken reports whether a field has a role.
func (d *driver) taken(name string) bool {
	return slices.Contains([]string{d.roles.ID, d.roles.Vector, d.roles.Text, d.roles.Title, d.roles.Metadata}, name)
}

// metadata returns the metadata of entity i, or nil: the fields without a role and the keys
// of JSON fields. A field hides a key of the same name.
func (d *driver) metadata(r *rows, i int) (json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for _, name := range d.plain() {
		if value := r.value(i, name); value != nil {
			out[name] = value
		}
	}
	for _, object := range d.objects() {
		for key, value := range r.object(i, object) {
			if _, there := out[key]; !there && !d.taken(key) && !d.isField(key) {
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
