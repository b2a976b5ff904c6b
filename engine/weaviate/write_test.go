package weaviate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// Odd texts come back as they were.
func TestOddTexts(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	s := opened(t, c.URL()+"&collection="+collection(t, c), engine.Options{Dimension: dim})
	v := enginetest.Documents(1)[0].Vector
	for i, text := range []string{"a\x00b", " ", "\n", "\u2028<&>", "null", `"`, strings.Repeat("long ", 100_000)} {
		d := engine.Document{
			ID: text[:min(len(text), engine.MaxIDBytes)], Title: text, Text: text, Vector: v, Metadata: fmt.Appendf(nil, `{ "a" : 1.50, "a": %q }`, "x"),
			Passages: []engine.Passage{{Text: text, Vector: v}, {Text: "", Vector: v}},
		}
		if err := s.Upsert(ctx, []engine.Document{d}); err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(ctx, d.ID, engine.AllParts)
		if err != nil || got.ID != d.ID || got.Title != text || got.Text != text || string(got.Metadata) != string(d.Metadata) || got.Passages[0].Text != text || got.Passages[1].Text != "" {
			t.Errorf("text %d: %.200q, %v", i, fmt.Sprint(got), err)
		}
		byRef, err := s.Documents(ctx, []engine.Ref{keyOf(d.ID).ref()}, engine.AllParts)
		if err != nil || byRef[0].Text != text || len(byRef[0].Passages) != 2 {
			t.Errorf("text %d: %.200q, %v", i, fmt.Sprint(byRef), err)
		}
	}
}

// What does not fit into a message is refused before anything is sent.
func TestTooLarge(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	const large = 4096
	s := opened(t, c.URL()+"&collection="+collection(t, c), engine.Options{Dimension: large})
	v := make([]float32, large)
	v[0] = 1
	d := engine.Document{ID: "a", Vector: v, Passages: make([]engine.Passage, maxObject/(4*large))}
	for i := range d.Passages {
		d.Passages[i].Vector = v
	}
	var input *engine.InputError
	if err := s.Upsert(ctx, []engine.Document{{ID: "b", Vector: v}, d}); !errors.As(err, &input) || !strings.Contains(err.Error(), "divide it") {
		t.Errorf("%v", err)
	}
	if size, err := s.Size(ctx); err != nil || size.Documents != 0 {
		t.Errorf("%+v, %v", size, err)
	}
}

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		bytes []int
		want  string
	}{
		{nil, "[]"},
		{[]int{1}, "[[1]]"},
		{[]int{pieceBytes + 1, 1, pieceBytes - 1, 1}, fmt.Sprint([][]int{{pieceBytes + 1}, {1, pieceBytes - 1}, {1}})},
	} {
		if got := fmt.Sprint(divide(c.bytes, func(n int) int { return n })); got != c.want {
			t.Errorf("%v is divided into %s, want %s", c.bytes, got, c.want)
		}
	}
	pieces := divide(make([]int, 2*pieceObjects+1), func(int) int { return 1 })
	if len(pieces) != 3 || len(pieces[0]) != pieceObjects || len(pieces[2]) != 1 {
		t.Errorf("%d pieces", len(pieces))
	}
}
