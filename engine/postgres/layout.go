package postgres

import (
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/pushdown"
	"github.com/nsfl-go/nsfl/query"
)

// Layout is what the parts of the table are called and what they are, for those who write
// statements of their own, and the condition on all rows; nil: there is none.
func (t *Table) Layout() (names pushdown.Names, o pushdown.SQLOptions, only query.Node) {
	names = pushdown.Names{Table: t.rel.name, ID: t.roles.ID, Vector: t.roles.Vector, Metadata: t.roles.Metadata, Types: map[string]string{}}
	for _, c := range t.rel.columns {
		if c.Kind == remote.Text || c.Kind == remote.Value {
			names.Types[c.Name] = c.Type
		}
	}
	c := t.rel.column(t.roles.Vector)
	if o.Type = c.typ; c.element != "" {
		o.Type = "array"
	}
	if t.access != nil {
		for _, known := range operators {
			if known.operator == t.access.operator {
				o.Metric = known.class
			}
		}
	}
	return names, o, t.only
}
