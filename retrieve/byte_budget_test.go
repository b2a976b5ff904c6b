package retrieve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// TestLongDocuments checks that hits of long documents are short and retain no other memory.
func TestLongDocuments(t *testing.T) {
	c, err := index.Create(t.Context(), t.TempDir(), index.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	const long = 2 << 20
	for i := range 12 {
		text := fmt.Sprint("a ", i, " ") + strings.Repeat("ä", long/2)
		d := engine.Document{ID: fmt.Sprint(i), Title: "a " + strings.Repeat("ä", maxTitle), Text: text, Vector: vectorOf("a")}
		if err := c.Upsert(t.Context(), []engine.Document{d}); err != nil {
			t.Fatal(err)
		}
	}
	store := &counting{Collection: c}
	s := &Searcher{Store: store, Encoder: &hashing{}}
	r, err := s.Search(t.Context(), asked(t, "a AND NOT b"), Options{K: 10, Compare: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) != 10 || len(r.Plain) != 10 || store.calls < 4 {
		t.Fatalf("%d hits and %d of plain retrieval by %d calls", len(r.Hits), len(r.Plain), store.calls)
	}
	for _, h := range r.Hits {
		if len(h.Title) > maxTitle+3 || len(h.Snippet.Text) > maxSnippet+3 || !strings.HasSuffix(h.Title, "…") || !strings.HasSuffix(h.Snippet.Text, "…") {
			t.Errorf("%s shows %d bytes of its title and %d of its text", h.ID, len(h.Title), len(h.Snippet.Text))
		}
	}
	if text, err := json.Marshal(r); err != nil || len(text) > 20*(maxTitle+maxSnippet)*2 {
		t.Errorf("the result has %d bytes, %v", len(text), err)
	}
}

// TestRoom checks that a result uses its byte budget without exceeding it, for any texts.
func TestRoom(t *testing.T) {
	var texts [][2]string
	for i := range 40 {
		texts = append(texts, [2]string{fmt.Sprint(i), fmt.Sprintf("a %d \x01<\"%s", i, strings.Repeat("\x02&", 200))})
	}
	s, _ := folder(t, texts...)
	for _, bytes := range []int{1, 10 << 10, 50 << 10, 200 << 10, 1 << 20} {
		r, err := s.Search(t.Context(), asked(t, "a AND (b OR c) AND NOT d"), Options{K: 40, Explain: true, Compare: true, Bytes: bytes})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil || len(r.Hits) > 1 && len(text) > bytes {
			t.Errorf("%d bytes: the result has %d, %v", bytes, len(text), err)
		}
		if r.More != (len(r.Hits) < 40) || len(r.Hits) == 0 || r.Hits[0].Explanation == nil {
			t.Errorf("%d bytes: %d hits, more is %v", bytes, len(r.Hits), r.More)
		}
		if want := strings.Contains(strings.Join(r.Notes, ""), fmt.Sprint("into the ", bytes, " bytes")); want != (r.More || r.Explained > 0) {
			t.Errorf("%d bytes: %q", bytes, r.Notes)
		}
	}
}

// TestWithMemory checks that a search reserves memory first, and that a refusal ends it.
func TestWithMemory(t *testing.T) {
	s, store := folder(t, [2]string{"1", "a b"}, [2]string{"2", "a c"})
	var asks []int64
	ctx := WithMemory(t.Context(), func(bytes int64) error {
		asks = append(asks, bytes)
		return nil
	})
	if _, err := s.Search(ctx, asked(t, "a AND NOT b"), Options{}); err != nil || len(asks) < 2 {
		t.Fatalf("%d are asked for, %v", asks, err)
	}
	for i := range asks {
		store.texts = 0
		n, full := 0, errors.New("there is none")
		ctx := WithMemory(context.Background(), func(int64) error {
			if n++; n > i {
				return full
			}
			return nil
		})
		if _, err := s.Search(ctx, asked(t, "a AND NOT b"), Options{}); !errors.Is(err, full) || store.texts > 0 {
			t.Errorf("after %d asks: %v, and %d texts are read", i, err, store.texts)
		}
	}
}
