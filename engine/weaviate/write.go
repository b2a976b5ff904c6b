package weaviate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// A batch goes to the server in pieces of at most so many objects and about so many
// bytes.
const pieceObjects, pieceBytes = 200, 8 << 20

// errPartly is in errors about objects of a batch that the server has not stored.
var errPartly = errors.New("the others of the batch may be stored, and storing it again does no harm")

// Upsert stores documents, in place of those that have their ids. Each of them is
// stored whole or not at all, but where it fails some of the batch may be stored and
// some not, as the package says; to do it again does no harm, so that what goes
// wrong on the way is tried again. A document that is replaced keeps its Ref.
// Batches of some hundred documents are good.
func (s *Store) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	rows, err := rowsOf(ctx, docs, s.dim)
	if err != nil {
		return s.calls.Explain(doing, err)
	}
	pieces := divide(rows, row.bytes)
	done := make([]bool, len(pieces))
	return s.write(ctx, doing, func(ctx context.Context, h *host) error {
		return each(ctx, len(pieces), func(ctx context.Context, i int) error {
			if done[i] {
				return nil
			}
			objects := make([]*wire.BatchObject, len(pieces[i]))
			for j := range objects {
				objects[j] = pieces[i][j].object(s.address.collection)
			}
			err := s.put(ctx, h, objects)
			done[i] = err == nil
			return err
		})
	})
}

// divide cuts a batch into pieces that fit into a message each.
func divide[T any](items []T, bytes func(T) int) [][]T {
	var pieces [][]T
	first, sum := 0, 0
	for i := range items {
		n := bytes(items[i])
		if i > first && (i-first == pieceObjects || sum+n > pieceBytes) {
			pieces = append(pieces, items[first:i])
			first, sum = i, 0
		}
		sum += n
	}
	if first < len(items) {
		pieces = append(pieces, items[first:])
	}
	return pieces
}

// put stores objects.
func (s *Store) put(ctx context.Context, h *host, objects []*wire.BatchObject) error {
	reply, err := h.batch(ctx, &wire.BatchObjectsRequest{Objects: objects, ConsistencyLevel: s.consistency()})
	if err != nil {
		return err
	}
	failed := reply.GetErrors()
	if len(failed) == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d objects are not stored: %.1000s; %w", len(failed), len(objects), failed[0].GetError(), errPartly)
}

// Delete removes the documents that have the given ids, one by one, and tells how
// many there were. Where it fails, some of them may be gone; to do it again does no
// harm.
func (s *Store) Delete(ctx context.Context, ids []string) (int, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	there, gone := make([]bool, len(ids)), make([]bool, len(ids))
	err := s.write(ctx, "deleting documents", func(ctx context.Context, h *host) error {
		return each(ctx, len(ids), func(ctx context.Context, i int) (err error) {
			if gone[i] {
				return nil
			}
			path := s.path(s.address.collection, keyOf(ids[i]))
			// Whether it is there is found out before it is deleted: after a
			// connection is lost nobody could tell.
			if !there[i] {
				if there[i], err = h.exists(ctx, path); err != nil || !there[i] {
					return err
				}
			}
			err = h.remove(ctx, path)
			gone[i] = err == nil
			return err
		})
	})
	deleted := 0
	for _, is := range gone {
		if is {
			deleted++
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%w; %d of them are gone, and to delete them again does no harm", err, deleted)
	}
	return deleted, nil
}
