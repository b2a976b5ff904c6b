package chroma

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Size counts the passages of deleted and replaced documents too, where they were
// left behind.
func (s *Store) Size(ctx context.Context) (engine.Size, error) {
	size := engine.Size{Dimension: s.dim}
	err := s.run(ctx, "counting documents", s.options.Timeout, func(ctx context.Context) error {
		documents, err := s.counted(ctx, s.documents)
		if err != nil {
			return err
		}
		passages, err := s.counted(ctx, s.passages)
		size.Documents, size.Vectors = documents, documents+passages
		s.count.Store(int64(documents))
		return err
	})
	return size, err
}

// page is how many records are asked for at once, by their names, of which each is
// a variable in a statement of the server's.
const page = 500

// pages asks for records of a collection by their names, some pages at a time, and
// for a page in halves where the answer is too long. It calls f with the answers,
// and again where f finds that something was written meanwhile.
func (s *Store) pages(ctx context.Context, address string, names, include []string, f func(answer []byte) error) error {
	parts := slices.Collect(slices.Chunk(names, page))
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
	return together(ctx, len(parts), func(ctx context.Context, i int) error { return one(ctx, parts[i], 0) })
}

// read reads documents, those that are there.
func (s *Store) read(ctx context.Context, refs []engine.Ref, d detail) (map[engine.Ref]*record, error) {
	names := make([]string, len(refs))
	for i, r := range refs {
		names[i] = nameOf(r)
	}
	slices.Sort(names)
	found := make(map[engine.Ref]*record, len(refs))
	var all sync.Mutex
	err := s.pages(ctx, s.documents, slices.Compact(names), d.include(), func(answer []byte) error {
		records, err := decodeRecords(answer, d, s.dim)
		all.Lock()
		defer all.Unlock()
		for _, r := range records {
			found[r.ref] = r
		}
		return err
	})
	return found, err
}

// together runs f for 0 to n-1, a few at a time, and stops at the first error.
func together(ctx context.Context, n int, f func(context.Context, int) error) error {
	return workers.Each(ctx, n, connections/2, f)
}

// Documents reads documents. Those that were replaced since are what they are now.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref) ([]engine.Document, error) {
	docs := make([]engine.Document, len(refs))
	err := s.run(ctx, "reading documents", s.options.Timeout, func(ctx context.Context) error {
		found, err := s.read(ctx, slices.DeleteFunc(slices.Clone(refs), impossible), withTexts)
		for i, r := range refs {
			if record := found[r]; record != nil {
				docs[i] = record.document()
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// impossible is what no document has: refOf has 63 bits.
func impossible(r engine.Ref) bool { return r>>63 != 0 }

// Get reads a document by its id. It fails with index.ErrNotFound where there is
// none.
func (s *Store) Get(ctx context.Context, id string) (engine.Document, error) {
	r, err := s.find(ctx, "reading", id, withTexts)
	if err != nil {
		return engine.Document{}, err
	}
	return r.document(), nil
}

// Find is the Ref of the document that has an id. It fails with index.ErrNotFound
// where there is none.
func (s *Store) Find(ctx context.Context, id string) (engine.Ref, error) {
	r, err := s.find(ctx, "finding", id, onlySaid)
	if err != nil {
		return 0, err
	}
	return r.ref, nil
}

func (s *Store) find(ctx context.Context, doing, id string, d detail) (r *record, err error) {
	err = s.run(ctx, fmt.Sprintf("%s document %.80q", doing, id), s.options.Timeout, func(ctx context.Context) error {
		found, err := s.read(ctx, []engine.Ref{refOf(id)}, d)
		if r = found[refOf(id)]; err == nil && (r == nil || r.ID != id) {
			err = index.ErrNotFound
		}
		return err
	})
	return r, err
}
