package chroma

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
)

// note is the uri of a record. The records have a vector because Chroma wants one.
type note struct {
	Name string `json:"name"`
	Text string `json:"text"` // empty: it is about to be removed
}

// SetNotes keeps texts by name with the collection; an empty text removes one. All
// of them are kept when it returns, and all together where they fit into a request.
func (s *Store) SetNotes(ctx context.Context, notes map[string]string) error {
	const doing = "keeping notes"
	if err := engine.CheckNotes(notes); err != nil {
		return s.calls.Explain(doing, err)
	}
	return s.write(ctx, doing, func(ctx context.Context) error {
		var entries []entry
		var gone []string
		for name, text := range notes {
			e, err := newEntry(hash(name), []float32{1}, nil, note{name, text})
			if err != nil {
				return err
			}
			entries = append(entries, e)
			if text == "" {
				gone = append(gone, e.name)
			}
		}
		if err := s.put(ctx, s.notes, entries); err != nil {
			return err
		}
		for part := range slices.Chunk(gone, piece) {
			if _, err := s.ask(ctx, http.MethodPost, s.notes+"/delete", map[string]any{"ids": part}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Notes are those whose names begin with a prefix, by name.
func (s *Store) Notes(ctx context.Context, prefix string) (map[string]string, error) {
	notes := map[string]string{}
	err := s.calls.Read(ctx, "reading notes", func(ctx context.Context) error {
		answer, err := s.ask(ctx, http.MethodPost, s.notes+"/get", map[string]any{"include": []string{}})
		if err != nil {
			return err
		}
		var list struct {
			IDs []string `json:"ids"`
		}
		if err := json.Unmarshal(answer, &list); err != nil {
			return &formError{err.Error()}
		}
		var all sync.Mutex
		return s.pieces(ctx, s.notes, list.IDs, []string{"uris"}, func(answer []byte) error {
			all.Lock()
			defer all.Unlock()
			return decodeNotes(answer, prefix, notes)
		})
	})
	if err != nil {
		return nil, err
	}
	return notes, nil
}

// decodeNotes adds those whose names begin with a prefix.
func decodeNotes(answer []byte, prefix string, notes map[string]string) error {
	var a struct {
		URIs []*string `json:"uris"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return &formError{err.Error()}
	}
	for _, uri := range a.URIs {
		var n note
		if uri == nil || json.Unmarshal([]byte(*uri), &n) != nil {
			return &formError{"a note is not what was stored"}
		}
		if n.Text != "" && strings.HasPrefix(n.Name, prefix) {
			notes[n.Name] = n.Text
		}
	}
	return nil
}
