package openai_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/openai"
)

// A model served by Ollama on this machine, with the prefixes it was trained with.
func Example() {
	ctx := context.Background()
	config, err := openai.Preset("ollama")
	if err != nil {
		log.Fatal(err)
	}
	config.Model = "nomic-embed-text"
	config.Prefixes = encoder.Prefixes{Query: "search_query: ", Document: "search_document: ", Passage: "search_document: "}
	e, err := openai.New(ctx, config)
	if err != nil {
		log.Fatal(err)
	}
	encoded, err := e.Encode(ctx, encoder.Query, []string{"a dog on a beach"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Identity(), len(encoded.Vectors))
}
