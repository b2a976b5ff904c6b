package weaviate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/words"
)

// A collection from before words and places were kept is read without them, and has words
// once it was opened for writing, with all else as it was, and room for places.
func TestWordless(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	name := collection(t, c)
	at := c.URL() + "&collection=" + name
	older := settings{1, dim, "e"}.describe()
	for _, class := range []*class{notesClass(&address{collection: name}, older), documentsClass(&address{collection: name}, older)} {
		class.Properties = slices.DeleteFunc(class.Properties, func(p property) bool { return p.Name == piecesProperty || p.Name == placesProperty })
		askSchema(t, c, http.MethodPost, "schema", class)
	}
	reader := opened(t, at, engine.Options{ReadOnly: true})
	docs := enginetest.Documents(450)
	rows, err := rowsOf(ctx, docs, dim)
	if err != nil {
		t.Fatal(err)
	}
	var objects []*wire.BatchObject
	for i := range rows {
		o := rows[i].object(name)
		delete(o.Properties.NonRefProperties.Fields, piecesProperty)
		objects = append(objects, o)
	}
	if err := reader.put(ctx, reader.hosts[0], objects); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Statistics(ctx); !errors.Is(err, engine.ErrNoWords) {
		t.Errorf("%v", err)
	}
	v := [][]float32{docs[3].Vector}
	want, err := reader.Pool(ctx, v, len(docs), nil, v)
	if err != nil || len(want.Refs) != len(docs) {
		t.Fatalf("%d documents, %v", len(want.Refs), err)
	}

	for range 2 {
		s := opened(t, at, engine.Options{})
		spelled(t, s, len(docs))
		for i := range docs[:5] {
			d, err := s.Get(ctx, docs[i].ID, engine.AllParts)
			if err != nil || len(d.Passages) != 2 || d.Text != docs[i].Text || string(d.Metadata) != string(docs[i].Metadata) || !slices.Equal(d.Passages[1].Vector, rows[i].rows[2]) {
				t.Errorf("%+v, %v, want %+v", d, err, docs[i])
			}
		}
		got, err := s.Pool(ctx, v, 20, nil, v)
		if err != nil || len(got.Refs) != 20 {
			t.Errorf("%d documents, %v", len(got.Refs), err)
		}
		if got, err := s.Pool(ctx, v, len(docs), nil, v); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("similarities have changed, %v", err)
		}
		placed := docs[5]
		placed.Passages[0].Place.Heading = "Install › From source"
		if err := s.Upsert(ctx, []engine.Document{placed}); err != nil {
			t.Error(err)
		}
		if d, err := s.Get(ctx, placed.ID, engine.Texts); err != nil || d.Passages[0].Place != placed.Passages[0].Place {
			t.Errorf("%+v, %v", d.Passages, err)
		}
		s.Close()
		// As if it had been cut off before the end.
		class := askSchema(t, c, http.MethodGet, "schema/"+name, nil)
		if class["description"] != (settings{format, dim, "e"}).describe() {
			t.Errorf("the collection says %s", class["description"])
		}
		class["description"] = older
		askSchema(t, c, http.MethodPut, "schema/"+name, class)
	}
	opened(t, at, engine.Options{}).Close()
	if counted, err := reader.Statistics(ctx); err != nil || counted.Documents() != len(docs) {
		t.Errorf("who reads is not told that there are words: %v", err)
	}
}

// spelled checks that a store has the words of documents.
func spelled(t *testing.T, s *Store, documents int) {
	t.Helper()
	ctx := context.Background()
	q := words.NewQuery([]string{"title", "text"}, words.NewStatistics())
	all, err := s.Said(ctx, q, nil, nil)
	if err != nil || len(all.Refs) != documents {
		t.Fatalf("%d documents have words, %v, want %d", len(all.Refs), err, documents)
	}
	for i := range all.Refs {
		if all.Atoms[0][i] != 1 {
			t.Errorf("%g of a word, want all", all.Atoms[0][i])
		}
	}
	by := func(out []float32, shares [][]float32) { copy(out, shares[0]) }
	if found, err := s.Said(ctx, q, nil, []engine.Wanted{{K: documents, By: by}}); err != nil || len(found.Refs) != documents {
		t.Errorf("%d documents are found by a word, %v, want %d", len(found.Refs), err, documents)
	}
}
