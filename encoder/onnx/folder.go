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

// find returns the path of a file in the folder or its subfolder onnx, or an empty string.
func (f folder) find(name string) string {
	for _, name := range []string{name, filepath.Join("onnx", name)} {
		if info, err := os.Stat(filepath.Join(string(f), name)); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// model returns the best file of a kind of model with one of the extensions, or an empty string
// if there is none.
func (f folder) model(kind string, extensions ...string) string {
	var names []string
	for _, place := range []string{"", "onnx"} {
		entries, _ := os.ReadDir(filepath.Join(string(f), place))
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), kind) && slices.Contains(extensions, filepath.Ext(e.Name())) && !e.IsDir() {
				names = append(names, filepath.Join(place, e.Name()))
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return slices.MinFunc(names, func(a, b string) int { return cmp.Compare(loss(a, kind), loss(b, kind)) })
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

// models names the model files of an encoder. vision is empty without a picture model.
type models struct{ text, vision string }

const (
	alone    = "model"
	ofText   = "text_model"
	ofVision = "vision_model"
)

// models chooses the model files; wanted, if not empty, is the text model.
func (f folder) models(wanted string) (models, error) {
	m := models{text: wanted}
	if m.text == "" {
		m.text = cmp.Or(f.model(ofText, ".onnx"), f.model(alone, ".onnx"))
	}
	if m.text == "" {
		return m, fmt.Errorf("found no model*.onnx or text_model*.onnx in it or its subfolder onnx; " +
			"download it from the repository's folder onnx, or create it with `optimum-cli export onnx --model NAME FOLDER`")
	}
	if _, err := os.Stat(filepath.Join(string(f), m.text)); err != nil {
		return m, fmt.Errorf("finding the model %s: %w", m.text, err)
	}
	base := filepath.Base(m.text)
	if !strings.HasPrefix(base, ofText) {
		return m, nil
	}
	m.vision = filepath.Join(filepath.Dir(m.text), ofVision+strings.TrimPrefix(base, ofText))
	if _, err := os.Stat(filepath.Join(string(f), m.vision)); err != nil {
		m.vision = f.model(ofVision, ".onnx")
	}
	return m, nil
}
