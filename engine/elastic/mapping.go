package elastic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine/remote"
)

// mapping describes the fields of documents, by their full names.
type mapping struct {
	fields  map[string]*property
	columns []remote.Column
	vectors []string        // of all fields of vectors
	whole   bool            // documents have no other fields
	copied  map[string]bool // the targets of copy_to
}

func newMapping(root *property) *mapping {
	m := &mapping{fields: map[string]*property{}, copied: map[string]bool{}, whole: root.complete()}
	m.columns = []remote.Column{{Name: identity, Type: "of every document", Kind: remote.Text, Key: true}}
	m.add("", root.Properties)
	return m
}

func (m *mapping) add(above string, properties map[string]property) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := properties[name]
		whole := above + name
		m.fields[whole] = &p
		c := remote.Column{Name: whole, Type: p.Type, Kind: kinds[p.Type]}
		switch p.Type {
		case "dense_vector":
			m.vectors = append(m.vectors, whole)
			c.Type = fmt.Sprintf("dense_vector of %d dimensions, %s", p.Dimension, p.Similarity)
			if !p.indexed() {
				c.Type = fmt.Sprintf("dense_vector of %d dimensions, not indexed", p.Dimension)
			}
			if p.ElementType != "" && p.ElementType != "float" {
				c.Kind, c.Type = remote.Other, c.Type+" of "+p.ElementType
			}
		case "":
			c.Type = "object"
		}
		if above == "" || c.Kind != remote.Object { // an inner object belongs to the outer one
			m.columns = append(m.columns, c)
		}
		for _, target := range strings.FieldsFunc(string(p.CopyTo), func(r rune) bool { return strings.ContainsRune(`[]", `, r) }) {
			m.copied[target] = true
		}
		if p.Type == "" || p.Type == "object" {
			m.add(whole+".", p.Properties)
		}
	}
}

// nowhere reports whether no document has a field of that name.
func (m *mapping) nowhere(name string) bool {
	for i, c := range name + "." {
		if c != '.' {
			continue
		}
		p, known := m.fields[name[:i]]
		if known && (i == len(name) || !p.complete()) {
			return false
		}
	}
	return m.whole
}

// kinds classifies the types of fields. Other types cannot be read.
var kinds = map[string]remote.Kind{
	"": remote.Object, "object": remote.Object, "flattened": remote.Object,
	"text": remote.Text, "match_only_text": remote.Text, "search_as_you_type": remote.Text,
	"keyword": remote.Text, "constant_keyword": remote.Text, "wildcard": remote.Text,
	"long": remote.Value, "integer": remote.Value, "short": remote.Value, "byte": remote.Value, "unsigned_long": remote.Value,
	"double": remote.Value, "float": remote.Value, "half_float": remote.Value, "scaled_float": remote.Value,
	"boolean": remote.Value, "date": remote.Value, "date_nanos": remote.Value, "ip": remote.Value, "version": remote.Value,
	"dense_vector": remote.Vector,
}
