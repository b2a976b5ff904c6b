package chroma

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
)

// List goes by refs, that is, in no order that has a meaning. A document that is
// stored while the list is read is listed if its ref is yet to come.
func (s *Store) List(ctx context.Context, after string, limit int) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	from := int64(-1)
	if limit < 1 {
		return nil, after, s.explain(doing, engine.BadInput("page", "%d documents long", limit))
	}
	if after != "" {
		if from, err = strconv.ParseInt(after, 16, 64); err != nil || from < 0 || after != nameOf(engine.Ref(from)) {
			return nil, after, s.explain(doing, engine.BadInput("page", "%.40q is not the mark of another one", after))
		}
	}
	mark = after
	err = s.run(ctx, doing, s.options.Timeout, func(ctx context.Context) error {
		l := lister{s, from, limit}
		for docs == nil {
			refs, err := l.next(ctx)
			if err != nil || len(refs) == 0 {
				return err
			}
			found, err := s.read(ctx, refs, withTexts)
			if err != nil {
				return err
			}
			for _, r := range refs {
				if record := found[r]; record != nil { // not deleted meanwhile
					docs = append(docs, record.document())
				}
			}
			mark = nameOf(refs[len(refs)-1])
		}
		return nil
	})
	if err != nil {
		return nil, after, err
	}
	return docs, mark, nil
}

// lister goes through the refs of all documents in their order. Chroma cannot sort,
// but since refs are hashes, a page is about as long as the part of all numbers that
// it is taken from.
type lister struct {
	*Store
	after int64
	limit int
}

// next are up to limit refs, and none at the end.
func (l *lister) next(ctx context.Context) ([]engine.Ref, error) {
	n, err := l.counted(ctx, l.documents)
	if err != nil || n == 0 {
		return nil, err
	}
	width := int64(math.MaxInt64)
	if l.limit < n {
		width = math.MaxInt64 / int64(n) * int64(l.limit)
	}
	var refs []engine.Ref
	for len(refs) < l.limit && l.after < math.MaxInt64 {
		to := int64(math.MaxInt64)
		if l.after < math.MaxInt64-width {
			to = l.after + width
		}
		part, err := l.passing(ctx, every(term(sayRef, "$gt", l.after), term(sayRef, "$lte", to)), 0)
		if err != nil {
			return nil, err
		}
		slices.Sort(part)
		refs = append(refs, part...)
		l.after = to
	}
	if len(refs) > l.limit {
		refs = refs[:l.limit]
	}
	if len(refs) > 0 {
		l.after = int64(refs[len(refs)-1])
	}
	return refs, nil
}
