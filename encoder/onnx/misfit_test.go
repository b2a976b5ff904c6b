package onnx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// madeFolder returns a copy of a folder of testdata with some files replaced or, if the content
// is empty, removed. A content that begins with @ is the path of a file in testdata.
func madeFolder(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	dir := copyFolder(t, name)
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.Remove(path)
		if source, ok := strings.CutPrefix(text, "@"); ok {
			var content []byte
			if content, err = os.ReadFile(filepath.Join("testdata", source)); err == nil {
				err = os.WriteFile(path, content, 0o600)
			}
		} else if text != "" {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWhatDoesNotFit(t *testing.T) {
	dense := `[{"path": "", "type": "x.Transformer"}, {"path": "1_Pooling", "type": "x.Pooling"}, {"path": "2_Dense", "type": "x.Dense"}]`
	for name, c := range map[string]struct {
		folder string
		files  map[string]string
		o      Options
		want   string
	}{
		"no tokenizer":     {files: map[string]string{"tokenizer.json": ""}, want: "tokenizer.json is missing; get it from"},
		"spoilt tokenizer": {files: map[string]string{"tokenizer.json": "{"}, want: "reading tokenizer.json:"},
		"no config":        {files: map[string]string{"config.json": ""}, want: "config.json is missing"},
		"spoilt config":    {files: map[string]string{"config.json": "{"}, want: "reading config.json: unexpected end"},
		"spoilt pooling":   {files: map[string]string{"1_Pooling/config.json": "{}"}, want: "reading 1_Pooling/config.json: pooling by"},
		"spoilt modules":   {files: map[string]string{"modules.json": "{}"}, want: "reading modules.json:"},
		"no pooling":       {files: map[string]string{"1_Pooling/config.json": ""}, want: "1_Pooling/config.json is missing"},
		"a dense layer":    {files: map[string]string{"modules.json": dense}, want: "a module Dense after the pooling"},
		"no model":         {files: map[string]string{"onnx/model.onnx": ""}, want: "found no model*.onnx"},
		"no ONNX":          {files: map[string]string{"onnx/model.onnx": "text"}, want: "reading model.onnx:"},
		"a pointer":        {files: map[string]string{"onnx/model.onnx": "version https://git-lfs.github.com/spec/v1\n"}, want: "reading model.onnx:"},
		"another family":   {files: map[string]string{"config.json": `{"model_type": "mpnet", "max_position_embeddings": 514}`}, want: "is neither bert, roberta"},
		"unknown pooling":  {o: Options{Pooling: "max"}, want: `unknown pooling "max"`},
		"many tokens":      {o: Options{MaxTokens: 33}, want: "33 tokens exceed the model's 32"},
		"no such model":    {o: Options{Model: "onnx/model_q4.onnx"}, want: "finding the model onnx/model_q4.onnx"},
		"no length": {files: map[string]string{"config.json": `{"model_type": "bert"}`, "sentence_bert_config.json": "", "tokenizer_config.json": ""},
			want: "no file gives the model's token limit"},

		"no text model":   {folder: "clip", files: map[string]string{"onnx/text_model.onnx": ""}, want: "found no text_model*.onnx"},
		"a pointer, CLIP": {folder: "clip", files: map[string]string{"onnx/text_model.onnx": "version https://git-lfs.github.com/spec/v1\n"}, want: "text_model.onnx may not be an ONNX model, may be truncated"},
		"a text model":    {folder: "clip", files: map[string]string{"onnx/text_model.onnx": "@bge/onnx/model.onnx"}, want: "its output is last_hidden_state, not text_embeds"},
		"no projection":   {folder: "clip", files: map[string]string{"onnx/text_model.onnx": "@siglip/onnx/text_model.onnx"}, want: "its output is pooler_output, not text_embeds"},
		"pictures only":   {folder: "siglip", files: map[string]string{"onnx/text_model.onnx": "@siglip/onnx/vision_model.onnx"}, want: "its inputs are pixel_values, without input_ids"},
		"pooling of CLIP": {folder: "clip", o: Options{Pooling: "mean"}, want: "its model pools itself"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.folder != "" {
				needRuntime(t)
			} else {
				c.folder = "bge"
			}
			e, err := Open(madeFolder(t, c.folder, c.files), c.o)
			if err == nil {
				e.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "opening the encoder in ") {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}

// A picture model that does not belong to the text model is refused with the first picture.
func TestPicturesThatDoNotFit(t *testing.T) {
	needRuntime(t)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no projection": {map[string]string{"onnx/vision_model.onnx": "@siglip/onnx/vision_model.onnx"}, "its output is pooler_output, not image_embeds"},
		"a text model":  {map[string]string{"onnx/vision_model.onnx": "@clip/onnx/text_model.onnx"}, "want pixel_values only"},
		"another size":  {map[string]string{"preprocessor_config.json": `{"size": 40}`}, "specifies pictures of 1×3×40×40"},
	} {
		t.Run(name, func(t *testing.T) {
			needRuntime(t)
			e := openTest(t, madeFolder(t, "clip", c.files), Options{})
			if _, err := e.EncodePictures(t.Context(), [][]byte{{}}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}
