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

// ModelDir is where a model of a name is kept.
func ModelDir(name string) (string, error) {
	if dir := os.Getenv(ModelsEnv); dir != "" {
		return filepath.Join(dir, filepath.FromSlash(name)), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("looking for a place for models: %w; name one in $%s", err, ModelsEnv)
	}
	return filepath.Join(dir, "nsfl", "models", filepath.FromSlash(name)), nil
}

// openPreset opens a model that was pulled before.
func openPreset(p onnx.Preset) (*Encoder, error) {
	dir, err := ModelDir(p.Name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if p.Repository == "" {
			return nil, fmt.Errorf("the model %s is not in %s, and no hub has it ready: %s; then put the folder there", p.Name, dir, p.Export)
		}
		return nil, fmt.Errorf("the model %s is not here yet; fetch it with nsfl model pull %s", p.Name, p.Name)
	}
	if p.Repository != "" {
		if _, err := hub.ReadManifest(dir); err != nil {
			return nil, fmt.Errorf("the model %s in %s is not complete (%w); nsfl model pull %s goes on where it stopped", p.Name, dir, err, p.Name)
		}
	}
	return openModel(dir, p.Options())
}

// readFolder reads DIR?pooling=mean&….
func readFolder(word string) (dir string, o onnx.Options, err error) {
	dir, settings, _ := strings.Cut(word, "?")
	values, err := url.ParseQuery(settings)
	if err != nil {
		return "", o, fmt.Errorf("the settings after ? of the encoder onnx:%s cannot be read: %w; write them as pooling=mean&tokens=256", dir, err)
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
				return "", o, fmt.Errorf("the encoder onnx:%s is to read %q tokens; give a number", dir, value)
			}
		default:
			return "", o, fmt.Errorf("the encoder onnx:%s has no setting %q; there are pooling, query, document, passage, model and tokens", dir, name)
		}
	}
	return dir, o, nil
}

// openModel opens a model's directory.
func openModel(dir string, o onnx.Options) (*Encoder, error) {
	m, err := onnx.Open(dir, o)
	if err != nil {
		return nil, err
	}
	e := &Encoder{Encoder: m, closers: []func() error{m.Close}}
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
