package onnx

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		config, kind string
		positions    int
	}{
		{`{"model_type": "bert", "max_position_embeddings": 512}`, "bert", 512},
		{`{"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1}`, "xlm-roberta", 512},
		{`{"model_type": "camembert", "max_position_embeddings": 514}`, "camembert", 512},
		{`{"model_type": "clip", "text_config": {"model_type": "clip_text_model"}}`, "clip", 77},
		{`{"model_type": "clip_text_model", "max_position_embeddings": 77}`, "clip", 77},
		{`{"model_type": "siglip", "text_config": {"max_position_embeddings": 16}}`, "siglip", 16},
		{`{"model_type": "siglip2"}`, "siglip", 64},
		{`{}`, "", 0},
	} {
		var s settings
		if err := s.readConfig([]byte(c.config)); err != nil || s.kind != c.kind || s.positions != c.positions {
			t.Errorf("%s: got %q with %d positions, %v; want %q with %d", c.config, s.kind, s.positions, err, c.kind, c.positions)
		}
	}
}

func TestPooling(t *testing.T) {
	for config, want := range map[string]string{
		`{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}`: "cls",
		`{"pooling_mode_mean_tokens": true, "word_embedding_dimension": 384}`: "mean",
		`{"pooling_mode": "mean", "include_prompt": true}`:                    "mean",
	} {
		var s settings
		if err := s.readPooling([]byte(config)); err != nil || s.pooling != want {
			t.Errorf("%s: got %q, %v", config, s.pooling, err)
		}
	}
	for config, want := range map[string]string{
		`{"pooling_mode_max_tokens": true}`:                                  "pooling by max_tokens",
		`{"pooling_mode": "lasttoken"}`:                                      "pooling by lasttoken",
		`{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}`: "cls_token and mean_tokens",
		`{"pooling_mode": ["mean"]}`:                                         "pooling_mode: json",
		`{"pooling_mode": "mean", "include_prompt": false}`:                  "include_prompt",
		`{}`: "pooling by  is",
		`[]`: "cannot unmarshal",
	} {
		var s settings
		if err := s.readPooling([]byte(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", config, err, want)
		}
	}
}

func TestModules(t *testing.T) {
	var s settings
	err := s.readModules([]byte(`[
		{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
		{"idx": 1, "path": "1_P", "type": "sentence_transformers.models.Pooling"},
		{"idx": 2, "path": "2_Dense", "type": "sentence_transformers.models.Dense"}]`))
	if err != nil || s.poolingFolder != "1_P" || s.unapplied != "Dense" {
		t.Errorf("got %q, %q, %v", s.poolingFolder, s.unapplied, err)
	}
	if err := s.readModules([]byte(`[{"path": "../../elsewhere", "type": "x.Pooling"}]`)); err == nil {
		t.Error("a pooling outside the folder was accepted")
	}
}

func TestPrompts(t *testing.T) {
	for config, want := range map[string]encoder.Prefixes{
		`{"prompts": {"query": "q: ", "passage": "p: "}}`:                   {Query: "q: ", Document: "p: ", Passage: "p: "},
		`{"prompts": {"query": "q: ", "document": "d: ", "passage": ""}}`:   {Query: "q: ", Document: "d: "},
		`{"prompts": {"query": "q: "}, "default_prompt_name": "query"}`:     {Query: "q: ", Document: "q: ", Passage: "q: "},
		`{"prompts": {"clustering": "c: "}, "default_prompt_name": null}`:   {},
		`{"__version__": {"pytorch": "1"}, "similarity_fn_name": "cosine"}`: {},
	} {
		var s settings
		if err := s.readPrompts([]byte(config)); err != nil || s.prefixes != want {
			t.Errorf("%s: got %+v, %v", config, s.prefixes, err)
		}
	}
	var s settings
	if err := s.readPrompts([]byte(`{"default_prompt_name": "query"}`)); err == nil || !strings.Contains(err.Error(), `"query"`) {
		t.Errorf("unknown default: got error %v", err)
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		positions, maxTokens, wanted, limit int
	}{
		{512, 0, 0, 512}, {512, 256, 0, 256}, {512, 4096, 0, 512}, {512, 256, 400, 400}, {0, 256, 0, 256}, {0, 0, 99, 99},
		{512, 0, 513, 0}, {0, 0, 0, 0}, // errors
	} {
		s := settings{positions: c.positions, maxTokens: c.maxTokens}
		if got, err := s.limit(c.wanted); got != c.limit || (err == nil) != (c.limit > 0) {
			t.Errorf("%+v: got %d, %v", c, got, err)
		}
	}
}

func TestTokenizerConfig(t *testing.T) {
	for config, want := range map[string]settings{
		`{"pad_token": "[PAD]", "model_max_length": 512}`:                 {padToken: "[PAD]", maxTokens: 512},
		`{"pad_token": {"content": "</s>"}, "model_max_length": 1e30}`:    {padToken: "</s>"},
		`{"pad_token": null, "model_max_length": 1000000000000000019884}`: {},
	} {
		var s settings
		if err := s.readTokenizer([]byte(config)); err != nil || s != want {
			t.Errorf("%s: got %+v, %v", config, s, err)
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1, "text_config": {}}`))
	f.Add([]byte(`{"pooling_mode": "mean", "pooling_mode_cls_token": true, "include_prompt": true}`))
	f.Add([]byte(`[{"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]`))
	f.Add([]byte(`{"prompts": {"query": "q: "}, "default_prompt_name": "query"}`))
	f.Add([]byte(`{"max_seq_length": 256, "pad_token": {"content": "x"}, "model_max_length": 1e30}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, read := range []func(*settings, []byte) error{
			(*settings).readConfig, (*settings).readTokenizer, (*settings).readSentenceBERT, (*settings).readPrompts, (*settings).readPooling,
		} {
			var s settings
			if err := read(&s, file); err != nil {
				continue
			}
			if s.positions < 0 || s.positions > mostTokens || s.maxTokens < 0 {
				t.Errorf("got %d positions, %d tokens", s.positions, s.maxTokens)
			}
		}
		var s settings
		if err := s.readModules(file); err == nil && s.poolingFolder != "" && !filepath.IsLocal(s.poolingFolder) {
			t.Errorf("unexpected pooling folder %q", s.poolingFolder)
		}
	})
}
