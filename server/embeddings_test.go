package server

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/openai"
)

// The encoder for OpenAI's endpoints understands ours, and gets the same vectors
// as the encoder inside gives.
func TestEmbeddingsForTheClient(t *testing.T) {
	ctx := context.Background()
	a := start(t, Config{})
	client, err := openai.New(ctx, openai.Config{BaseURL: a.base + "/v1", Model: "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	inside, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 70) // more than one request
	for i := range texts {
		texts[i] = []string{"a dog", "a puppy", "tax law", "déjà vu"}[i%4]
	}
	got, err := client.Encode(ctx, encoder.Query, texts)
	if err != nil {
		t.Fatal(err)
	}
	want, err := inside.Encode(ctx, encoder.Query, texts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range texts {
		for j := range want.Vectors[i] {
			if d := got.Vectors[i][j] - want.Vectors[i][j]; d > 1e-6 || d < -1e-6 {
				t.Fatalf("text %d, component %d: %v, want %v", i, j, got.Vectors[i][j], want.Vectors[i][j])
			}
		}
	}
}
