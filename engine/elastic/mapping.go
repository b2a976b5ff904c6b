package elastic

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine/attached"
)

// mapping is what an index knows of the fields of its documents, by their whole names.
type mapping struct {
	fields  map[string]*property
	columns []attached.Column
	vectors []string        // of all fields of vectors
	whole   bool            // what is not known here is in no document
	copied  map[string]bool // fields that have what others have, too
}

func newMapping(root *property) *mapping {
	m := &mapping{fields: map[string]*property{}, copied: map[string]bool{}, whole: root.complete()}
	m.columns = []attached.Column{{Name: identity, Type: "of every document", Kind: attached.Text, Key: true}}
	m.add("", root.Properties)
	return m
}

func (m *mapping) add(above string, properties map[string]property) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := properties[name]
		whole := above + name
		m.fields[whole] = &p
		c := attached.Column{Name: whole, Type: p.Type, Kind: kinds[p.Type]}
		switch p.Type {
		case "dense_vector":
			m.vectors = append(m.vectors, whole)
			c.Type = fmt.Sprintf("dense_vector of %d dimensions, %s", p.Dimension, p.Similarity)
			if !p.indexed() {
				c.Type = fmt.Sprintf("dense_vector of %d dimensions, not indexed", p.Dimension)
			}
			if p.ElementType != "" && p.ElementType != "float" {
				c.Kind, c.Type = attached.Other, c.Type+" of "+p.ElementType
			}
		case "":
			c.Type = "object"
		}
		if above == "" || c.Kind != attached.Object { // what is inside an object belongs to it
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

// kinds are what can be done with the types of fields; what is not here cannot be read.
var kinds = map[string]attached.Kind{
	"": attached.Object, "object": attached.Object, "flattened": attached.Object,
	"text": attached.Text, "match_only_text": attached.Text, "search_as_you_type": attached.Text,
	"keyword": attached.Text, "constant_keyword": attached.Text, "wildcard": attached.Text,
	"long": attached.Value, "integer": attached.Value, "short": attached.Value, "byte": attached.Value, "unsigned_long": attached.Value,
	"double": attached.Value, "float": attached.Value, "half_float": attached.Value, "scaled_float": attached.Value,
	"boolean": attached.Value, "date": attached.Value, "date_nanos": attached.Value, "ip": attached.Value, "version": attached.Value,
	"dense_vector": attached.Vector,
}
