package chroma

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// A batch that is more than the server takes at once is stored by parts, and what
// is too large on its own is refused.
func TestLargeBatch(t *testing.T) {
	if testing.Short() {
		t.Skip("stores 33 MB")
	}
	ctx, url := context.Background(), sharedURL(t)
	s := opened(t, collection(t, url), engine.Options{Dimension: dim})
	docs := enginetest.Documents(3)
	for i := range docs {
		docs[i].Text = strings.Repeat(fmt.Sprintf("größer %d ", i), 11<<20/len("größer 1 "))
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	got, _, err := s.List(ctx, engine.Page{Limit: 10, Parts: engine.AllParts})
	if err != nil || len(got) != 3 {
		t.Fatal(len(got), err)
	}
	for _, d := range got {
		if want := docs[d.ID[3]-'0'].Text; d.Text != want {
			t.Errorf("%s has %d bytes, want %d", d.ID, len(d.Text), len(want))
		}
	}
	docs = enginetest.Documents(2)
	docs[1].Text = strings.Repeat("\x01", 10<<20) // of which each is seven bytes to send
	var input *engine.InputError
	if err := s.Upsert(ctx, docs); !errors.As(err, &input) || !strings.Contains(err.Error(), "id-1") {
		t.Errorf("%v", err)
	}
	if d, err := s.Get(ctx, "id-0", engine.Texts); err != nil || len(d.Text) < 1000 {
		t.Errorf("another document of the batch was stored: %v", err)
	}
}

// Documents whose answer is too long are read in parts, down to a single one.
func TestLargeAnswer(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	s := opened(t, collection(t, url), engine.Options{Dimension: dim})
	docs := enginetest.Documents(20)
	for i := range docs {
		docs[i].Text = strings.Repeat("x", 4000)
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	s.maxResponse = 10_000
	if got, _, err := s.List(ctx, engine.Page{Limit: 20, Parts: engine.AllParts}); err != nil || len(got) != 20 {
		t.Errorf("%d documents, %v", len(got), err)
	}
	s.maxResponse = 4000
	if got, _, err := s.List(ctx, engine.Page{Limit: 20, Parts: engine.AllParts}); !errors.Is(err, errLarge) {
		t.Errorf("%d documents, %v", len(got), err)
	}
}

// Something else that writes to the collection does not make a store fail in ways
// that cannot be understood.
func TestForeignRecords(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	s := opened(t, collection(t, url), engine.Options{Dimension: dim})
	if err := s.Upsert(ctx, enginetest.Documents(3)); err != nil {
		t.Fatal(err)
	}
	v := [][]float32{enginetest.Leaning(0.5, 1, dim)}
	for what, record := range map[string]map[string]any{
		"another name": {"ids": []string{"foreign"}, "embeddings": v, "metadatas": []any{map[string]any{"a": 1}}},
		"no metadata":  {"ids": []string{nameOf("x")}, "embeddings": v},
	} {
		if _, err := s.ask(ctx, http.MethodPost, s.documents+"/upsert", record); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Pool(ctx, v, 10, nil, v); err == nil || !strings.Contains(err.Error(), "record") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := s.ask(ctx, http.MethodPost, s.documents+"/delete", map[string]any{"ids": record["ids"]}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Pool(ctx, v, 10, nil, v); err != nil {
		t.Error(err)
	}
}
