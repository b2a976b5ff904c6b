package onnx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestModels(t *testing.T) {
	for _, c := range []struct {
		files        []string
		wanted       string
		text, vision string
	}{
		{files: []string{"model.onnx"}, text: "model.onnx"},
		{files: []string{"onnx/model.onnx", "onnx/model_quantized.onnx", "onnx/model_fp16.onnx"}, text: "onnx/model.onnx"},
		{files: []string{"onnx/model_quantized.onnx", "onnx/model_fp16.onnx", "onnx/model_q4.onnx"}, text: "onnx/model_fp16.onnx"},
		{files: []string{"onnx/model_O4.onnx", "onnx/model_O2.onnx"}, text: "onnx/model_O2.onnx"},
		{files: []string{"onnx/model_q4f16.onnx", "onnx/model_int8.onnx"}, text: "onnx/model_int8.onnx"},
		{files: []string{"onnx/model_qint8_avx512_vnni.onnx"}, text: "onnx/model_qint8_avx512_vnni.onnx"},
		{files: []string{"onnx/model_bnb4.onnx", "onnx/model_qint8_arm64.onnx"}, text: "onnx/model_qint8_arm64.onnx"},
		{files: []string{"model.onnx", "onnx/model.onnx"}, text: "model.onnx"},
		{files: []string{"model.onnx", "model_quantized.onnx"}, wanted: "model_quantized.onnx", text: "model_quantized.onnx"},
		{files: []string{"onnx/text_model.onnx", "onnx/vision_model.onnx"}, text: "onnx/text_model.onnx", vision: "onnx/vision_model.onnx"},
		{
			files:  []string{"onnx/text_model.onnx", "onnx/vision_model.onnx", "onnx/text_model_fp16.onnx", "onnx/vision_model_fp16.onnx"},
			wanted: "onnx/text_model_fp16.onnx", text: "onnx/text_model_fp16.onnx", vision: "onnx/vision_model_fp16.onnx",
		},
		{files: []string{"text_model.onnx", "vision_model_fp16.onnx"}, text: "text_model.onnx", vision: "vision_model_fp16.onnx"},
		{files: []string{"text_model.onnx"}, text: "text_model.onnx"},
		{files: []string{"decoder.onnx", "model.bin"}},
		{files: []string{"model.onnx"}, wanted: "other.onnx"},
	} {
		dir := t.TempDir()
		for _, name := range c.files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		kind := "model"
		if strings.Contains(strings.Join(c.files, " "), textModel) {
			kind = textModel
		}
		text, err := folder(dir).model(filepath.FromSlash(c.wanted), kind, ".onnx")
		if (err != nil) != (c.text == "") {
			t.Errorf("%v: got error %v", c.files, err)
		}
		if err != nil {
			continue
		}
		if vision := folder(dir).visionOf(text); filepath.ToSlash(text) != c.text || filepath.ToSlash(vision) != c.vision {
			t.Errorf("%v: got %q and %q, want %q and %q", c.files, text, vision, c.text, c.vision)
		}
	}
}
