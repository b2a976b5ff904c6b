package named

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/hub"
	"github.com/nsfl-go/nsfl/encoder/onnx"
)

// ModelDir returns the directory for the model with the given name.
func ModelDir(name string) (string, error) {
	if dir := os.Getenv(ModelsEnv); dir != "" {
		return filepath.Join(dir, filepath.FromSlash(name)), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("finding a directory for models: %w; set $%s", err, ModelsEnv)
	}
	return filepath.Join(dir, "nsfl", "models", filepath.FromSlash(name)), nil
}

// openPreset opens a pulled model.
func openPreset(p onnx.Preset) (*Encoder, error) {
	dir, err := ModelDir(p.Name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the model %s is not installed; run nsfl model pull %s", p.Name, p.Name)
	}
	if _, err := hub.ReadManifest(dir); err != nil {
		return nil, fmt.Errorf("the model %s in %s is incomplete (%w); run nsfl model pull %s to resume", p.Name, dir, err, p.Name)
	}
	return openModel(dir, p.Options())
}

// readFolder parses DIR?pooling=mean&….
func readFolder(word string) (dir string, o onnx.Options, err error) {
	dir, settings, _ := strings.Cut(word, "?")
	values, err := url.ParseQuery(settings)
	if err != nil {
		return "", o, fmt.Errorf("bad settings after ? in the encoder onnx:%s: %w; write them as pooling=mean&tokens=256", dir, err)
	}
	var prefixes encoder.Prefixes
	for name := range values {
		value := values.Get(name)
		if prefix := prefixOf(&prefixes, name); prefix != nil {
			*prefix, o.Prefixes = value, &prefixes
			continue
		}
		switch name {
		case "pooling":
			o.Pooling = value
		case "model":
			o.Model = value
		case "tokens":
			if o.MaxTokens, err = strconv.Atoi(value); err != nil {
				return "", o, fmt.Errorf("encoder onnx:%s: tokens=%q is not a number", dir, value)
			}
		default:
			return "", o, fmt.Errorf("encoder onnx:%s: unknown setting %q; use pooling, query, document, passage, model or tokens", dir, name)
		}
	}
	return dir, o, nil
}

// openModel opens the model in a directory.
func openModel(dir string, o onnx.Options) (*Encoder, error) {
	m, err := onnx.Open(dir, o)
	if err != nil {
		return nil, err
	}
	e := &Encoder{Encoder: m, close: m.Close}
	if m.HasPictures() {
		e.Picture = func(ctx context.Context, path string) ([]float32, error) {
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			vectors, err := m.EncodePictures(ctx, [][]byte{content})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return vectors[0], nil
		}
	}
	return e, nil
}
