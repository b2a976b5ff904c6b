package onnx

import (
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/encoder"
)

// Options take precedence over the files of a folder. The zero value is ready to use.
type Options struct {
	Name      string            // name in the identity; default: the folder's
	Model     string            // model file, relative to the folder
	Pooling   string            // mean or cls
	Prefixes  *encoder.Prefixes // nil for those in the folder
	MaxTokens int               // token limit for texts; at most the model's positions
}

// poolings lists the ways of combining token vectors.
var poolings = []string{"mean", "cls"}

func (o *Options) check() error {
	if o.Pooling != "" && !slices.Contains(poolings, o.Pooling) {
		return fmt.Errorf("unknown pooling %q, want mean or cls", o.Pooling)
	}
	if o.MaxTokens < 0 {
		return fmt.Errorf("option MaxTokens is %d, must not be negative", o.MaxTokens)
	}
	return nil
}
