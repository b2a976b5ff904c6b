package onnx

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folder is a directory as a hub has it.
type folder string

// find is the name of a file in the folder or in its folder onnx, empty if it is
// in neither.
func (f folder) find(name string) string {
	for _, name := range []string{name, filepath.Join("onnx", name)} {
		if info, err := os.Stat(filepath.Join(string(f), name)); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// model is the name of the best file of a kind of model, empty if there is none.
func (f folder) model(kind string) string {
	var names []string
	for _, place := range []string{"", "onnx"} {
		entries, _ := os.ReadDir(filepath.Join(string(f), place))
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), kind) && filepath.Ext(e.Name()) == ".onnx" && !e.IsDir() {
				names = append(names, filepath.Join(place, e.Name()))
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.MinFunc(names, func(a, b string) int { return cmp.Compare(loss(a, kind), loss(b, kind)) })
}

// loss is how much of the weights' precision the file of a kind of model has lost,
// by the names that exporters use: 0 nothing, then what is optimized, of half
// precision, of 8 bits and of 4.
func loss(name, kind string) int {
	suffix := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), kind), ".onnx")
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

// models are the files of an encoder: of texts, and of pictures where there is one.
type models struct{ text, vision string }

const (
	alone    = "model"
	ofText   = "text_model"
	ofVision = "vision_model"
)

// models chooses the files, by the name in wanted if there is one.
func (f folder) models(wanted string) (models, error) {
	m := models{text: wanted}
	if m.text == "" {
		m.text = cmp.Or(f.model(ofText), f.model(alone))
	}
	if m.text == "" {
		return m, fmt.Errorf("there is no model*.onnx or text_model*.onnx in it or in its folder onnx; " +
			"a hub has it mostly in the repository's folder onnx, and `optimum-cli export onnx --model NAME FOLDER` makes it")
	}
	if _, err := os.Stat(filepath.Join(string(f), m.text)); err != nil {
		return m, fmt.Errorf("the model %s is not there: %w", m.text, err)
	}
	base := filepath.Base(m.text)
	if !strings.HasPrefix(base, ofText) {
		return m, nil
	}
	m.vision = filepath.Join(filepath.Dir(m.text), ofVision+strings.TrimPrefix(base, ofText))
	if _, err := os.Stat(filepath.Join(string(f), m.vision)); err != nil {
		m.vision = f.model(ofVision)
	}
	return m, nil
}
