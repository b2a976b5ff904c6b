// Package named finds an encoder by a word, as a person writes it on a command
// line or in a configuration:
//
//	builtin                      the one inside the binary; so is the empty word
//	bge-large-en-v1.5            a model by its name, pulled before
//	onnx:DIR                     a model in a directory, as a hub exports it
//	onnx:DIR?pooling=mean&query=search_query:+
//	                             the same, where its files do not say all: pooling,
//	                             the prefixes query, document and passage, model
//	                             (a file in it), and tokens (the most that are read)
//	openai:MODEL, ollama:MODEL   a server at its usual address; tei, vllm, llama.cpp too
//	http://HOST/v1#MODEL         a server at any address
//	http://HOST/v1?query=query:+&document=passage:+#MODEL
//	                             the same, with prefixes
//
// What queries are encoded to is kept in a cache on the disk, for all encoders
// and all programs of a user: $NSFL_CACHE, or a folder of the user's caches; off
// switches it off.
//
// It knows encoders and where they are kept. What they encode is the business of
// others.
package named

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/cache"
	"github.com/nsfl-go/nsfl/encoder/onnx"
	"github.com/nsfl-go/nsfl/encoder/openai"
)

// Environment variables.
const (
	CacheEnv  = "NSFL_CACHE"   // the folder of the cache, or off
	ModelsEnv = "NSFL_MODELS"  // the folder of pulled models
	keyEnv    = "NSFL_API_KEY" // the key for a server that is given by address
)

// Encoder is an encoder that was chosen by a word.
type Encoder struct {
	encoder.Encoder
	// Picture encodes the picture in a file; nil where the encoder reads none.
	Picture func(ctx context.Context, path string) ([]float32, error)
	closers []func() error
}

// Close gives back what the encoder holds.
func (e *Encoder) Close() error {
	var errs []error
	for _, c := range slices.Backward(e.closers) {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Unwrap is the encoder that the word stands for.
func (e *Encoder) Unwrap() encoder.Encoder { return e.Encoder }

// Word is the word in the form to keep: a relative folder would mean another
// one in another place.
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

// IsInside reports whether the encoder of a word, in the form to keep, reaches nothing
// outside: it is in the binary, encodes nothing, or is a model that was pulled. Others
// ask an address or read a folder that the word names.
func IsInside(word string) bool {
	if word == "" || word == builtin.Word || strings.HasPrefix(word, unknownPrefix) {
		return true
	}
	_, err := onnx.PresetByName(word)
	return err == nil
}

// Open finds the encoder of a word.
func Open(ctx context.Context, word string) (*Encoder, error) {
	e, err := find(ctx, word)
	if err != nil {
		return nil, err
	}
	if dir := cacheDir(); dir != "" {
		c := cache.Open(ctx, e.Encoder, dir, cache.Options{MaxBytes: 256 << 20})
		e.closers = append(e.closers, c.Close)
		e.Encoder = &remembering{e.Encoder, c}
	}
	return e, nil
}

func find(ctx context.Context, word string) (*Encoder, error) {
	if word == "" || word == builtin.Word {
		b, err := builtin.New()
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
	return nil, fmt.Errorf("unknown encoder %q: it is builtin, onnx:DIR, an address such as http://localhost:8080/v1#MODEL, MODEL after one of %s, or a model that nsfl model list names",
		word, strings.Join(openai.PresetNames(), ":, ")+":")
}

// cacheDir is where query vectors are kept; empty: nowhere.
func cacheDir() string {
	if dir := os.Getenv(CacheEnv); dir == "off" {
		return ""
	} else if dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "" // without a home there is no cache
	}
	return filepath.Join(dir, "nsfl", "vectors")
}

// remembering looks queries up in the cache; documents come once, and would only
// push queries out of it.
type remembering struct {
	encoder.Encoder
	cache *cache.Cache
}

func (r *remembering) Unwrap() encoder.Encoder { return r.Encoder }

func (r *remembering) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if role == encoder.Query {
		return r.cache.Encode(ctx, role, texts)
	}
	return r.Encoder.Encode(ctx, role, texts)
}
