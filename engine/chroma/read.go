package chroma

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Size counts the passages of deleted and replaced documents too, where they were
// left behind.
func (s *Store) Size(ctx context.Context) (size engine.Size, err error) {
	err = s.calls.Read(ctx, "counting documents", func(ctx context.Context) (err error) {
		size, err = s.calls.Size.Get(ctx, s.count)
		return err
	})
	return size, err
}

func (s *Store) count(ctx context.Context) (engine.Size, error) {
	documents, err := s.counted(ctx, s.documents)
	if err != nil {
		return engine.Size{}, err
	}
	passages, err := s.counted(ctx, s.passages)
	return engine.Size{Documents: documents, Vectors: documents + passages, Dimension: s.dim}, err
}

// piece is how many records are asked for at once, by their names, of which each is
// a variable in a statement of the server's.
const piece = 500

// pieces asks for records of a collection by their names, some pieces at a time, and
// for a piece in halves where the answer is too long. It calls f with the answers,
// and again where f finds that something was written meanwhile.
func (s *Store) pieces(ctx context.Context, address string, names, include []string, f func(answer []byte) error) error {
	parts := slices.Collect(slices.Chunk(names, piece))
	var one func(ctx context.Context, names []string, try int) error
	one = func(ctx context.Context, names []string, try int) error {
		answer, err := s.ask(ctx, http.MethodPost, address+"/get", map[string]any{"ids": names, "include": include})
		if errors.Is(err, errLarge) && len(names) > 1 {
			half := len(names) / 2
			if err := one(ctx, names[:half], 0); err != nil {
				return err
			}
			return one(ctx, names[half:], 0)
		}
		if err == nil {
			err = f(answer)
		}
		if errors.Is(err, errTorn) && try < 10 {
			return one(ctx, names, try+1)
		}
		return err
	}
	return workers.Each(ctx, len(parts), connections/2, func(ctx context.Context, i int) error { return one(ctx, parts[i], 0) })
}

// read reads documents by the names of their records, those that are there.
func (s *Store) read(ctx context.Context, names []string, d detail) (map[string]*record, error) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	found := make(map[string]*record, len(names))
	var all sync.Mutex
	err := s.pieces(ctx, s.documents, names, d.include(), func(answer []byte) error {
		records, err := decodeRecords(answer, d, s.dim)
		all.Lock()
		defer all.Unlock()
		for _, r := range records {
			found[r.name] = r
		}
		return err
	})
	return found, err
}

// detailOf is how much is read for the wanted parts. Chroma gives all of what a
// record says or nothing: the vectors come along.
func detailOf(parts engine.Parts) detail {
	if parts.Has(engine.Titles | engine.Texts | engine.PassageVectors) { // how many passages there are is with their texts
		return withTexts
	}
	return withVectors
}

// namesOf are those of refs that some document may have.
func namesOf(refs []engine.Ref) (names []string) {
	for _, r := range refs {
		if isName(r.Key) {
			names = append(names, r.Key)
		}
	}
	return names
}

// Documents reads the wanted parts of documents. Those that were replaced since are
// what they are now.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) ([]engine.Document, error) {
	docs := make([]engine.Document, len(refs))
	err := s.calls.Read(ctx, "reading documents", func(ctx context.Context) error {
		found, err := s.read(ctx, namesOf(refs), detailOf(parts))
		for i, r := range refs {
			if record := found[r.Key]; record != nil && err == nil {
				docs[i], err = record.Document(parts)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// Get reads the wanted parts of a document by its id.
func (s *Store) Get(ctx context.Context, id string, parts engine.Parts) (d engine.Document, err error) {
	err = s.find(ctx, "reading", id, detailOf(parts), func(r *record) (err error) {
		d, err = r.Document(parts)
		return err
	})
	return d, err
}

// Find is the Ref of the document that has an id.
func (s *Store) Find(ctx context.Context, id string) (ref engine.Ref, err error) {
	err = s.find(ctx, "finding", id, onlyNames, func(r *record) error {
		ref = engine.Ref{Key: r.name}
		return nil
	})
	return ref, err
}

func (s *Store) find(ctx context.Context, doing, id string, d detail, f func(*record) error) error {
	return s.calls.Read(ctx, fmt.Sprintf("%s document %.80q", doing, id), func(ctx context.Context) error {
		found, err := s.read(ctx, []string{nameOf(id)}, d)
		switch r := found[nameOf(id)]; {
		case err != nil:
			return err
		case r == nil:
			return engine.ErrNotFound
		default:
			return f(r)
		}
	})
}

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
			docs, err = s.passed(ctx, names, &page)
			mark = names[len(names)-1]
		}
		return err
	})
	if err != nil || len(docs) == 0 {
		return nil, page.After, err
	}
	return docs, mark, nil
}

// passed reads those documents that pass the filter of a page, in the order of names.
func (s *Store) passed(ctx context.Context, names []string, page *engine.Page) (docs []engine.Document, err error) {
	found, err := s.read(ctx, names, detailOf(page.Parts))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		r := found[name]
		if r == nil { // deleted meanwhile
			continue
		}
		passes, err := pooling.Passes(page.Filter, []byte(r.Metadata))
		if err != nil {
			return nil, err
		}
		if passes {
			d, err := r.Document(page.Parts)
			if err != nil {
				return nil, err
			}
			docs = append(docs, d)
		}
	}
	return docs, nil
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
