package elastic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// attached is the layout of an index that another program has created. Every record with a
// vector is a document.
type attached struct {
	*mapping
	remote.Roles
	toCosine func(score float64) float64
}

// identity is the name of the id of a document, which is not a field.
const identity = "_id"

func (d *driver) attach(ctx context.Context, found *description, roles remote.Roles) (*remote.Store, error) {
	m := newMapping(&found.Mappings.property)
	roles, err := roles.Fill(d.calls.Place, m.columns)
	if err != nil {
		return nil, err
	}
	if roles.ID != identity {
		return nil, engine.BadInput("id="+roles.ID, "documents of Elasticsearch are identified by %s: leave id out", identity)
	}
	vector := m.fields[roles.Vector]
	if vector.Dimension < 1 || vector.Dimension > maxDimension {
		return nil, fmt.Errorf("the field %s holds no vectors yet: it has the dimension %d", roles.Vector, vector.Dimension)
	}
	if err := d.calls.CheckDimension(vector.Dimension); err != nil {
		return nil, err
	}
	d.dim, d.layout = vector.Dimension, &attached{m, roles, cosines[vector.Similarity]}
	for _, name := range []string{roles.Text, roles.Title} {
		if p, ok := m.fields[name]; ok && p.indexed() && slices.Contains([]string{"text", "match_only_text", "search_as_you_type"}, p.Type) {
			d.texts = append(d.texts, name)
		}
	}
	index := remote.Index{None: !vector.indexed(), ByLength: !directional(vector.Similarity), Scored: true, Rough: rough(vector.kind()), Most: maxResults}
	s := remote.New(d, d.calls, remote.Config{
		Dimension: d.dim, Index: index, Limits: limits, Text: roles.Text != "" || roles.Title != "", Roles: roles, Columns: m.columns, AtOnce: pageDocuments,
	})
	return s, s.Inspect(ctx)
}

func (t *attached) documents() clause { return clause{"exists": clause{"field": t.Vector}} }

func (t *attached) vectors(bool) (string, clause) { return t.Vector, t.documents() }

func (t *attached) cosine(score float64) float64 { return t.toCosine(score) }

func (t *attached) rows() string { return "" }

func (t *attached) key(id string) string {
	const most = 512
	if len(id) > most || !utf8.ValidString(id) {
		return ""
	}
	return id
}

func (t *attached) ask(r *request, parts engine.Parts) {
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		// They are requested as fields, since a mapping may exclude them from the source.
		r.Fields = []string{t.Vector}
	}
	wanted, unwanted := []string{}, slices.Clone(t.mapping.vectors)
	for _, p := range []struct {
		part engine.Parts
		name string
	}{{engine.Titles, t.Title}, {engine.Texts, t.Text}} {
		switch {
		case p.name == "":
		case parts.Has(p.part):
			wanted = append(wanted, p.name)
		default:
			unwanted = append(unwanted, p.name)
		}
	}
	switch {
	case parts.Has(engine.Metadata):
		r.Source = clause{"excludes": unwanted}
	case len(wanted) > 0:
		r.Source = clause{"includes": wanted}
	default:
		r.Source = false
	}
}

func (t *attached) document(h *hit, want remote.Want) (d engine.Document, err error) {
	fields := tree{}
	if len(bytes.TrimSpace(h.Source)) > 0 {
		if fields, err = newTree(h.Source); err != nil {
			return d, remote.BadAnswer("the document %.64q: %v", h.ID, err)
		}
	}
	for _, name := range append([]string{t.Title, t.Text, t.Metadata}, t.mapping.vectors...) {
		if value := fields.take(name); value != nil && !slices.Contains(t.mapping.vectors, name) {
			fields[name] = value
		}
	}
	d, err = t.Roles.Document(h.ID, fields, want)
	if err == nil && want.Parts.Has(engine.Vectors) {
		d.Vector, err = t.vector(h)
	}
	return d, err
}

// vector reads the vector of a document, which may have any length.
func (t *attached) vector(h *hit) ([]float32, error) {
	field := t.fields[t.Vector]
	v, err := numbers(h.Fields[t.Vector], field.Dimension)
	if err != nil {
		return nil, remote.BadAnswer("the vector of the document %.64q: %v", h.ID, err)
	}
	return v, nil
}

// tree is a JSON object. The name outer.inner is the field inner of the object outer, or a
// field of that name.
type tree map[string]json.RawMessage

func newTree(raw json.RawMessage) (t tree, err error) {
	if err = json.Unmarshal(raw, &t); err == nil && t == nil {
		err = errors.New("it is null")
	}
	return t, err
}

// take removes a field, and returns it.
func (t tree) take(name string) json.RawMessage {
	if found, ok := t[name]; ok {
		delete(t, name)
		return found
	}
	for i, c := range name {
		if c != '.' {
			continue
		}
		outer, inner := name[:i], name[i+1:]
		below, err := newTree(t[outer])
		if err != nil { // a list of objects stays whole
			continue
		}
		found := below.take(inner)
		if found == nil {
			continue
		}
		if t[outer], err = json.Marshal(below); err != nil {
			return nil
		}
		return found
	}
	return nil
}
