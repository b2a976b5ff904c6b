// Package named opens encoders by the names that people write on the command line
// or in a configuration:
//
//	builtin                      the encoder inside the binary, also the default
//	builtin@1                    an older revision of it
//	bge-large-en-v1.5            a model by name, pulled before
//	onnx:DIR                     a model in a directory, as exported by a hub
//	onnx:DIR?pooling=mean&query=search_query:+
//	                             the same, with settings its files lack: pooling,
//	                             the prefixes query, document and passage, model
//	                             (a file in it) and tokens (the token limit)
//	openai:MODEL, ollama:MODEL   a server at its usual address; also tei, vllm, llama.cpp
//	http://HOST/v1#MODEL         a server at any address
//	http://HOST/v1?query=query:+&document=passage:+#MODEL
//	                             the same, with prefixes
//
// The package knows about encoders and where they are stored, but not about the
// texts they encode.
package named

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/onnx"
	"github.com/nsfl-go/nsfl/encoder/openai"
)

// Environment variables.
const (
	cacheEnv  = "NSFL_CACHE"   // the folder of caches, or off
	ModelsEnv = "NSFL_MODELS"  // the folder of pulled models
	keyEnv    = "NSFL_API_KEY" // the key for a server that is given by address
)

// Encoder is an encoder opened by name.
type Encoder struct {
	encoder.Encoder
	// Picture encodes the picture in a file; nil if the encoder does not support pictures.
	Picture func(ctx context.Context, path string) ([]float32, error)
	close   func() error // nil if there is nothing to release
}

// Close releases the encoder's resources.
func (e *Encoder) Close() error {
	if e.close == nil {
		return nil
	}
	return e.close()
}

// Unwrap returns the encoder that the name stands for.
func (e *Encoder) Unwrap() encoder.Encoder { return e.Encoder }

// Word returns the name in the form to store, with an absolute folder: a relative one would
// depend on the working directory.
func Word(word string) string {
	if word == "" {
		return builtin.Word
	}
	if dir, ok := strings.CutPrefix(word, "onnx:"); ok {
		dir, rest, more := strings.Cut(dir, "?")
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		if more {
			dir += "?" + rest
		}
		return "onnx:" + dir
	}
	return word
}

// IsInside reports whether the encoder with a name, in the form to store, accesses nothing
// that the name supplies: it is in the binary, encodes nothing, or is a pulled model. Other
// encoders connect to an address or read a folder given by the name.
func IsInside(word string) bool {
	if word == "" || word == builtin.Word || strings.HasPrefix(word, builtin.Word+"@") || strings.HasPrefix(word, unknownPrefix) {
		return true
	}
	_, err := onnx.PresetByName(word)
	return err == nil
}

// Open opens the encoder with the given name.
func Open(ctx context.Context, word string) (*Encoder, error) {
	return OpenFor(ctx, word, encoder.Identity{})
}

// OpenFor opens the encoder with the given name as it was when it made the vectors of a
// collection: the same revision of the built-in encoder. A zero identity stands for a new
// collection.
func OpenFor(ctx context.Context, word string, made encoder.Identity) (*Encoder, error) {
	if word == "" || word == builtin.Word {
		b, err := builtin.For(made)
		return &Encoder{Encoder: b}, err
	}
	if revision, ok := strings.CutPrefix(word, builtin.Word+"@"); ok {
		b, err := builtin.Revision(revision)
		return &Encoder{Encoder: b}, err
	}
	if strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://") {
		return byAddress(ctx, word)
	}
	kind, rest, cut := strings.Cut(word, ":")
	if cut && kind == "onnx" {
		dir, o, err := readFolder(rest)
		if err != nil {
			return nil, err
		}
		return openModel(dir, o)
	}
	if dimension, ok := strings.CutPrefix(word, unknownPrefix); ok {
		return newUnknown(dimension)
	}
	if cut {
		if c, err := openai.Preset(kind); err == nil {
			c.Model = rest
			e, err := openai.New(ctx, c)
			return &Encoder{Encoder: e}, err
		}
	}
	if p, err := onnx.PresetByName(word); err == nil {
		return openPreset(p)
	}
	return nil, fmt.Errorf("unknown encoder %q: use builtin, onnx:DIR, an address such as http://localhost:8080/v1#MODEL, MODEL after one of %s, or a model from nsfl model list",
		word, strings.Join(openai.PresetNames(), ":, ")+":")
}

// CacheDir returns the folder for what nsfl can compute again: the demo and the vectors of
// evaluations. It is $NSFL_CACHE or in the user's cache directory, and empty if NSFL_CACHE is off
// or there is no home directory.
func CacheDir() string {
	switch dir := os.Getenv(cacheEnv); dir {
	case "off":
		return ""
	case "":
		caches, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(caches, "nsfl")
	default:
		return dir
	}
}
