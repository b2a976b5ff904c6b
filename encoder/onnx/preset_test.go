package onnx

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

func TestPresets(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Presets() {
		if seen[p.Name] {
			t.Errorf("%s is listed twice", p.Name)
		}
		seen[p.Name] = true
		if p.Dimension < 1 || p.MaxTokens < 1 || p.Pooling == "" {
			t.Errorf("%s: got %d dimensions, %d tokens, pooling %q", p.Name, p.Dimension, p.MaxTokens, p.Pooling)
		}
		if strings.Count(p.Repository, "/") != 1 {
			t.Errorf("%s: got repository %q, want OWNER/NAME", p.Name, p.Repository)
		}
		for _, file := range slices.Concat(p.Files, p.Optional) {
			if path.Clean(file) != file || path.IsAbs(file) {
				t.Errorf("%s: bad file name %q", p.Name, file)
			}
		}
		if p.Pictures != slices.Contains(p.Files, "onnx/vision_model.onnx") {
			t.Errorf("%s: got pictures %v with the files %v", p.Name, p.Pictures, p.Files)
		}
		o := p.Options()
		if err := o.check(); err != nil {
			t.Errorf("%s: got error %v", p.Name, err)
		}
		if o.Name != p.Name || *o.Prefixes != p.Prefixes || o.MaxTokens != p.MaxTokens {
			t.Errorf("%s: unexpected options %+v", p.Name, o)
		}
	}
}

func TestPresetByName(t *testing.T) {
	for name, want := range map[string]string{
		"BAAI/bge-large-en-v1.5": "BAAI/bge-large-en-v1.5",
		"bge-large-en-v1.5":      "BAAI/bge-large-en-v1.5",
		"INTFLOAT/E5-base-v2":    "intfloat/e5-base-v2",
	} {
		if p, err := PresetByName(name); err != nil || p.Name != want {
			t.Errorf("%s: got %q, %v", name, p.Name, err)
		}
	}
	if _, err := PresetByName("e5"); err == nil || !strings.Contains(err.Error(), "intfloat/e5-base-v2") {
		t.Errorf("e5: got error %v, want one that lists the known models", err)
	}
	p, _ := PresetByName("e5-base-v2")
	want := encoder.Prefixes{Query: "query: ", Document: "passage: ", Passage: "passage: "}
	if p.Prefixes != want {
		t.Errorf("got prefixes %+v, want %+v", p.Prefixes, want)
	}
}
