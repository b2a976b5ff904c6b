package chroma

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// mark is where a page ended: how many records came until then, and which were the last
// of them, since a place alone moves when records before it are deleted.
type mark struct {
	At   int      `json:"at"`
	Last []string `json:"last"`
}

// anchors is how many of the last are noted: where all of them are deleted, nothing tells
// where the page ended.
const anchors = 4

func readMark(text string) (m mark, ok bool) {
	err := json.Unmarshal([]byte(text), &m)
	return m, err == nil && m.String() == text && m.At >= len(m.Last) && len(m.Last) > 0 && len(m.Last) <= anchors && !slices.Contains(m.Last, "")
}

func (m mark) String() string {
	text, err := marshal(m)
	if err != nil {
		panic(err) // there is nothing in it that cannot be written
	}
	return string(text)
}

// longest is how many ids a page of them has.
const longest = 1000

// List goes in the order in which records were stored. Chroma narrows a filter down, and
// what it leaves open is checked here.
func (s *Store) List(ctx context.Context, page engine.Page) (docs []engine.Document, after string, err error) {
	const doing = "listing documents"
	isMark := func(text string) bool { _, ok := readMark(text); return ok }
	if err := pooling.CheckPage(&page, isMark); err != nil {
		return nil, page.After, s.calls.Explain(doing, err)
	}
	err = s.calls.Read(ctx, doing, func(ctx context.Context) error {
		where, err := s.where(ctx, page.Filter)
		if err != nil {
			return err
		}
		at, err := s.resume(ctx, where, page.After)
		for err == nil && len(docs) == 0 {
			var ids []string
			if ids, err = s.page(ctx, where, at, min(page.Limit, longest)); err != nil || len(ids) == 0 {
				return err
			}
			var looked int
			docs, looked, err = s.passed(ctx, ids, &page)
			at += looked
			after = mark{at, ids[max(0, looked-anchors):looked]}.String()
		}
		return err
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, after, nil
}

// resume is where the page after a mark begins.
func (s *Store) resume(ctx context.Context, where *condition, after string) (int, error) {
	if after == "" {
		return 0, nil
	}
	m, _ := readMark(after)
	ids, err := s.page(ctx, where, m.At-len(m.Last), len(m.Last))
	if err != nil || slices.Equal(ids, m.Last) {
		return m.At, err
	}
	// Something was deleted since, or passes a filter that did not.
	best, at := -1, 0
	for offset := 0; best < len(m.Last)-1; offset += longest {
		ids, err := s.page(ctx, where, offset, longest)
		if err != nil {
			return 0, err
		}
		if len(ids) == 0 {
			break
		}
		for i, id := range ids {
			if anchor := slices.Index(m.Last, id); anchor > best {
				best, at = anchor, offset+i+1
			}
		}
	}
	if best < 0 {
		return 0, errors.New("the documents that the page before ended with have been deleted: list from the beginning")
	}
	return at, nil
}

// passed reads a portion of the documents that have ids, those that pass the filter of a
// page, and tells how many were looked at.
func (s *Store) passed(ctx context.Context, ids []string, page *engine.Page) (docs []engine.Document, looked int, err error) {
	parts := page.Parts
	if page.Filter != nil {
		parts |= engine.Metadata
	}
	docs, err = pooling.Portion(page.Portion(), ids, parts, func(ids []string) ([]engine.Document, error) {
		docs := make([]engine.Document, len(ids))
		found, err := s.read(ctx, ids, parts)
		for i, id := range ids {
			d := found[id]
			if d == nil || err != nil { // deleted meanwhile
				continue
			}
			var passes bool
			if passes, err = pooling.Passes(page.Filter, d.Metadata); passes {
				docs[i] = *d
			}
			if !page.Parts.Has(engine.Metadata) {
				docs[i].Metadata = nil
			}
		}
		return docs, err
	})
	if err != nil {
		return nil, 0, err
	}
	looked = len(docs)
	return slices.DeleteFunc(docs, func(d engine.Document) bool { return d.ID == "" }), looked, nil
}

// Sample are documents at even distances in the order in which they were stored.
func (s *Store) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = s.calls.Read(ctx, "sampling documents", func(ctx context.Context) error {
		ids, err := s.sample(ctx, n)
		for _, id := range ids {
			refs = append(refs, engine.Ref{Key: id})
		}
		return err
	})
	return refs, err
}

// stretches is how many parts of a large collection a sample is taken from: to get at a
// record by its place takes Chroma the longer the more there are before it.
const stretches = 25

func (s *Store) sample(ctx context.Context, n int) ([]string, error) {
	size, err := s.calls.Size.Get(ctx, s.count)
	if err != nil {
		return nil, err
	}
	if size.Documents <= max(n, s.limits.Whole) {
		all, err := s.page(ctx, nil, 0, max(1, size.Documents))
		return evenly(all, n), err
	}
	parts := make([][]string, min(n, stretches))
	err = workers.Each(ctx, len(parts), connections/2, func(ctx context.Context, i int) (err error) {
		parts[i], err = s.page(ctx, nil, i*(size.Documents/len(parts)), n/len(parts))
		return err
	})
	return slices.Concat(parts...), err
}

// evenly are n of ids.
func evenly(ids []string, n int) []string {
	if len(ids) <= n {
		return ids
	}
	out := make([]string, n)
	for i := range out {
		out[i] = ids[i*len(ids)/n]
	}
	return out
}
