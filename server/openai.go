package server

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/encoder"
)

// EmbeddingRequest is OpenAI's embedding request.
type EmbeddingRequest struct {
	Model          string  `json:"model" example:"builtin" doc:"the spec of an encoder or the name of a collection"`
	Input          Input   `json:"input"`
	EncodingFormat *string `json:"encoding_format,omitempty" enum:"float,base64"`
	InputType      *string `json:"input_type,omitempty" enum:"query,document,passage" doc:"purpose of the texts; query by default"`
	Dimensions     *int    `json:"dimensions,omitempty" minimum:"1" example:"384" doc:"if set, must be the model's own"`
	User           string  `json:"user,omitempty" doc:"ignored"`
}

// Input is one text or a list of texts.
type Input []string

const (
	maxInput = 256
	notEmpty = `\S` // regular expression for a text that is not blank
)

// UnmarshalJSON accepts a string or a list of strings.
func (in *Input) UnmarshalJSON(content []byte) error {
	if content = bytes.TrimSpace(content); content[0] == '"' {
		*in = make(Input, 1)
		return json.Unmarshal(content, &(*in)[0])
	}
	var list []string
	if err := json.Unmarshal(content, &list); err != nil {
		return invalid("input must be a string or a list of strings; tokens are not supported").in("input")
	}
	*in = list
	return nil
}

// Schema returns the schema of a string or a list of strings.
func (Input) Schema(huma.Registry) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString, Pattern: notEmpty, Examples: []any{"a dog on a leash"}}
	return &huma.Schema{OneOf: []*huma.Schema{
		text, {Type: huma.TypeArray, Items: text, MinItems: new(1), MaxItems: new(maxInput)},
	}}
}

// EmbeddingList is OpenAI's embedding response.
type EmbeddingList struct {
	Object string      `json:"object" enum:"list"`
	Model  string      `json:"model"`
	Data   []Embedding `json:"data" nullable:"false"`
	Usage  Usage       `json:"usage"`
}

// Embedding is OpenAI's embedding object.
type Embedding struct {
	Object    string `json:"object" enum:"embedding"`
	Index     int    `json:"index"`
	Embedding Floats `json:"embedding"`
}

// Usage counts words, because encoders do not report token counts.
type Usage struct {
	PromptTokens int `json:"prompt_tokens"`
	TotalTokens  int `json:"total_tokens"`
}

// Floats is a vector, written as numbers or as base64 of little-endian float32.
type Floats struct {
	values []float32
	base64 bool
}

// MarshalJSON writes numbers or base64.
func (f Floats) MarshalJSON() ([]byte, error) {
	if !f.base64 {
		return json.Marshal(f.values)
	}
	raw := make([]byte, 0, 4*len(f.values))
	for _, v := range f.values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(raw))
}

// Schema returns the schema of both forms.
func (Floats) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber}}, {Type: huma.TypeString, ContentEncoding: "base64"},
	}}
}

var inputTypes = map[string]encoder.Role{"query": encoder.Query, "document": encoder.Document, "passage": encoder.Passage}

func (s *Server) embeddings(x *exchange, in *EmbeddingRequest) (*EmbeddingList, error) {
	inputType, format := chosenWord(in.InputType, "query"), chosenWord(in.EncodingFormat, "float")
	role, ok := inputTypes[inputType]
	if !ok {
		return nil, invalid("unknown input_type %q: it must be query, document or passage", inputType).in("input_type")
	}
	if format != "float" && format != "base64" {
		return nil, invalid("unknown encoding_format %q: it must be float or base64", format).in("encoding_format")
	}
	if len(in.Input) == 0 || len(in.Input) > maxInput {
		return nil, invalid("input has %d texts; between 1 and %d are possible", len(in.Input), maxInput).in("input")
	}
	for i, text := range in.Input {
		if strings.TrimSpace(text) == "" {
			return nil, invalid("text %d of input is empty", i).in("input")
		}
	}
	e, release, err := s.model(x, in.Model)
	if err != nil {
		return nil, err
	}
	defer release()
	if d := e.Identity().Dimension; in.Dimensions != nil && *in.Dimensions != d {
		return nil, invalid("dimensions is %d; the model has %d, and its vectors cannot be truncated", *in.Dimensions, d).in("dimensions")
	}
	encoded, err := e.Encode(x.Context(), role, in.Input)
	if err != nil {
		return nil, err
	}
	out := &EmbeddingList{Object: "list", Model: in.Model}
	for i, v := range encoded.Vectors {
		out.Data = append(out.Data, Embedding{"embedding", i, Floats{v, format == "base64"}})
		out.Usage.PromptTokens += len(strings.Fields(in.Input[i]))
	}
	out.Usage.TotalTokens = out.Usage.PromptTokens
	return out, nil
}

