package elastic

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// SetNotes keeps texts by name with the collection; an empty text removes one. Where it
// fails, some may be kept and some not; to do it again does no harm.
func (s *Store) SetNotes(ctx context.Context, notes map[string]string) error {
	const doing = "keeping notes"
	if err := engine.CheckNotes(notes); err != nil {
		return s.Calls.Explain(doing, err)
	}
	var actions []action
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		key := keyOf('n', name)
		a, err := remove(key)
		if notes[name] != "" {
			a, err = store(key, &record{ID: name, Value: notes[name], Note: true})
		}
		if err != nil {
			return s.Calls.Explain(doing, err)
		}
		actions = append(actions, a)
	}
	return s.write(ctx, doing, actions)
}

// Notes are those whose names begin with a prefix, by name. It reads all of them.
func (s *Store) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	var notes map[string]string
	err := s.Calls.Read(ctx, "reading notes", func(ctx context.Context) error {
		notes = map[string]string{}
		r := &request{Size: pageDocuments, Query: allOf(clause{"term": clause{noteField: true}}), Source: []string{"id", "value"}}
		return s.driver.walk(ctx, r, mark{}, math.MaxInt, func(h *hit, _ mark) (bool, error) {
			note, err := h.record()
			if err == nil && strings.HasPrefix(note.ID, prefix) {
				notes[note.ID] = note.Value
			}
			return true, err
		})
	})
	if err != nil {
		return nil, err
	}
	return notes, nil
}
