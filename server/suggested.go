package server

import (
	"github.com/nsfl-go/nsfl/internal/suggest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// ExampleList lists example queries.
type ExampleList struct {
	Examples []suggest.Example `json:"examples" nullable:"false"`
}

func (s *Server) listExamples(x *exchange, _ *nothing) (*ExampleList, error) {
	c := x.collection
	if c.Name == workspace.Demo && s.config.Demo != nil {
		return &ExampleList{Examples: suggest.Demo()}, nil
	}
	if err := x.share.Draw(readCost); err != nil {
		return nil, err
	}
	examples, err := suggest.Of(x.Context(), c.Store())
	return &ExampleList{Examples: append([]suggest.Example{}, examples...)}, err
}
