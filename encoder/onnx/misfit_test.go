package onnx

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/bertonnx"
)

// The dimensions of a small graph that looks up each token in a table.
const rows, columns = 600, 4

func tokenVectors(g *bertonnx.Graph, value float32, shape ...any) string {
	table := make([]float32, rows*columns)
	for i := range table {
		table[i] = value * float32(i%7)
	}
	ids := g.Input("input_ids", bertonnx.Int64, shape...)
	return g.Node("Gather", []string{g.Floats(table, rows, columns), ids}, bertonnx.Attribute{Name: "axis", Value: 0})
}

func tokens(name string, value float32) func(*bertonnx.Graph) {
	return func(g *bertonnx.Graph) {
		g.Named(name, "Identity", []string{tokenVectors(g, value, "batch", "sequence")})
		g.Output(name, bertonnx.Float32, "batch", "sequence", columns)
	}
}

// pooled builds a graph that returns the vector of the first token.
func pooled(name string, shape ...any) func(*bertonnx.Graph) {
	return func(g *bertonnx.Graph) { poolFirst(g, name, tokenVectors(g, 1, shape...)) }
}

func poolFirst(g *bertonnx.Graph, name, vectors string) {
	g.Named(name, "Gather", []string{vectors, g.Ints([]int64{0})}, bertonnx.Attribute{Name: "axis", Value: 1})
	g.Output(name, bertonnx.Float32, "batch", columns)
}

