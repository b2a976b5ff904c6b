package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
)

// Preset is what is known of a model by its name.
type Preset struct {
	Name       string // as its authors have it on the hub
	Repository string // the one that has it as ONNX; empty: none is known, and Export says how to make it
	Files      []string
	Optional   []string // not in every repository of the kind
	Export     string

	Dimension int
	Pooling   string // or the output that is taken as it is
	Prefixes  encoder.Prefixes
	MaxTokens int
	Pictures  bool
	Licence   string // of the weights; empty: see the repository
}

// Options open a folder that has the preset's model, whichever of the files that
// say how it is used are there.
func (p Preset) Options() Options {
	o := Options{Name: p.Name, Prefixes: &p.Prefixes, MaxTokens: p.MaxTokens}
	if slices.Contains(poolings, p.Pooling) {
		o.Pooling = p.Pooling
	}
	return o
}

// The files of the two kinds of repositories.
var (
	textFiles = []string{"onnx/model.onnx", "config.json", "tokenizer.json"}
	textMore  = []string{
		"onnx/model.onnx_data", "tokenizer_config.json", "modules.json", "1_Pooling/config.json",
		"sentence_bert_config.json", "config_sentence_transformers.json",
	}
	pairFiles = []string{"onnx/text_model.onnx", "onnx/vision_model.onnx", "config.json", "tokenizer.json", "preprocessor_config.json"}
	pairMore  = []string{"onnx/text_model.onnx_data", "onnx/vision_model.onnx_data", "tokenizer_config.json"}
)

// presets name the files as the repositories themselves do; dimensions, poolings and
// prefixes are those of the models' cards and configurations.
var presets = []Preset{
	{
		Name: "BAAI/bge-large-en-v1.5", Repository: "BAAI/bge-large-en-v1.5", Files: textFiles, Optional: textMore,
		Dimension: 1024, Pooling: "cls", MaxTokens: 512, Licence: "MIT",
		Prefixes: encoder.Prefixes{Query: "Represent this sentence for searching relevant passages: "},
	},
	{
		Name: "nomic-ai/nomic-embed-text-v2-moe", Dimension: 768, Pooling: "mean", MaxTokens: 512, Licence: "Apache-2.0",
		// Its code is in its repository, and transformers' own NomicBert has no experts.
		Export: "load nomic-ai/nomic-embed-text-v2-moe with transformers and trust_remote_code, " +
			"and torch.onnx.export it from input_ids and attention_mask to last_hidden_state",
		Prefixes: encoder.Prefixes{Query: "search_query: ", Document: "search_document: ", Passage: "search_document: "},
	},
	{
		Name: "intfloat/e5-base-v2", Repository: "intfloat/e5-base-v2", Files: textFiles, Optional: textMore,
		Dimension: 768, Pooling: "mean", MaxTokens: 512, Licence: "MIT",
		Prefixes: encoder.Prefixes{Query: "query: ", Document: "passage: ", Passage: "passage: "},
	},
	{
		// Its authors publish the training (github.com/yanzhen4/LogiCoL), not the
		// weights. It starts from e5-base-v2 and gives texts without prefixes.
		Name: "LogiCoL-E5", Dimension: 768, Pooling: "mean", MaxTokens: 512,
		Export: "train intfloat/e5-base-v2 with github.com/yanzhen4/LogiCoL, save the encoder with save_pretrained, " +
			"then optimum-cli export onnx --task feature-extraction --model CHECKPOINT FOLDER",
	},
	{
		Name: "sentence-transformers/all-MiniLM-L6-v2", Repository: "sentence-transformers/all-MiniLM-L6-v2", Files: textFiles, Optional: textMore,
		Dimension: 384, Pooling: "mean", MaxTokens: 256, Licence: "Apache-2.0",
	},
	{
		Name: "thenlper/gte-small", Repository: "thenlper/gte-small", Files: textFiles, Optional: textMore,
		Dimension: 384, Pooling: "mean", MaxTokens: 512, Licence: "MIT",
	},
	{
		Name: "openai/clip-vit-base-patch32", Repository: "Xenova/clip-vit-base-patch32", Files: pairFiles, Optional: pairMore,
		Dimension: 512, Pooling: "text_embeds", MaxTokens: 77, Pictures: true,
	},
	{
		Name: "openai/clip-vit-large-patch14", Repository: "Xenova/clip-vit-large-patch14", Files: pairFiles, Optional: pairMore,
		Dimension: 768, Pooling: "text_embeds", MaxTokens: 77, Pictures: true,
	},
	{
		// Texts are filled up to 64 tokens, as it was trained.
		Name: "google/siglip-base-patch16-224", Repository: "Xenova/siglip-base-patch16-224", Files: pairFiles, Optional: pairMore,
		Dimension: 768, Pooling: "pooler_output", MaxTokens: 64, Pictures: true, Licence: "Apache-2.0",
	},
	{
		Name: "Salesforce/blip-itm-large-coco", Dimension: 256, Pooling: "text_embeds", MaxTokens: 512, Pictures: true, Licence: "BSD-3-Clause",
		Export: "python training/tinyblip.py --model Salesforce/blip-itm-large-coco --out FOLDER",
	},
}

// Presets are the models that are known by name.
func Presets() []Preset { return slices.Clone(presets) }

// PresetByName is a preset by its name or by the part of it after the slash, in
// capitals or not.
func PresetByName(name string) (Preset, error) {
	var known []string
	for _, p := range presets {
		if strings.EqualFold(name, p.Name) || strings.EqualFold(name, p.Name[strings.LastIndexByte(p.Name, '/')+1:]) {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return Preset{}, fmt.Errorf("looking for a model by name: %q is none of %s", name, strings.Join(known, ", "))
}
