package milvus

import (
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
	e = &remote.Entry{Ref: engine.Ref{Key: r.keys[i]}}
	fields := r.object(i, dynamicField)
	if fields == nil {
		fields = map[string]json.RawMessage{}
	}
	for _, f := range d.fields {
		delete(fields, f.GetName())
		if kindOf(f) != remote.Vector {
			if value := r.value(i, f.GetName()); value != nil {
				fields[f.GetName()] = value
			}
		}
	}
	if e.Document, err = d.roles.Document(r.keys[i], fields, want); want.Parts.Has(engine.Vectors) {
		if v := r.vector(i, d.roles.Vector); len(v) == d.dim {
			e.Vector = v
		}
	}
	return e, err
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
		if kind := kindOf(f); d.roles.IsMetadata(f.GetName()) && kind != remote.Other && kind != remote.Vector {
			out = append(out, f.GetName())
		}
	}
	return out
}

// outputOf returns the name by which a field, or a key of the dynamic field, is requested:
// the rest of the dynamic field may be long.
func (d *driver) outputOf(name string) string {
	if d.isField(name) || names.MatchString(name) {
		return name
	}
	return dynamicField
}

// judged are the fields that a filter is about.
func (d *driver) judged(filter query.Node) []string {
	var out []string
	for leaf := range query.Leaves(filter) {
		p, ok := leaf.(*query.Predicate)
		if !ok {
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