// madeFolder returns a folder with the files of bge, a graph as its model, and some files
// replaced or, if empty, removed.
func madeFolder(t testing.TB, build func(*bertonnx.Graph), files map[string]string) string {
	t.Helper()
	dir := copyFolder(t, "bge")
	if build != nil {
		g := &bertonnx.Graph{}
		build(g)
		if err := g.WriteFile(filepath.Join(dir, "onnx", "model.onnx")); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.Remove(path)
		if text != "" {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWhatDoesNotFit(t *testing.T) {
	nan := float32(math.NaN())
	dense := `[{"path": "", "type": "x.Transformer"}, {"path": "1_Pooling", "type": "x.Pooling"}, {"path": "2_Dense", "type": "x.Dense"}]`
	for name, c := range map[string]struct {
		build func(*bertonnx.Graph)
		files map[string]string
		o     Options
		want  string
	}{
		"no tokenizer":        {files: map[string]string{"tokenizer.json": ""}, want: "tokenizer.json is missing; get it from"},
		"spoilt tokenizer":    {files: map[string]string{"tokenizer.json": "{"}, want: "reading tokenizer.json:"},
		"no config":           {files: map[string]string{"config.json": ""}, want: "config.json is missing"},
		"spoilt config":       {files: map[string]string{"config.json": "{"}, want: "reading config.json: unexpected end"},
		"spoilt pooling":      {files: map[string]string{"1_Pooling/config.json": "{}"}, want: "reading 1_Pooling/config.json: pooling by"},
		"spoilt modules":      {files: map[string]string{"modules.json": "{}"}, want: "reading modules.json:"},
		"no pooling":          {files: map[string]string{"1_Pooling/config.json": ""}, want: "1_Pooling/config.json is missing"},
		"a dense layer":       {files: map[string]string{"modules.json": dense}, want: "a module Dense after the model"},
		"no model":            {files: map[string]string{"onnx/model.onnx": ""}, want: "found no model*.onnx"},
		"no ONNX":             {files: map[string]string{"onnx/model.onnx": "text"}, want: "model.onnx may not be an ONNX model, may be truncated"},
		"a pointer":           {files: map[string]string{"onnx/model.onnx": "version https://git-lfs.github.com/spec/v1\n"}, want: "may not be an ONNX model"},
		"not a number":        {build: tokens("last_hidden_state", nan), want: "trying the model: the model returned numbers that are not finite"},
		"zeros":               {build: tokens("last_hidden_state", 0), want: "trying the model: the model returned a zero vector"},
		"unknown output":      {build: tokens("logits", 1), want: "its output is logits, want one of sentence_embedding"},
		"nothing to pool":     {build: pooled("sentence_embedding", "batch", "sequence"), o: Options{Pooling: "mean"}, want: "it returns no token vectors to pool by mean"},
		"two texts at a time": {build: pooled("sentence_embedding", 2, "sequence"), want: "one text at a time"},
		"an unknown input": {build: func(g *bertonnx.Graph) {
			tokens("last_hidden_state", 1)(g)
			g.Input("task_id", bertonnx.Int64)
		}, want: "it requires task_id"},
		"both towers": {build: func(g *bertonnx.Graph) {
			tokens("last_hidden_state", 1)(g)
			g.Input("pixel_values", bertonnx.Float32, 1, 3, 8, 8)
		}, want: "use text_model.onnx and vision_model.onnx"},
		"padding unseen": {build: func(g *bertonnx.Graph) {
			g.Named("last_hidden_state", "Identity", []string{tokenVectors(g, 1, 1, 12)})
			g.Output("last_hidden_state", bertonnx.Float32, 1, 12, columns)
		}, want: "it requires exactly 12 tokens and has no attention_mask"},
		"positions of RoBERTa": {build: func(g *bertonnx.Graph) {
			tokens("last_hidden_state", 1)(g)
			g.Input("position_ids", bertonnx.Int64, "batch", "sequence")
		}, files: map[string]string{"config.json": `{"model_type": "roberta", "max_position_embeddings": 34}`}, want: "it requires position_ids"},
		"no projection":   {files: map[string]string{"config.json": `{"model_type": "clip"}`}, want: ", not text_embeds"},
		"unknown pooling": {o: Options{Pooling: "max"}, want: `unknown pooling "max"`},
		"many tokens":     {o: Options{MaxTokens: 33}, want: "33 tokens exceed the model's 32"},
		"no such model":   {o: Options{Model: "onnx/model_q4.onnx"}, want: "finding the model onnx/model_q4.onnx"},
		"no length": {files: map[string]string{"config.json": "{}", "sentence_bert_config.json": "", "tokenizer_config.json": ""},
			want: "no file gives the model's token limit"},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Runtime = library(t)
			e, err := Open(madeFolder(t, c.build, c.files), c.o)
			if err == nil {
				e.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "opening the encoder in ") {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}

func TestOutputsByPreference(t *testing.T) {
	for name, c := range map[string]struct {
		build   func(*bertonnx.Graph)
		o       Options
		pooling string
	}{
		"sentence_embedding": {pooled("sentence_embedding", "batch", "sequence"), Options{}, "sentence_embedding"},
		"before the tokens": {func(g *bertonnx.Graph) {
			tokens("token_embeddings", 1)(g)
			poolFirst(g, "sentence_embedding", "token_embeddings")
		}, Options{}, "sentence_embedding"},
		"token_embeddings": {tokens("token_embeddings", 1), Options{}, "cls"},
		"as asked for":     {tokens("token_embeddings", 1), Options{Pooling: "last"}, "last"},
		"nothing else":     {pooled("pooler_output", "batch", "sequence"), Options{}, "pooler_output"},
	} {
		c.o.Runtime = library(t)
		e, err := Open(madeFolder(t, c.build, nil), c.o)
		if err != nil {
			t.Errorf("%s: got error %v", name, err)
			continue
		}
		if id := e.Identity(); id.Pooling != c.pooling || id.Dimension != columns {
			t.Errorf("%s: got %v, want pooling %s", name, id, c.pooling)
		}
		e.Close()
	}
}

// A model with a fixed length gets padding, which is not pooled.
func TestFixedLength(t *testing.T) {
	fixed := func(g *bertonnx.Graph) {
		g.Input("attention_mask", bertonnx.Int64, 1, 12)
		g.Named("last_hidden_state", "Identity", []string{tokenVectors(g, 1, 1, 12)})
		g.Output("last_hidden_state", bertonnx.Float32, 1, 12, columns)
	}
	for _, pooling := range poolings {
		open := func(build func(*bertonnx.Graph)) *Encoder {
			e, err := Open(madeFolder(t, build, nil), Options{Runtime: library(t), Pooling: pooling, MaxTokens: 20})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		}
		short, any := open(fixed), open(tokens("last_hidden_state", 1))
		if short.Identity().MaxTokens != 12 || any.Identity().MaxTokens != 20 {
			t.Errorf("got limits of %d and %d tokens", short.Identity().MaxTokens, any.Identity().MaxTokens)
		}
		texts := []string{"a dog", "cats sleep on the table"}
		if a, b := encode(t, short, texts), encode(t, any, texts); !slices.EqualFunc(a.Vectors, b.Vectors, slices.Equal[[]float32]) {
			t.Errorf("%s: got %v with a fixed length, %v with a variable length", pooling, a.Vectors, b.Vectors)
		}
		if out := encode(t, short, []string{strings.Repeat("dog ", 15)}); !out.Cut[0] {
			t.Error("a text longer than the model's length was not cut")
		}
	}
}

// The error names the text on which the model fails.
func TestTheFailingTextIsNamed(t *testing.T) {
	small := func(g *bertonnx.Graph) { // too few rows for some tokens
		ids := g.Input("input_ids", bertonnx.Int64, "batch", "sequence")
		table := g.Floats(slices.Repeat([]float32{1}, 300*columns), 300, columns)
		g.Named("last_hidden_state", "Gather", []string{table, ids}, bertonnx.Attribute{Name: "axis", Value: 0})
		g.Output("last_hidden_state", bertonnx.Float32, "batch", "sequence", columns)
	}
	e, err := Open(madeFolder(t, small, nil), Options{Runtime: library(t), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	failing := ""
	for _, word := range strings.Fields("search built engineers kitchen trumpet nobody market lighthouse") {
		if ids, _ := e.tokenizer.Encode(word, 32); slices.Max(ids) >= 300 {
			failing = word
		}
	}
	if failing == "" {
		t.Fatal("no word has a token above 300")
	}
	_, err = e.Encode(context.Background(), encoder.Query, []string{"a", "a", failing, "a"})
	if err == nil || !strings.Contains(err.Error(), "encoding text 2 with bge (4 dimensions") {
		t.Errorf("got error %v, want one about text 2", err)
	}
}
