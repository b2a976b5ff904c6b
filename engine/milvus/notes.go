package milvus

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// noteDimension is that of the vector that a note has because it must.
const noteDimension = 2

// note is one with its name.
type note struct{ name, value string }

// SetNotes keeps texts by name with the collection; an empty text removes one. Where it
// fails, some may be kept and some not; to do it again does no harm.
func (s *Store) SetNotes(ctx context.Context, notes map[string]string) error {
	const doing = "keeping notes"
	if err := engine.CheckNotes(notes); err != nil {
		return s.calls.Explain(doing, err)
	}
	var kept []note
	var removed []string
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		if notes[name] == "" {
			removed = append(removed, hashed(name))
		} else {
			kept = append(kept, note{name, notes[name]})
		}
	}
	return s.calls.Write(ctx, doing, func(ctx context.Context) error {
		for _, some := range pieces(kept, func(n *note) int { return len(n.name) + len(n.value) }) {
			var keys []string
			var names, values [][]string
			var nowhere [][]float32
			for _, n := range some {
				keys, names, values = append(keys, hashed(n.name)), append(names, divided(n.name)), append(values, divided(n.value))
				nowhere = append(nowhere, []float32{1, 0})
			}
			err := s.notes.upsert(ctx, len(some), texts(keyField, keys), lists(nameField, names), lists(valueField, values), vectors(vectorField, noteDimension, nowhere))
			if err != nil {
				return err
			}
		}
		for some := range slices.Chunk(removed, maxPage) {
			if err := s.notes.remove(ctx, s.notes.anyOf(some)); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// Notes are those whose names begin with a prefix, by name. It reads all of them.
func (s *Store) Notes(ctx context.Context, prefix string) (notes map[string]string, err error) {
	err = s.calls.Read(ctx, "reading notes", func(ctx context.Context) error {
		notes = map[string]string{}
		return s.notes.pages(ctx, "", "", maxPage, []string{keyField, nameField, valueField}, func(r *rows) error {
			for i := range r.keys {
				if name := r.joined(i, nameField); strings.HasPrefix(name, prefix) {
					notes[name] = r.joined(i, valueField)
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return notes, nil
}
