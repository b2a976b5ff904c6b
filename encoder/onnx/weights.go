package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// startWeights computes the hash of the named files in the background, and returns a function
// that waits for it.
func (f folder) startWeights(names ...string) func() (string, error) {
	sum := make(chan func() (string, error), 1)
	go func() {
		weights, err := f.weights(names)
		sum <- func() (string, error) { return weights, err }
	}()
	return func() (string, error) { return (<-sum)() }
}

// weights computes the hash in Identity, over the named files and the external weights of
// models.
func (f folder) weights(names []string) (string, error) {
	list := sha256.New()
	for _, name := range names {
		files := []string{name}
		if filepath.Ext(name) == ".onnx" {
			more, err := f.external(name)
			if err != nil {
				return "", err
			}
			files = append(files, more...)
		}
		for _, name := range files {
			file, err := os.Open(filepath.Join(string(f), name))
			if err != nil {
				return "", err
			}
			h := sha256.New()
			_, err = io.Copy(h, file)
			file.Close()
			if err != nil {
				return "", fmt.Errorf("reading %s: %w", name, err)
			}
			fmt.Fprintf(list, "%x  %s\n", h.Sum(nil), filepath.Base(name))
		}
	}
	return hex.EncodeToString(list.Sum(nil)), nil
}

// external lists the files with a model's external weights, which exporters name after the
// model: model.onnx_data or model.onnx.data.
func (f folder) external(model string) (files []string, err error) {
	dir, base := filepath.Split(model)
	entries, err := os.ReadDir(filepath.Join(string(f), dir))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), base) && e.Name() != base && !e.IsDir() {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, err
}
