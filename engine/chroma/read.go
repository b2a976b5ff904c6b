package chroma

import (
	"context"
	"errors"
	"fmt"
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

// Documents reads the wanted parts of documents, a portion of them. Those that were
// replaced since are what they are now.
func (s *Store) Documents(ctx context.Context, refs []engine.Ref, parts engine.Parts) (docs []engine.Document, err error) {
	err = s.calls.Read(ctx, "reading documents", func(ctx context.Context) (err error) {
		docs, err = pooling.Portion(new(engine.Portion), refs, parts, func(refs []engine.Ref) ([]engine.Document, error) {
			docs := make([]engine.Document, len(refs))
			found, err := s.read(ctx, namesOf(refs), detailOf(parts))
			for i, r := range refs {
				if record := found[r.Key]; record != nil && err == nil {
					docs[i], err = record.Document(parts)
				}
			}
			return docs, err
		})
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
