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

// OpenAI's clients list models, ask for one, and read errors in their own form.
func TestOpenAI(t *testing.T) {
	a := start(t, Config{})
	list := a.call(200, "GET", "/v1/models", "")
	if at(list, "object") != "list" || at(list, "data", 0, "id") != "builtin" || at(list, "data", 0, "object") != "model" {
		t.Errorf("models %v", list)
	}
	if one := a.call(200, "GET", "/v1/models/builtin", ""); at(one, "owned_by") != "encoder" {
		t.Errorf("model %v", one)
	}
	p := a.fails("not_found", "there is no model", "GET", "/v1/models/nope", "")
	if at(p, "error", "type") != "invalid_request_error" || at(p, "error", "code") != "not_found" || at(p, "error", "message") != at(p, "detail") {
		t.Errorf("error %v", p["error"])
	}
	if p := a.fails("not_found", "", "GET", "/v1/collections/nope", ""); p["error"] != nil {
		t.Errorf("a problem that is not OpenAI's: %v", p)
	}
}
