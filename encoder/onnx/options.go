package onnx

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/nsfl-go/nsfl/encoder"
)

// Options take precedence over the files of a folder. The zero value is ready to use.
type Options struct {
	Name    string // name in the identity; default: the folder's
	Model   string // model file, relative to the folder
	Runtime string // ONNX Runtime's library or its folder; default: found by ort.Find

	// FullPrecision runs the model with ONNX Runtime, even if package bert can run it with
	// weights of 8 bits.
	FullPrecision bool

	Pooling   string            // mean, cls or last
	Prefixes  *encoder.Prefixes // nil for those in the folder
	MaxTokens int               // token limit for texts; at most the model's positions
	Threads   int               // texts encoded concurrently, over all calls; default: number of processors
}

// poolings lists the ways of combining token vectors.
var poolings = []string{"mean", "cls", "last"}

func (o *Options) check() error {
	if o.Pooling != "" && !slices.Contains(poolings, o.Pooling) {
		return fmt.Errorf("unknown pooling %q, want mean, cls or last", o.Pooling)
	}
	if o.MaxTokens < 0 {
		return fmt.Errorf("option MaxTokens is %d, must not be negative", o.MaxTokens)
	}
	if o.Threads < 0 {
		return fmt.Errorf("option Threads is %d, must not be negative", o.Threads)
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	return nil
}
