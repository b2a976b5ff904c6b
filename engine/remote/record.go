package remote

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// Document returns the wanted parts of a record, except for its vector: title and text by
// their roles, and the other fields as metadata. Fields hide those of the same name in the
// field that has the role of the metadata.
func (r *Roles) Document(id string, fields map[string]json.RawMessage, want Want) (d engine.Document, err error) {
	d.ID = id
	if want.Parts.Has(engine.Titles) {
		d.Title = TextOf(fields[r.Title])
	}
	if want.Parts.Has(engine.Texts) {
		d.Text = TextOf(fields[r.Text])
	}
	if !want.All().Has(engine.Metadata) {
		return d, nil
	}
	all := map[string]json.RawMessage{}
	if below := map[string]json.RawMessage(nil); r.Metadata != "" && json.Unmarshal(fields[r.Metadata], &below) == nil {
		maps.Copy(all, below)
	}
	for name, value := range fields {
		if r.IsMetadata(name) {
			all[name] = value
		}
	}
	if len(all) > 0 {
		d.Metadata, err = Marshal(all)
	}
	return d, err
}

// IsMetadata reports whether a field has no role: it is metadata.
func (r *Roles) IsMetadata(name string) bool {
	return !slices.Contains([]string{r.ID, r.Vector, r.Text, r.Title, r.Metadata}, name)
}

// All returns the wanted parts, with the metadata that a filter needs.
func (w *Want) All() engine.Parts {
	if w.Filter != nil {
		return w.Parts | engine.Metadata
	}
	return w.Parts
}

// Fields returns the names that the fields of a filter may stand for: a.b may be the field b
// of an object a.
func (w *Want) Fields() map[string]bool {
	names := map[string]bool{}
	if w.Filter == nil {
		return names
	}
	for leaf := range query.Leaves(w.Filter) {
		if p, ok := leaf.(*query.Predicate); ok {
			names[p.Field] = true
			for at, c := range p.Field {
				if c == '.' {
					names[p.Field[:at]] = true
				}
			}
		}
	}
	return names
}

// TextOf returns a JSON value as a text: the texts of a list are on lines of their own.
func TextOf(raw json.RawMessage) string {
	var value any
	if len(raw) == 0 || json.Unmarshal(raw, &value) != nil {
		return ""
	}
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		texts := make([]string, len(v))
		for i, x := range v {
			texts[i] = fmt.Sprint(x)
		}
		return strings.Join(texts, "\n")
	}
	return string(raw) // a number, a truth value or an object
}
