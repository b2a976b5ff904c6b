package server

import (
	"context"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Search is a search request.
type Search struct {
	Question
	Filter Filter `json:"filter,omitempty" doc:"field to value, list of values (any of them) or {gte, gt, lte, lt}; all fields must hold"`
	retrieve.Options
	// K and Candidates are pointers because 0 is invalid but leaving them out is not.
	K          *int    `json:"k,omitempty"`
	Candidates *int    `json:"candidates,omitempty"`
	Profile    *string `json:"profile,omitempty" enum:"collection,paper" doc:"how vectors are refined and which operators rank: the collection's own, or none of it as in the paper"`
	Columns    bool    `json:"columns,omitempty" doc:"the similarities of the best candidates, up to 2,000, to all terms"`
}

// options returns the options of the request, checked against the server's limits.
func (in *Search) options(maxResults int) (retrieve.Options, error) {
	o := in.Options
	o.Logic = chosen(o.Logic)
	o.K = min(10, maxResults)
	if in.K != nil {
		o.K = *in.K
	}
	if o.K < 1 || o.K > maxResults {
		return o, invalid("k is %d; between 1 and %d are possible", o.K, maxResults)
	}
	if in.Candidates != nil {
		if o.Candidates = *in.Candidates; o.Candidates < 1 {
			return o, invalid("candidates is %d; between 1 and %d are possible", o.Candidates, retrieve.MaxCandidates)
		}
	}
	if o.Offset < 0 || o.Offset > maxResults-o.K {
		return o, invalid("offset is %d; it must be at least 0, and offset and k together at most %d", o.Offset, maxResults)
	}
	switch word := chosenWord(in.Profile, "collection"); word {
	case "collection":
	case "paper":
		o.Profile = profile.Paper()
	default:
		return o, invalid("unknown profile %q: it is collection or paper", word)
	}
	return o, o.Check()
}

// chosen returns the calculus options, or nil if the profile should choose.
func chosen(l *logic.Options) *logic.Options {
	if l == nil || *l == (logic.Options{}) {
		return nil
	}
	return l
}

// ask reads a search request.
func (s *Server) ask(ctx context.Context, in *Search) (*retrieve.Question, retrieve.Options, error) {
	o, err := in.options(s.limits.Results)
	if err != nil {
		return nil, o, err
	}
	o.Bytes, o.Chat = int(s.limits.AnswerBytes), s.config.Chat
	if in.Columns {
		o.Bytes /= 2
	}
	q, err := in.read(ctx, in.Filter, o)
	return q, o, err
}

func (s *Server) search(x *exchange, in *Search) (*Answer, error) {
	ctx, searcher := x.Context(), x.collection.Searcher()
	q, o, err := s.ask(ctx, in)
	if err != nil {
		return nil, err
	}
	p, err := searcher.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	c, err := searcher.Find(ctx, p)
	if err != nil {
		return nil, err
	}
	ranking, err := c.Best()
	if err != nil {
		return nil, err
	}
	r, err := searcher.Present(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	s.metrics.stagesOf(r.Timings)
	answer := s.newAnswer(c.Formula, r)
	if in.Columns {
		answer.Columns, err = columnsOf(ctx, x.collection.Store(), c, s.limits.AnswerBytes/2)
	}
	return answer, err
}

// Explain is a request to explain the score and rank of a document.
type Explain struct {
	Search
	ID string `json:"id" doc:"the document"`
}

func (s *Server) explain(x *exchange, in *Explain) (*Answer, error) {
	q, o, err := s.ask(x.Context(), &in.Search)
	if err != nil {
		return nil, err
	}
	r, err := x.collection.Searcher().Why(x.Context(), q, o, in.ID)
	if err != nil {
		return nil, err
	}
	return s.newAnswer(q.Formula, r), nil
}

// VectorRequest asks for one query vector.
type VectorRequest struct {
	Question
	NL      nl.Way          `json:"nl,omitzero"`
	Mode    retrieve.Mode   `json:"mode,omitzero"`
	Fusion  *fusion.Style   `json:"fusion,omitempty"`
	Logic   *logic.Options  `json:"logic,omitempty"`
	Solver  retrieve.Solver `json:"solver,omitzero"`
	Profile *string         `json:"profile,omitempty" enum:"collection,paper"`
}

func (s *Server) vector(x *exchange, in *VectorRequest) (*retrieve.Vector, error) {
	o := retrieve.Options{PlainLanguage: in.NL, Research: retrieve.Research{Mode: in.Mode, Fusion: in.Fusion, Logic: in.Logic, Solver: in.Solver}}
	q, o, err := s.ask(x.Context(), &Search{Question: in.Question, Options: o, Profile: in.Profile})
	if err != nil {
		return nil, err
	}
	return x.collection.Searcher().Vector(x.Context(), q, o)
}
