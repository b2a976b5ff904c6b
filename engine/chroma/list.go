package chroma

import (
	"context"
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// List goes by names, that is, in no order that has a meaning. A document that is
// stored while the list is read is listed if its name is yet to come. Chroma narrows
// a filter down, and what it leaves open is checked here.
func (s *Store) List(ctx context.Context, page engine.Page) (docs []engine.Document, mark string, err error) {
	const doing = "listing documents"
	if err := pooling.CheckPage(&page, isName); err != nil {
		return nil, page.After, s.calls.Explain(doing, err)
	}
	err = s.calls.Read(ctx, doing, func(ctx context.Context) error {
		l, err := s.lister(ctx, page.After, page.Limit, where(page.Filter, false))
		for err == nil && len(docs) == 0 {
			var names []string
			if names, err = l.next(ctx); err != nil || len(names) == 0 {
				return err
			}
			docs, mark, err = s.passed(ctx, names, &page)
			l.after = mark
		}
		return err
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, mark, nil
}

// passed reads a portion of the documents that have names, those that pass the filter of
// a page. The mark is the last name that was looked at.
func (s *Store) passed(ctx context.Context, names []string, page *engine.Page) (docs []engine.Document, mark string, err error) {
	docs, err = pooling.Portion(page.Portion(), names, page.Parts, func(names []string) ([]engine.Document, error) {
		docs := make([]engine.Document, len(names))
		found, err := s.read(ctx, names, detailOf(page.Parts))
		for i, name := range names {
			r := found[name]
			if r == nil || err != nil { // deleted meanwhile
				continue
			}
			var passes bool
			if passes, err = pooling.Passes(page.Filter, []byte(r.Metadata)); passes {
				docs[i], err = r.Document(page.Parts)
			}
		}
		return docs, err
	})
	if err != nil {
		return nil, "", err
	}
	mark = names[len(docs)-1]
	return slices.DeleteFunc(docs, func(d engine.Document) bool { return d.ID == "" }), mark, nil
}

// Sample are the first documents in the order of their names, which are hashes: so
// they are in no order at all.
func (s *Store) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = s.calls.Read(ctx, "sampling documents", func(ctx context.Context) error {
		l, err := s.lister(ctx, "", n, nil)
		if err != nil {
			return err
		}
		names, err := l.next(ctx)
		for _, name := range names {
			refs = append(refs, engine.Ref{Key: name})
		}
		return err
	})
	return refs, err
}

// lister goes through the names of documents that meet a condition, in their order.
// Chroma cannot sort, but since names are hashes, a page is about as long as the part
// of all numbers that it is taken from.
type lister struct {
	*Store
	after string // the last name that was given
	limit int
	where *condition
	width int64 // of the next part of the numbers
}

func (s *Store) lister(ctx context.Context, after string, limit int, where *condition) (*lister, error) {
	n, err := s.counted(ctx, s.documents)
	l := &lister{s, after, limit, where, math.MaxInt64}
	if limit < n {
		l.width = math.MaxInt64 / int64(n) * int64(limit)
	}
	return l, err
}

// next are up to limit names, and none at the end.
func (l *lister) next(ctx context.Context) (names []string, err error) {
	from := int64(0)
	if l.after != "" {
		from = numberOf(l.after)
	}
	for done := false; len(names) < l.limit && !done; {
		to := int64(math.MaxInt64)
		if done = from >= math.MaxInt64-l.width; !done {
			to = from + l.width
		}
		part, err := l.passing(ctx, every(term(sayNumber, "$gte", from), term(sayNumber, "$lte", to), l.where), 0)
		if err != nil {
			return nil, err
		}
		if len(part) < l.limit/4 && l.width < math.MaxInt64/2 {
			l.width *= 2 // few meet the condition
		}
		slices.Sort(part)
		for _, name := range part {
			if name > l.after {
				names = append(names, name)
			}
		}
		from = to + 1
	}
	names = names[:min(len(names), l.limit)]
	if len(names) > 0 {
		l.after = names[len(names)-1]
	}
	return names, nil
}
