package milvus

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

type driver struct {
	calls  *remote.Calls
	table  table
	dim    int
	index  index
	fields fields
	// dynamic says that entities may have more than the fields, in the dynamic field.
	dynamic bool
	roles   remote.Roles
	columns []remote.Column
	bm25    string // the field of a BM25 function on the text or the title; empty: there is none
	sample  remote.SampleCache
}

func (d *driver) Close() error { return d.table.Close() }

func (d *driver) Size(ctx context.Context) (engine.Size, error) {
	n, err := d.table.count(ctx, "")
	return engine.Size{Documents: n, Vectors: n, Dimension: d.dim}, err
}

func expression(where remote.Where) string {
	text, _ := where.Native.(string)
	return text
}

func (d *driver) Count(ctx context.Context, where remote.Where, _ bool, _ int) (int, error) {
	return d.table.count(ctx, expression(where))
}

func (d *driver) Nearest(ctx context.Context, vector []float32, limit int, where remote.Where, _ remote.Want, _ bool) ([]remote.Hit, error) {
	found, err := d.table.search(ctx, d.index.target(d.roles.Vector), wire.DataType_FloatVector, remote.PackVector(vector), expression(where), limit)
	hits := make([]remote.Hit, len(found))
	for i, h := range found {
		hits[i] = remote.Hit{Ref: engine.Ref{Key: h.key}, Score: min(max(d.index.cosine(h.score), -1), 1)}
	}
	return hits, err
}

func (d *driver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	if d.bm25 == "" {
		return nil, ctx.Err()
	}
	hits, err := d.table.search(ctx, target{field: d.bm25, metric: "BM25"}, wire.DataType_VarChar, []byte(remote.Forms(needles)), expression(where), min(limit, maxResults))
	refs := make([]engine.Ref, len(hits))
	for i, h := range hits {
		refs[i].Key = h.key
	}
	return refs, err
}

func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	var keys []string
	for _, r := range refs {
		if d.table.isKey(r.Key) {
			keys = append(keys, r.Key)
		}
	}
	if len(keys) == 0 {
		return ctx.Err()
	}
	r, err := d.table.query(ctx, d.table.anyOf(keys), d.wanted(want))
	if err != nil {
		return err
	}
	return remote.VisitEach(len(r.keys), func(i int) (*remote.Entry, error) { return d.entry(r, i, want) }, visit)
}

func (d *driver) Page(ctx context.Context, after string, limit int, where remote.Where, want remote.Want, visit func(*remote.Entry) (bool, error)) error {
	if !d.table.isKey(after) && after != "" {
		return remote.BadMark(after)
	}
	return d.table.pages(ctx, expression(where), after, limit, d.wanted(want), func(r *rows) error {
		for i, key := range r.keys {
			e, err := d.entry(r, i, want)
			if err != nil {
				return err
			}
			e.Mark = func() string { return key }
			if more, err := visit(e); err != nil {
				return err
			} else if !more {
				return errEnough
			}
		}
		return nil
	})
}

// Compile compiles the part of a filter that Milvus decides as predicate.Passes does.
func (d *driver) Compile(_ context.Context, filter query.Node) (remote.Where, error) {
	return d.compile(filter).Where(), nil
}

// bound is the bound of a condition in Milvus's expressions.
type bound = remote.Bound[string]

// longest limits the length of an expression.
const longest = 32 << 10

func (d *driver) compile(filter query.Node) bound {
	joined := func(operator string) func([]string) (string, bool) {
		return func(texts []string) (string, bool) { return join(texts, operator), true }
	}
	b := (&remote.Compiler[string]{Predicate: d.predicate, And: joined(" and "), Or: joined(" or "), Not: func(x string) string { return "not (" + x + ")" }}).Compile(filter)
	if len(b.Expr) > longest {
		return bound{}
	}
	return b
}

func join(texts []string, operator string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return "(" + strings.Join(texts, operator) + ")"
}

func bm25Of(functions []*wire.FunctionSchema, roles *remote.Roles) string {
	i := slices.IndexFunc(functions, func(f *wire.FunctionSchema) bool {
		from := f.GetInputFieldNames()
		return f.GetType() == wire.FunctionSchema_BM25 && len(from) == 1 && len(f.GetOutputFieldNames()) == 1 && (from[0] == roles.Text || from[0] == roles.Title)
	})
	if i < 0 {
		return ""
	}
	return functions[i].GetOutputFieldNames()[0]
}

// walked limits the number of keys that are read for a sample.
const walked = 1 << 20

// most is the number of keys that a sample keeps.
const most = 4096

// Sample returns the documents whose keys have the least hashes. It reads all keys.
func (d *driver) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	return d.sample.Get(ctx, n, d.draw)
}

func (d *driver) draw(ctx context.Context) ([]engine.Ref, error) {
	type drawn struct {
		hash [sha256.Size]byte
		key  string
	}
	var all []drawn
	shrink := func(to int) {
		slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(string(a.hash[:]), string(b.hash[:])) })
		all = all[:min(to, len(all))]
	}
	seen := 0
	err := d.Page(ctx, "", maxResults, remote.Where{}, remote.Want{}, func(e *remote.Entry) (bool, error) {
		if all = append(all, drawn{sha256.Sum256([]byte(e.ID)), e.ID}); len(all) == 8*most {
			shrink(most)
		}
		seen++
		return seen < walked, nil
	})
	shrink(most)
	refs := make([]engine.Ref, len(all))
	for i, drawn := range all {
		refs[i].Key = drawn.key
	}
	return refs, err
}
