package server

import "slices"

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
