package weaviate

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// SetNotes keeps texts by name with the collection; an empty text removes one. Where
// it fails, some may be kept and some not; to do it again does no harm.
func (s *Store) SetNotes(ctx context.Context, notes map[string]string) error {
	const doing = "keeping notes"
	if err := engine.CheckNotes(notes); err != nil {
		return s.calls.Explain(doing, err)
	}
	var kept []*wire.BatchObject
	var removed []key
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		if notes[name] == "" {
			removed = append(removed, keyOf(name))
		} else {
			kept = append(kept, s.note(name, notes[name]))
		}
	}
	pieces := divide(kept, func(o *wire.BatchObject) int { return proto.Size(o) })
	return s.write(ctx, doing, func(ctx context.Context, h *host) error {
		if err := each(ctx, len(pieces), func(ctx context.Context, i int) error { return s.put(ctx, h, pieces[i]) }); err != nil {
			return err
		}
		return each(ctx, len(removed), func(ctx context.Context, i int) error {
			return h.remove(ctx, s.path(s.address.notesClass(), removed[i]))
		})
	})
}

// note is a note as it is sent.
func (s *Store) note(name, value string) *wire.BatchObject {
	return &wire.BatchObject{Uuid: keyOf(name).String(), Collection: s.address.notesClass(), Properties: &wire.BatchObject_Properties{
		NonRefProperties: &structpb.Struct{Fields: map[string]*structpb.Value{
			nameProperty: structpb.NewStringValue(name), valueProperty: structpb.NewStringValue(value),
		}},
	}}
}

// Notes are those whose names begin with a prefix, by name. It reads all of them.
// Where the node that has them is away, that is an error.
func (s *Store) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	var notes map[string]string
	request := ask(s.address.notesClass(), []string{nameProperty, valueProperty})
	err := s.read(ctx, "reading notes", func(ctx context.Context, h *host) error {
		notes = map[string]string{}
		_, err := pages(ctx, h, request, key{}, math.MaxInt, func(_ key, r *wire.SearchResult) (bool, error) {
			if name := textIn(r, nameProperty); strings.HasPrefix(name, prefix) {
				notes[name] = textIn(r, valueProperty)
			}
			return true, nil
		})
		if err != nil {
			return err
		}
		return s.notesAt.intact(ctx, h)
	})
	if err != nil {
		return nil, err
	}
	return notes, nil
}
