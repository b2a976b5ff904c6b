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
	Keep       bool    `json:"keep,omitempty" doc:"keep the candidates for a while, so that rank can order them again"`
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
		return o, badK(o.K, maxResults)
	}
	if in.Candidates != nil {
		if o.Candidates = *in.Candidates; o.Candidates < 1 {
			return o, invalid("candidates is %d; between 1 and %d are possible", o.Candidates, retrieve.MaxCandidates)
		}
	}
	if o.Offset < 0 || o.Offset > maxResults-o.K {
		return o, beyond(o.Offset, maxResults)
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

func badK(k, maxResults int) error {
	return invalid("k is %d; between 1 and %d are possible", k, maxResults)
}

// beyond reports an offset past the maximum number of results.
func beyond(offset, maxResults int) error {
	return invalid("offset is %d; it must be at least 0, and offset and k together at most %d", offset, maxResults)
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
	o.Bytes, o.Chat = s.room(in.Columns), s.config.Chat
	q, err := in.read(ctx, in.Filter, o)
	return q, o, err
}

// room returns the bytes of a response available for hits.
func (s *Server) room(columns bool) int {
	if columns {
		return int(s.limits.AnswerBytes / 2)
	}
	return int(s.limits.AnswerBytes)
}

func (s *Server) search(x *exchange, in *Search) (*Answer, error) {
	searcher := x.collection.Searcher()
	q, o, err := s.ask(x.Context(), in)
	if err != nil {
		return nil, err
	}
	p, err := searcher.Prepare(x.Context(), q, o)
	if err != nil {
		return nil, err
	}
	c, err := searcher.Find(x.Context(), p)
	if err != nil {
		return nil, err
	}
	answer, err := s.answer(x, c, in.Columns)
	if err != nil || !in.Keep {
		return answer, err
	}
	token, problem := s.kept.put(x.record.key, &keptSearch{collection: x.collection, candidates: c})
	answer.Search = token
	if problem != "" {
		answer.Degraded = append(answer.Degraded, problem)
	}
	return answer, nil
}

// answer ranks candidates and returns the best.
func (s *Server) answer(x *exchange, c *retrieve.Candidates, columns bool) (*Answer, error) {
	ctx := x.Context()
	ranking, err := c.Best()
	if err != nil {
		return nil, err
	}
	r, err := x.collection.Searcher().Present(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	s.metrics.stagesOf(r.Timings)
	answer := s.newAnswer(c.Formula, r)
	if columns {
		answer.Columns, err = columnsOf(ctx, x.collection.Store(), c, s.limits.AnswerBytes/2)
	}
	return answer, err
}

// Rerank is a request to rank a cached search again. K, MinProbability and Words default to
// those of the search.
type Rerank struct {
	Search string `json:"search" doc:"the token of a search that was kept"`
	K      *int   `json:"k,omitempty"`
	Offset int    `json:"offset,omitempty"`
	// MinProbability is a pointer because 0 is a valid choice.
	MinProbability *float64       `json:"min_probability,omitempty"`
	Logic          *logic.Options `json:"logic,omitempty"`
	// Words cannot be enabled if the search ran without them, because the terms were not
	// matched.
	Words     *float64            `json:"words,omitempty"`
	All       bool                `json:"all,omitempty"`
	Explain   bool                `json:"explain,omitempty"`
	Compare   bool                `json:"compare,omitempty"`
	AllCopies bool                `json:"all_copies,omitempty"`
	Text      retrieve.TextDetail `json:"text,omitzero"`
	Fields    []string            `json:"fields,omitzero"`
	Columns   bool                `json:"columns,omitempty" doc:"the similarities of the best candidates, up to 2,000, to all terms"`
}

func (s *Server) rank(x *exchange, in *Rerank) (*Answer, error) {
	k := 0 // as in the search
	if in.K != nil {
		if k = *in.K; k < 1 || k > s.limits.Results {
			return nil, badK(k, s.limits.Results)
		}
	}
	if in.Offset < 0 || in.Offset > s.limits.Results-max(1, k) {
		return nil, beyond(in.Offset, s.limits.Results)
	}
	search, err := s.kept.get(x.record.key, in.Search)
	if err != nil {
		return nil, err
	}
	if search.collection != x.collection { // another collection, or a new one of the same name
		return nil, goneSearch()
	}
	o := retrieve.Options{K: k, Offset: in.Offset, All: in.All, Explain: in.Explain, Compare: in.Compare, AllCopies: in.AllCopies, Text: in.Text, Fields: in.Fields, Bytes: s.room(in.Columns), Research: retrieve.Research{Logic: chosen(in.Logic), Words: in.Words}}
	had := &search.candidates.Options
	o.MinProbability = had.MinProbability
	if o.Words == nil {
		o.Words = had.Words
	} else if *o.Words > 0 && *had.Words == 0 {
		return nil, invalid("the search ran without words, so no terms were matched; search again with words")
	}
	if in.MinProbability != nil {
		o.MinProbability = *in.MinProbability
	}
	again, err := search.candidates.Again(o)
	if err != nil {
		return nil, err
	}
	answer, err := s.answer(x, again, in.Columns)
	if err == nil {
		answer.Search = in.Search
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
