package server

import (
	"sync"
	"weak"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/suggest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// ExampleList lists example queries.
type ExampleList struct {
	Examples []suggest.Example `json:"examples" nullable:"false"`
}

// suggested caches the examples of collections until the next write.
type suggested struct {
	mu sync.Mutex
	of map[string]suggestion
}

type suggestion struct {
	collection weak.Pointer[workspace.Handle] // detects a collection that was closed or replaced
	size       engine.Size                    // changes with every write to a directory
	list       *ExampleList
}

// suggestCost estimates the memory for making examples: some documents and the words of the
// sample.
const suggestCost = 16 << 20

func (s *Server) listExamples(x *exchange, _ *nothing) (*ExampleList, error) {
	c := x.collection
	if c.Name == workspace.Demo && s.config.Demo != nil {
		return &ExampleList{Examples: suggest.Demo()}, nil
	}
	size, err := c.Store().Size(x.Context())
	if err != nil {
		return nil, err
	}
	if list := s.suggested.get(c, size); list != nil {
		return list, nil
	}
	if err := x.share.draw(suggestCost); err != nil {
		return nil, err
	}
	examples, err := suggest.Of(x.Context(), c.Store())
	if err != nil {
		return nil, err
	}
	list := &ExampleList{Examples: append([]suggest.Example{}, examples...)}
	s.suggested.put(c, size, list)
	return list, nil
}

func (s *suggested) get(c *workspace.Handle, size engine.Size) *ExampleList {
	s.mu.Lock()
	defer s.mu.Unlock()
	if had := s.of[c.Name]; had.collection == weak.Make(c) && had.size == size {
		return had.list
	}
	return nil
}

// mostSuggested limits the number of cached collections.
const mostSuggested = 256

func (s *suggested) put(c *workspace.Handle, size engine.Size, list *ExampleList) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil || len(s.of) >= mostSuggested {
		s.of = map[string]suggestion{}
	}
	s.of[c.Name] = suggestion{weak.Make(c), size, list}
}
