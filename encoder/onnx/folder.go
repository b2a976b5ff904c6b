package onnx

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folder is a model directory in the layout used by hubs.
type folder string

// has reports whether the folder has a file.
func (f folder) has(name string) bool {
	info, err := os.Stat(filepath.Join(string(f), name))
	return err == nil && info.Mode().IsRegular()
}

// find returns the path of a file in the folder or its subfolder onnx, or an empty string.
func (f folder) find(name string) string {
	for _, name := range []string{name, filepath.Join("onnx", name)} {
		if f.has(name) {
			return name
		}
	}
	return ""
}

// The names of the two models for texts and pictures, without precision and extension.
const (
	textModel   = "text_model"
	visionModel = "vision_model"
)

// model returns the wanted file of a model or, if wanted is empty, the best one of a kind with
// one of the extensions.
func (f folder) model(wanted, kind string, extensions ...string) (string, error) {
	if wanted != "" {
		if _, err := os.Stat(filepath.Join(string(f), wanted)); err != nil {
			return "", fmt.Errorf("finding the model %s: %w", wanted, err)
		}
		return wanted, nil
	}
	var found []string
	for _, place := range []string{"", "onnx"} {
		entries, _ := os.ReadDir(filepath.Join(string(f), place))
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), kind) && slices.Contains(extensions, filepath.Ext(e.Name())) && !e.IsDir() {
				found = append(found, filepath.Join(place, e.Name()))
			}
		}
	}
	if len(found) == 0 {
		return "", fmt.Errorf("found no %s*%s in it or its subfolder onnx; download it from the model's repository", kind, strings.Join(extensions, " or *"))
	}
	return slices.MinFunc(found, func(a, b string) int { return cmp.Compare(loss(a, kind), loss(b, kind)) }), nil
}

// visionOf returns the picture model of a text model, if possible in the same precision, or an
// empty string if there is none.
func (f folder) visionOf(text string) string {
	if rest, ok := strings.CutPrefix(filepath.Base(text), textModel); ok {
		if name := filepath.Join(filepath.Dir(text), visionModel+rest); f.has(name) {
			return name
		}
	}
	name, _ := f.model("", visionModel, ".onnx") // pictures are optional
	return name
}

// loss ranks model files by lost precision, judging by the names that exporters use: 0 for
// full precision, then optimized, half precision, 8 bits and 4 bits.
func loss(name, kind string) int {
	suffix := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), kind)
	contains := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(suffix, w) })
	}
	switch {
	case suffix == "":
		return 0
	case contains("q4", "int4", "bnb4", "q2"):
		return 4
	case contains("fp16", "O4", "bf16"):
		return 2
	case contains("_O1", "_O2", "_O3", "_optimized"):
		return 1
	}
	return 3
}
