package onnx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
)

// tower is a model with its selected output.
type tower struct {
	session *ort.Session
	inputs  []ort.Port
	output  string
	pooling string // empty if the model pools itself
	padTo   int    // fixed number of input tokens; 0 for a variable length
	pad     int32

	seesPadding bool
}

// chooseOutput selects the output with the vectors and, for token vectors, the pooling.
func chooseOutput(outputs []ort.Port, s *settings, wanted string) (name, pooling string, err error) {
	has := func(name string, dimensions int) bool {
		return slices.ContainsFunc(outputs, func(p ort.Port) bool { return p.Name == name && len(p.Shape) == dimensions })
	}
	tokens := ""
	for _, name := range []string{"last_hidden_state", "token_embeddings"} {
		if tokens == "" && has(name, 3) {
			tokens = name
		}
	}
	switch {
	case wanted != "" && tokens == "":
		return "", "", fmt.Errorf("it returns no token vectors to pool by %s; its output is %s", wanted, names(outputs))
	case wanted != "":
		return tokens, wanted, nil
	case has("sentence_embedding", 2):
		return "sentence_embedding", "", nil
	case has("text_embeds", 2):
		return "text_embeds", "", nil
	case s.kind == "siglip" && has("pooler_output", 2):
		return "pooler_output", "", nil
	case s.isTower():
		return "", "", fmt.Errorf("its output is %s, not text_embeds, so its vectors are not comparable to picture vectors; "+
			"use an export with the projection", names(outputs))
	case tokens != "" && s.unapplied != "":
		return "", "", fmt.Errorf("modules.json has a module %s after the model, which is not supported; use an export with the output sentence_embedding", s.unapplied)
	case tokens != "" && s.pooling == "":
		return "", "", errors.New("the pooling is unknown: 1_Pooling/config.json is missing; " +
			"get it, or set the pooling given on the model card: mean, cls or last")
	case tokens != "":
		return tokens, s.pooling, nil
	case has("pooler_output", 2):
		return "pooler_output", "", nil
	}
	return "", "", fmt.Errorf("its output is %s, want one of sentence_embedding, text_embeds, last_hidden_state, token_embeddings, pooler_output", names(outputs))
}

// checkInputs checks the inputs of a text model and returns the fixed number of tokens it
// requires, or 0 if the length is variable.
func checkInputs(inputs []ort.Port) (length int, err error) {
	if !slices.ContainsFunc(inputs, func(p ort.Port) bool { return p.Name == "input_ids" }) {
		return 0, fmt.Errorf("its inputs are %s, without input_ids: it is not a text encoder", names(inputs))
	}
	for _, p := range inputs {
		switch p.Name {
		case "input_ids", "attention_mask", "token_type_ids", "position_ids":
		case "pixel_values":
			return 0, errors.New("it requires texts and pictures at once; use text_model.onnx and vision_model.onnx from the same repository")
		default:
			return 0, fmt.Errorf("it requires %s, which is not supported", p)
		}
		if len(p.Shape) != 2 || p.Shape[0] > 1 {
			return 0, fmt.Errorf("it requires %s, but only one text at a time is supported", p)
		}
		if p.Shape[1] > 0 {
			length = int(p.Shape[1])
		}
	}
	return length, nil
}

func names(ports []ort.Port) string {
	var all []string
	for _, p := range ports {
		all = append(all, p.Name)
	}
	return strings.Join(all, ", ")
}

// text returns the vector of a text, given as tokens.
func (t *tower) text(ctx context.Context, ids []int32) ([]float32, error) {
	n := len(ids)
	if n == 0 {
		return nil, errors.New("it is empty, and the tokenizer adds no special tokens")
	}
	given := max(n, t.padTo)
	in := make([]ort.Tensor, len(t.inputs))
	for i, p := range t.inputs {
		values := make([]int32, given)
		for at := range values {
			switch {
			case p.Name == "position_ids":
				values[at] = int32(at)
			case p.Name == "attention_mask" && (at < n || t.seesPadding):
				values[at] = 1
			case p.Name == "input_ids" && at < n:
				values[at] = ids[at]
			case p.Name == "input_ids":
				values[at] = t.pad
			}
		}
		in[i] = ort.Tensor{Name: p.Name, Shape: []int64{1, int64(given)}}
		if p.Type == ort.Int32 {
			in[i].Int32s = values
			continue
		}
		in[i].Ints = make([]int64, given)
		for at, v := range values {
			in[i].Ints[at] = int64(v)
		}
	}
	return t.run(ctx, in, n)
}

// run runs the model and pools the first n token vectors.
func (t *tower) run(ctx context.Context, in []ort.Tensor, n int) ([]float32, error) {
	out, err := t.session.Run(ctx, in, []string{t.output})
	if err != nil {
		return nil, err
	}
	rows, shape := out[0].Floats, out[0].Shape
	dimension := int(shape[len(shape)-1])
	count := 1
	if t.pooling != "" {
		count = n
	}
	if shape[0] != 1 || dimension < 1 || len(rows) < count*dimension || t.pooling == "" && len(rows) != dimension {
		return nil, fmt.Errorf("the model returned %s with the shape %v, want one vector or one for each of %d tokens", t.output, shape, n)
	}
	return unit(pool(rows, count, dimension, t.pooling))
}

// pool combines the vectors of n tokens.
func pool(rows []float32, n, dimension int, pooling string) []float64 {
	out := make([]float64, dimension)
	from, to := 0, 1
	switch pooling {
	case "mean":
		to = n
	case "last":
		from, to = n-1, n
	}
	for i := from; i < to; i++ {
		for d, v := range rows[i*dimension : (i+1)*dimension] {
			out[d] += float64(v)
		}
	}
	return out // the length does not matter
}

// unit returns v scaled to length 1.
func unit(v []float64) ([]float32, error) {
	var sum float64
	for _, x := range v {
		sum += float64(x * x) // rounded explicitly to be the same on every processor
	}
	length := math.Sqrt(sum)
	switch {
	case math.IsNaN(length) || math.IsInf(length, 0):
		return nil, errors.New("the model returned numbers that are not finite; a half-precision model may overflow: use one of full precision")
	case length == 0:
		return nil, errors.New("the model returned a zero vector, which has no direction")
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x / length)
	}
	return out, nil
}
