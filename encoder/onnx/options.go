package onnx

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/nsfl-go/nsfl/encoder"
)

// Options overrule what a folder says. All may be left empty.
type Options struct {
	Name    string // of the encoder, in its identity; empty: the folder's
	Model   string // the model's file, relative to the folder
	Runtime string // ONNX Runtime's library or its folder; empty: where ort.Find finds it

	Pooling   string            // mean, cls or last
	Prefixes  *encoder.Prefixes // nil: those the folder says
	MaxTokens int               // longer texts are cut; not more than the model has positions
	Threads   int               // texts encoded at once, of all calls together; 0: as many as there are processors
}

// poolings are the ways in which vectors of tokens become one.
var poolings = []string{"mean", "cls", "last"}

func (o *Options) check() error {
	if o.Pooling != "" && !slices.Contains(poolings, o.Pooling) {
		return fmt.Errorf("the pooling %q is none of mean, cls, last", o.Pooling)
	}
	if o.MaxTokens < 0 {
		return fmt.Errorf("at most %d tokens cannot be read; give a number above 0", o.MaxTokens)
	}
	if o.Threads < 0 {
		return fmt.Errorf("%d threads cannot run; give a number above 0", o.Threads)
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	return nil
}
