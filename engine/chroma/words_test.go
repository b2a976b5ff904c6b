package chroma

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/words"
)

// A collection from before words were kept is read without them, and has them once it was
// opened for writing, with all else as it was.
func TestWordless(t *testing.T) {
	ctx, address := context.Background(), collection(t, sharedURL(t))
	s := opened(t, address, engine.Options{Dimension: dim, Encoder: "e"})
	docs := enginetest.Documents(700)
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	want, err := s.read(ctx, namesOfAll(docs), onlySaid)
	if err != nil {
		t.Fatal(err)
	}
	// forget takes the words away from some documents, and makes the format that of the
	// version before.
	forget := func(docs []engine.Document) {
		t.Helper()
		said := make([]map[string]any, len(docs))
		for i := range said {
			said[i] = map[string]any{sayPieces: nil}
		}
		if _, err := s.ask(ctx, http.MethodPost, s.documents+"/update", map[string]any{"ids": namesOfAll(docs), "metadatas": said}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ask(ctx, http.MethodPut, s.documents, map[string]any{"new_metadata": marks{own, namedFormat, dim, "e"}}); err != nil {
			t.Fatal(err)
		}
	}
	forget(docs)
	reader := opened(t, address, engine.Options{ReadOnly: true})
	if _, err := reader.Statistics(ctx); !errors.Is(err, engine.ErrNoWords) {
		t.Errorf("%v", err)
	}
	q := words.NewQuery([]string{"title", "a"}, words.NewStatistics())
	for _, gone := range [][]engine.Document{docs, docs[100:300]} {
		forget(gone)
		writer := opened(t, address, engine.Options{})
		if counted, err := writer.Statistics(ctx); err != nil || counted.Documents() != len(docs) {
			t.Errorf("%v", err)
		}
		found, err := writer.Said(ctx, q, nil, nil)
		if err != nil || len(found.Refs) != len(docs) {
			t.Fatalf("%d documents, %v", len(found.Refs), err)
		}
		for i := range found.Refs {
			if found.Atoms[0][i] != 1 || found.Atoms[1][i] != 1 {
				t.Errorf("%g and %g, want all", found.Atoms[0][i], found.Atoms[1][i])
			}
		}
		got, err := writer.read(ctx, namesOfAll(docs), onlySaid)
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range want {
			if !maps.EqualFunc(r.said, got[name].said, func(a, b json.RawMessage) bool { return slices.Equal(a, b) }) {
				t.Fatalf("%s says %s, want %s", name, fmt.Sprint(got[name].said), fmt.Sprint(r.said))
			}
		}
		if d, err := writer.Get(ctx, "id-7", engine.AllParts); err != nil || d.Text != docs[7].Text || len(d.Passages) != 2 {
			t.Errorf("%+v, %v", d, err)
		}
		v := [][]float32{docs[7].Vector}
		if found, err := writer.Pool(ctx, v, 10, nil, v); err != nil || len(found.Refs) != 10 || found.Refs[0].Key != nameOf("id-7") {
			t.Errorf("%+v, %v", found, err)
		}
		writer.Close()
	}
	if counted, err := reader.Statistics(ctx); err != nil || counted.Documents() != len(docs) {
		t.Errorf("who reads is not told that there are words: %v", err)
	}
}

func namesOfAll(docs []engine.Document) (names []string) {
	for _, d := range docs {
		names = append(names, nameOf(d.ID))
	}
	return names
}
