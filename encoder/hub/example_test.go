package hub_test

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/encoder/hub"
)

func ExamplePull() {
	model := hub.Model{
		Repository: "sentence-transformers/all-MiniLM-L6-v2",
		Files:      []string{"config.json", "tokenizer.json", "onnx/model.onnx"},
		Optional:   []string{"1_Pooling/config.json"},
	}
	result, err := hub.Pull(context.Background(), "", model, "models/minilm", func(e hub.Event) {
		if e.State == hub.UpToDate || e.State == hub.Verified {
			fmt.Println(e.File, e.State)
		}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(result.Manifest.Files), "files of commit", result.Manifest.Commit)
}
