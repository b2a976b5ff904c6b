package postgres

import (
	"fmt"
	"strings"
)

// Advice returns the statement that makes an index over the vectors of a table without one; empty
// if it has one, or cannot have one. A column whose type has no dimension, such as LangChain's,
// is indexed over a cast.
func (t *Table) Advice() string {
	c := t.rel.column(t.roles.Vector)
	if t.access != nil || !strings.Contains("rpm", t.rel.kind) || c.typ != "vector" && c.typ != "halfvec" || t.dim > maxIndexedHalf {
		return ""
	}
	vectors, typ, only := quoted(c.Name), c.typ, ""
	if t.dim > maxIndexed {
		typ = "halfvec"
	}
	if c.modifier < 1 {
		only = fmt.Sprintf(" WHERE vector_dims(%s) = %d", vectors, t.dim)
	}
	if c.modifier < 1 || typ != c.typ {
		vectors = fmt.Sprintf("(%s::%s(%d))", vectors, typ, t.dim)
	}
	return fmt.Sprintf("CREATE INDEX ON %s USING hnsw (%s %s_cosine_ops)%s", t.rel.name, vectors, typ, only)
}
