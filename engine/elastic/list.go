package elastic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// mark is a place in the order in which an index lists its documents: shard after shard, in
// each by when they were written last. What is replaced meanwhile comes later once more.
type mark struct {
	shard int
	from  int64
}

func (m mark) String() string { return fmt.Sprintf("%d.%d", m.shard, m.from) }

func parseMark(text string) (m mark, ok bool) {
	shard, from, _ := strings.Cut(text, ".")
	s, err := strconv.ParseUint(shard, 10, 31)
	f, other := strconv.ParseUint(from, 10, 62)
	m = mark{int(s), int64(f)}
	return m, err == nil && other == nil && m.String() == text
}

// walk asks for what r asks for, from a mark on, so many at once, until there is no more or
// limit have been taken. It is the mark of what comes next.
func (s *reader) walk(ctx context.Context, r *request, at mark, limit int, l *lack, visit func(*hit) (taken bool, err error)) (mark, error) {
	r.Size, r.Sort = min(r.Size, limit), []string{"_seq_no"}
	for at.shard < s.shards {
		r.Shard, r.After = at.shard, []int64{at.from - 1}
		a, err := s.search(ctx, r, l)
		if errors.Is(err, errLarge) && r.Size > 1 {
			r.Size /= 2
			continue
		}
		if l != nil && refused(err, http.StatusServiceUnavailable) { // the shard is not there
			l.note(1, s.shards)
			at = mark{shard: at.shard + 1}
			continue
		}
		if err != nil {
			return at, err
		}
		for i := range a.Hits.Hits {
			h := &a.Hits.Hits[i]
			if h.Sort[0] < at.from {
				return at, &formError{"documents do not come in order"}
			}
			at.from = h.Sort[0] + 1
			taken, err := visit(h)
			if err != nil {
				return at, err
			}
			if taken {
				limit--
			}
			if limit == 0 {
				return at, nil
			}
		}
		if len(a.Hits.Hits) < r.Size {
			at = mark{shard: at.shard + 1}
		}
	}
	return at, nil
}

// all asks for what r asks for of all documents that answer a query.
func (s *reader) all(ctx context.Context, r *request, q clause, l *lack, visit func(*hit) error) error {
	r.Query = allOf(s.form.documents(), q)
	_, err := s.walk(ctx, r, mark{}, math.MaxInt, l, func(h *hit) (bool, error) { return true, visit(h) })
	return err
}

// errFull is that no more documents are to be read for now.
var errFull = errors.New("the portion is full")

// List reads up to limit documents, in the order that mark has.
func (s *reader) List(ctx context.Context, page engine.Page) (docs []engine.Document, next string, err error) {
	const doing = "listing documents"
	var at mark
	err = remote.CheckPage(&page, func(text string) (ok bool) {
		at, ok = parseMark(text)
		return ok
	})
	if err != nil {
		return nil, page.After, s.calls.Explain(doing, err)
	}
	err = s.calls.Read(ctx, doing, func(ctx context.Context) (err error) {
		f, portion, parts := newFilter(page.Filter, s.form), page.Portion(), page.Parts
		if !f.exact {
			parts |= engine.Metadata
		}
		r := s.request(parts)
		r.Query = allOf(s.form.documents(), f.most)
		at, err = s.walk(ctx, r, at, page.Limit, nil, func(h *hit) (bool, error) {
			stored, err := s.form.stored(h, parts)
			if err != nil {
				return false, err
			}
			if !f.exact {
				passes, err := remote.Passes(f.node, []byte(stored.Metadata))
				if err != nil || !passes {
					return false, err
				}
			}
			d, err := stored.Document(page.Parts)
			if docs = append(docs, d); err == nil && portion.Add(d) {
				err = errFull
			}
			return true, err
		})
		if errors.Is(err, errFull) {
			err = nil
		}
		return err
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, at.String(), nil
}

// Sample are those that come first by a number that is made of when they were written and
// looks like chance.
func (s *reader) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = s.calls.Read(ctx, "sampling documents", func(ctx context.Context) error {
		if refs = nil; n < 1 {
			return nil
		}
		a, err := s.search(ctx, &request{Size: min(n, maxResults), Source: false, Query: clause{"function_score": clause{
			"query": allOf(s.form.documents()), "boost_mode": "replace",
			"random_score": clause{"seed": 1, "field": "_seq_no"},
		}}}, new(lack))
		if err != nil {
			return err
		}
		for i := range a.Hits.Hits {
			refs = append(refs, engine.Ref{Key: a.Hits.Hits[i].ID})
		}
		return nil
	})
	return refs, err
}