// chosenWord returns the given value, even if it is empty, or the default if it is nil.
func chosenWord(given *string, usual string) string {
	if given == nil {
		return usual
	}
	return *given
}

// model returns the encoder with this spec, or the encoder of the collection with this name.
func (s *Server) model(x *exchange, name string) (encoder.Encoder, func(), error) {
	if slices.Contains(s.collections.Encoders(), name) {
		e, err := s.collections.Encoder(x.Context(), name)
		return e, func() {}, err
	}
	if !allows(x.Context(), name) {
		return nil, nil, noModel(name)
	}
	o, release, err := s.collections.Use(x.Context(), name, false)
	if err != nil {
		if problemOf(err).Code == "not_found" {
			err = noModel(name)
		}
		return nil, nil, err
	}
	return o.Encoder(), release, nil
}

// Routes and types of OpenAI's API other than embeddings.

// OpenAIError is a problem in OpenAI's format, sent in addition to RFC 9457's.
type OpenAIError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param" doc:"the invalid field of the body, or null"`
	Code    string  `json:"code"`
}

// openAIError converts a problem to OpenAI's format and error types.
func (p *Problem) openAIError() *OpenAIError {
	e := &OpenAIError{Message: p.Detail, Type: "invalid_request_error", Code: p.Code}
	if p.field != "" {
		e.Param = &p.field
	}
	switch {
	case p.Status == 401:
		e.Type = "authentication_error"
	case p.Status == 403:
		e.Type = "permission_error"
	case p.Status == 429:
		e.Type = "rate_limit_error"
	case p.Status >= 500:
		e.Type = "server_error"
	}
	return e
}

// ModelList is OpenAI's list of models.
type ModelList struct {
	Object string  `json:"object" enum:"list"`
	Data   []Model `json:"data" nullable:"false"`
}

// Model is OpenAI's model object: an encoder, or a collection that stands for its encoder.
type Model struct {
	ID      string `json:"id"`
	Object  string `json:"object" enum:"model"`
	Created int64  `json:"created" doc:"0: unknown"`
	OwnedBy string `json:"owned_by" enum:"encoder,collection"`
}

func (s *Server) listModels(x *exchange, _ *nothing) (*ModelList, error) {
	list := &ModelList{Object: "list", Data: []Model{}}
	for _, word := range s.collections.Encoders() {
		list.Data = append(list.Data, Model{ID: word, Object: "model", OwnedBy: "encoder"})
	}
	names, err := s.names(x.Context())
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		list.Data = append(list.Data, Model{ID: name, Object: "model", OwnedBy: "collection"})
	}
	return list, nil
}

func (s *Server) getModel(x *exchange, _ *nothing) (*Model, error) {
	list, err := s.listModels(x, nil)
	if err != nil {
		return nil, err
	}
	id := x.PathValue("model")
	i := slices.IndexFunc(list.Data, func(m Model) bool { return m.ID == id })
	if i < 0 {
		return nil, noModel(id)
	}
	return &list.Data[i], nil
}

func noModel(id string) *Problem {
	return newProblem("not_found", "there is no model %q; GET /v1/models lists the available ones", id).in("model")
}
