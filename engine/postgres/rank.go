package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/query"
)

// Ranks reports whether the server ranks all rows itself more cheaply than it finds the
// nearest: where no index leads to those, both are a scan, and one is enough.
func (t *Table) Ranks() bool { return t.access == nil }

// Rank has the server rank all rows that pass, in one statement.
func (t *Table) Rank(ctx context.Context, score *pushdown.Score, vectors [][]float32, filter query.Node, k int) (refs []engine.Ref, scores, maxima []float64, err error) {
	const doing = "ranking rows"
	read := make([][]float32, len(score.Terms))
	for i, term := range score.Terms {
		read[i] = vectors[term]
	}
	q, err := remote.NewSearch(t.dim, read[:1], k, filter, read)
	if err == nil {
		err = errors.Join(comparable(filter), checkDots(filter))
	}
	if err == nil {
		q.Filter, err = t.Resolved(ctx, filter)
	}
	if err != nil {
		return nil, nil, nil, t.calls.Explain(doing, err)
	}
	args := slices.Clone(t.given)
	from := pushdown.Source{Table: t.rel.name, ID: fmt.Sprintf("t.%s::text", quoted(t.roles.ID)), Vector: t.vector, Vectors: map[int]string{}}
	for i, term := range score.Terms {
		from.Vectors[term] = args.add(vector(read[i])) + "::vector"
	}
	from.Where = fmt.Sprintf("%s AND t.%s::text <> '' AND %s", t.there, quoted(t.roles.ID), t.fields.where(q.Filter, &args))
	text := pushdown.Ranking(score, from, args.add(k))
	err = t.calls.Read(ctx, doing, func(ctx context.Context) error {
		refs, scores, maxima = nil, nil, make([]float64, len(score.Gates))
		var id string
		var value float64
		targets := []any{&id, &value}
		for g := range maxima {
			targets = append(targets, &maxima[g])
		}
		return t.each(ctx, text, args, nil, targets, func() error {
			if math.IsNaN(value) {
				return fmt.Errorf("the server has computed a score that is not a number for row %.64q", id)
			}
			refs, scores = append(refs, engine.Ref{Key: id}), append(scores, value)
			return nil
		})
	})
	return refs, scores, maxima, err
}

var (
	_ engine.Counter = (*Store)(nil)
	_ engine.Counter = (*Table)(nil)
)

// In how many documents values are counted, and how many values are.
const (
	maxCounted = 1 << 20
	maxValues  = 1 << 17
)

// count runs a statement that gives texts with numbers of documents, and tells them when all
// are there: it may be run again. If there are too many, it fails with errors.ErrUnsupported.
func (d *database) count(ctx context.Context, size engine.Size, field, text string, args arguments, tell func(v predicate.Value, documents int)) error {
	type counted struct {
		text string
		n    int
	}
	if size.Documents > maxCounted {
		return errors.ErrUnsupported
	}
	text += fmt.Sprintf(" LIMIT %d", maxValues+1)
	var all []counted
	err := d.calls.Read(ctx, "counting the values of "+field, func(ctx context.Context) error {
		var x counted
		all = nil
		return d.each(ctx, text, args, nil, []any{&x.text, &x.n}, func() error {
			all = append(all, x)
			return nil
		})
	})
	if err != nil {
		return err
	}
	if len(all) > maxValues {
		return errors.ErrUnsupported
	}
	for _, x := range all {
		tell(predicate.NewValue(field, x.text), x.n)
	}
	return nil
}

func (s *Store) CountValues(ctx context.Context, field string, filter query.Node, tell func(v predicate.Value, documents int)) error {
	named := &query.Predicate{Field: field}
	if err := errors.Join(remote.CheckFilter(filter), comparable(filter), comparable(named)); err != nil {
		return s.calls.Explain("counting values", err)
	}
	filter, err := s.Resolved(ctx, filter)
	if err != nil {
		return s.calls.Explain("counting values", err)
	}
	var args arguments
	text := fmt.Sprintf(`SELECT min(v.text), count(DISTINCT v.ref) FROM {c}.entries v WHERE %s = %s::text AND %s
		GROUP BY v.number, CASE WHEN v.number IS NULL THEN v.text END`, beginning("v.field", field), args.add(field), condition(filter, "v.ref", &args))
	size, err := s.Size(ctx)
	if err != nil {
		return err
	}
	return s.count(ctx, size, field, s.statement(text), args, tell)
}

func (t *Table) CountValues(ctx context.Context, field string, filter query.Node, tell func(v predicate.Value, documents int)) error {
	named := &query.Predicate{Field: field}
	if err := errors.Join(remote.CheckFilter(filter), comparable(filter), checkDots(filter), comparable(named), checkDots(named)); err != nil {
		return t.calls.Explain("counting values", err)
	}
	filter, err := t.Resolved(ctx, filter)
	if err != nil {
		return t.calls.Explain("counting values", err)
	}
	args := slices.Clone(t.given)
	from := t.fields.values(field, &args)
	if len(from) == 0 {
		return nil
	}
	text := fmt.Sprintf(`SELECT v.x, count(*) FROM %s t CROSS JOIN LATERAL
		(SELECT DISTINCT e #>> '{}' AS x FROM (%s) s(e) WHERE jsonb_typeof(e) IN ('string', 'number', 'boolean')) v WHERE %s AND %s GROUP BY v.x`,
		t.rel.name, strings.Join(from, " UNION ALL "), t.there, t.fields.where(filter, &args))
	size, err := t.Size(ctx)
	if err != nil {
		return err
	}
	return t.count(ctx, size, field, text, args, tell)
}

// values are statements for the values of a field that the row t has, as JSON. They look
// where predicate compares.
func (f *fields) values(field string, args *arguments) (out []string) {
	in := func(column string, path []string, condition string) {
		out = append(out, fmt.Sprintf("SELECT jsonb_path_query(to_jsonb(t.%s), %s::jsonpath) WHERE %s", quoted(column), args.add(jsonpath(path)), condition))
	}
	for i := range f.columns {
		c := &f.columns[i]
		rest, inside := strings.CutPrefix(field, c.Name+".")
		switch {
		case field == c.Name:
			in(c.Name, nil, "true")
		case inside && c.Kind == remote.Object:
			for _, path := range paths(rest) {
				in(c.Name, path, "true")
			}
		}
	}
	if f.beside == nil {
		return out
	}
	for _, path := range paths(field) {
		condition := fmt.Sprintf("jsonb_typeof(to_jsonb(t.%s)) = 'object'", quoted(f.beside.Name))
		if slices.ContainsFunc(f.columns, func(c column) bool { return c.Name == path[0] }) { // which stands in front
			condition += fmt.Sprintf(" AND t.%s IS NULL", quoted(path[0]))
		}
		in(f.beside.Name, path, condition)
	}
	return out
}

// Layout returns the names and types of the parts of the table, for statements that others
// write, and the condition on all rows; nil: there is none.
func (t *Table) Layout() (names pushdown.Names, o pushdown.SQLOptions, only query.Node) {
	names = pushdown.Names{Table: t.rel.name, ID: t.roles.ID, Vector: t.roles.Vector, Metadata: t.roles.Metadata, Types: map[string]string{}}
	for _, c := range t.rel.columns {
		if c.Kind == remote.Text || c.Kind == remote.Value {
			names.Types[c.Name] = c.Type
		}
	}
	o.Type = t.rel.column(t.roles.Vector).typ
	if t.access != nil {
		o.Metric = t.access.class
	}
	return names, o, t.only
}
