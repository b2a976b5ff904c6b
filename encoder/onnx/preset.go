package onnx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
)

// Preset describes a known model.
type Preset struct {
	Name       string // its name on the hub
	Repository string // the repository with an ONNX export
	Files      []string
	Optional   []string // not in every repository

	Dimension int
	Pooling   string // or the model's pooled output
	Prefixes  encoder.Prefixes
	MaxTokens int
	Pictures  bool   // for texts and pictures; ONNX Runtime runs it
	Licence   string // of the weights; empty if it is in the repository
	Megabytes int    // of the download, about
	// Demo is the mAP@100 on the demo of plain retrieval and of the default, as printed by nsfl
	// eval peers --set demo --encoder NAME with the model's 8-bit ONNX file; zero if it was not
	// measured.
	Demo [2]float64
}

// Options returns options for a folder with the preset's model, even if the folder lacks
// the files that describe how to use it.
func (p Preset) Options() Options {
	o := Options{Name: p.Name, Prefixes: &p.Prefixes, MaxTokens: p.MaxTokens}
	if slices.Contains(poolings, p.Pooling) {
		o.Pooling = p.Pooling
	}
	return o
}

// The files of text models and of text-and-picture models.
var (
	textFiles = []string{"onnx/model.onnx", "config.json", "tokenizer.json"}
	textMore  = []string{
		"onnx/model.onnx_data", "tokenizer_config.json", "modules.json", "1_Pooling/config.json",
		"sentence_bert_config.json", "config_sentence_transformers.json",
	}
	pairFiles = []string{"onnx/text_model.onnx", "onnx/vision_model.onnx", "config.json", "tokenizer.json", "preprocessor_config.json"}
	pairMore  = []string{"onnx/text_model.onnx_data", "onnx/vision_model.onnx_data", "tokenizer_config.json"}
)

// presets begins with three good models for texts. Dimensions, poolings and prefixes come from
// the model cards and configurations.
var presets = []Preset{
	{
		Name: "BAAI/bge-small-en-v1.5", Repository: "BAAI/bge-small-en-v1.5", Files: textFiles, Optional: textMore,
		Dimension: 384, Pooling: "cls", MaxTokens: 512, Licence: "MIT",
		Prefixes:  encoder.Prefixes{Query: "Represent this sentence for searching relevant passages: "},
		Megabytes: 133, Demo: [2]float64{0.364, 0.640},
	},
	{
		Name: "sentence-transformers/all-MiniLM-L6-v2", Repository: "sentence-transformers/all-MiniLM-L6-v2", Files: textFiles, Optional: textMore,
		Dimension: 384, Pooling: "mean", MaxTokens: 256, Licence: "Apache-2.0",
		Megabytes: 91, Demo: [2]float64{0.422, 0.600},
	},
	{
		Name: "intfloat/e5-small-v2", Repository: "intfloat/e5-small-v2", Files: textFiles, Optional: textMore,
		Dimension: 384, Pooling: "mean", MaxTokens: 512, Licence: "MIT",
		Prefixes:  encoder.Prefixes{Query: "query: ", Document: "passage: ", Passage: "passage: "},
		Megabytes: 133, Demo: [2]float64{0.450, 0.646},
	},
	{
		Name: "BAAI/bge-large-en-v1.5", Repository: "BAAI/bge-large-en-v1.5", Files: textFiles, Optional: textMore,
		Dimension: 1024, Pooling: "cls", MaxTokens: 512, Licence: "MIT",
		Prefixes: encoder.Prefixes{Query: "Represent this sentence for searching relevant passages: "},
	},
	{
		Name: "intfloat/e5-base-v2", Repository: "intfloat/e5-base-v2", Files: textFiles, Optional: textMore,
		Dimension: 768, Pooling: "mean", MaxTokens: 512, Licence: "MIT",
		Prefixes: encoder.Prefixes{Query: "query: ", Document: "passage: ", Passage: "passage: "},
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
		// Texts are padded to 64 tokens, as in training.
		Name: "google/siglip-base-patch16-224", Repository: "Xenova/siglip-base-patch16-224", Files: pairFiles, Optional: pairMore,
		Dimension: 768, Pooling: "pooler_output", MaxTokens: 64, Pictures: true, Licence: "Apache-2.0",
	},
}

// Presets returns the models known by name.
func Presets() []Preset { return slices.Clone(presets) }

// PresetByName finds a preset by its name, or by the part after the slash, ignoring case.
func PresetByName(name string) (Preset, error) {
	var known []string
	for _, p := range presets {
		if strings.EqualFold(name, p.Name) || strings.EqualFold(name, p.Name[strings.LastIndexByte(p.Name, '/')+1:]) {
			return p, nil
		}
		known = append(known, p.Name)
	}
	return Preset{}, fmt.Errorf("unknown model %q, want one of %s", name, strings.Join(known, ", "))
}
