package onnx

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/encoder/tokenizer"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// tower is the text or the picture model of a pair, with its selected output.
type tower struct {
	session *ort.Session
	inputs  []ort.Port
	output  string
	padTo   int // fixed number of input tokens; 0 for a variable length
	pad     int32

	seesPadding bool
}

// openText opens the text model.
func openText(r *ort.Runtime, f folder, model string, s *settings, limit int, tokens *tokenizer.Tokenizer) (*tower, error) {
	session, err := r.Open(filepath.Join(string(f), model))
	if err != nil {
		return nil, fmt.Errorf("%w; %s may not be an ONNX model, may be truncated, or may lack its file of weights", err, model)
	}
	t := &tower{session: session, inputs: session.Inputs()}
	if err = t.choose(s, "text_embeds"); err == nil {
		err = t.fit(s, limit, tokens)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the model %s: %w", model, err), session.Close())
	}
	return t, nil
}

// choose selects the output with the vectors, which texts and pictures share.
func (t *tower) choose(s *settings, embeds string) error {
	outputs := t.session.Outputs()
	for _, name := range []string{embeds, "pooler_output"} {
		has := slices.ContainsFunc(outputs, func(p ort.Port) bool { return p.Name == name && len(p.Shape) == 2 })
		if has && (name == embeds || s.kind == "siglip") {
			t.output = name
			return nil
		}
	}
	return fmt.Errorf("its output is %s, not %s, so vectors of texts and pictures are not comparable; "+
		"use an export with the projection", names(outputs), embeds)
}

// fit adapts to the inputs of a text model.
func (t *tower) fit(s *settings, limit int, tokens *tokenizer.Tokenizer) (err error) {
	if !slices.ContainsFunc(t.inputs, func(p ort.Port) bool { return p.Name == "input_ids" }) {
		return fmt.Errorf("its inputs are %s, without input_ids: it is not a text encoder", names(t.inputs))
	}
	for _, p := range t.inputs {
		switch {
		case p.Name != "input_ids" && p.Name != "attention_mask" || p.Type != ort.Int64:
			return fmt.Errorf("it requires %s, which is not supported", p)
		case len(p.Shape) != 2 || p.Shape[0] > 1:
			return fmt.Errorf("it requires %s, but only one text at a time is supported", p)
		case p.Shape[1] > 0:
			t.padTo = int(p.Shape[1])
		}
	}
	if s.kind == "siglip" { // trained with padding to a fixed length and no attention mask
		t.padTo, t.seesPadding = max(t.padTo, s.positions, limit), true
	}
	if t.padTo == 0 {
		return nil
	}
	t.pad, err = s.padding(tokens)
	return err
}

// padding returns the token used to pad texts to a fixed length.
func (s *settings) padding(tokens *tokenizer.Tokenizer) (int32, error) {
	if id, ok := tokens.ID(s.padToken); ok && s.padToken != "" {
		return id, nil
	}
	if s.padID != nil {
		return *s.padID, nil
	}
	return 0, errors.New("it requires padding, but neither tokenizer_config.json nor config.json names the padding token")
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
	if len(ids) == 0 {
		return nil, errors.New("it is empty, and the tokenizer adds no special tokens")
	}
	given := max(len(ids), t.padTo)
	in := make([]ort.Tensor, len(t.inputs))
	for i, p := range t.inputs {
		values := make([]int64, given)
		for at := range values {
			read := at < len(ids)
			switch {
			case p.Name == "attention_mask" && (read || t.seesPadding):
				values[at] = 1
			case p.Name == "input_ids" && read:
				values[at] = int64(ids[at])
			case p.Name == "input_ids":
				values[at] = int64(t.pad)
			}
		}
		in[i] = ort.Tensor{Name: p.Name, Shape: []int64{1, int64(given)}, Ints: values}
	}
	return t.run(ctx, in)
}

// run runs the model and returns its vector with length 1.
func (t *tower) run(ctx context.Context, in []ort.Tensor) ([]float32, error) {
	out, err := t.session.Run(ctx, in, t.output)
	if err != nil {
		return nil, err
	}
	if len(out.Shape) != 2 || out.Shape[0] != 1 || out.Shape[1] < 1 {
		return nil, fmt.Errorf("the model returned %s with the shape %v, want one vector", t.output, out.Shape)
	}
	switch err := vec.Normalize(out.Floats); {
	case errors.Is(err, vec.ErrNotFinite):
		return nil, errors.New("the model returned numbers that are not finite; a half-precision model may overflow: use one of full precision")
	case err != nil:
		return nil, errors.New("the model returned a zero vector, which has no direction")
	}
	return out.Floats, nil
}
