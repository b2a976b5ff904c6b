package server

import (
	"time"

	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Search is a request to search.
type Search struct {
	Question
	Filter Filter `json:"filter,omitempty" doc:"field to value, list of values (any of them) or {gte, gt, lte, lt}; all fields must hold"`
	retrieve.Options
	Profile string `json:"profile,omitempty" enum:"collection,paper" doc:"how vectors are refined and which operators rank: the collection's own, or none of it as in the paper"`
	Columns bool   `json:"columns,omitempty" doc:"the similarities of the best candidates, up to 2,000, to all terms"`
	Keep    bool   `json:"keep,omitempty" doc:"keep the candidates for a while, so that rank can order them again"`
}

// options are the request's, checked against the limits of the server.
func (in *Search) options(maxResults int) (retrieve.Options, error) {
	o := in.Options
	o.Logic = chosen(o.Logic)
	if o.K == 0 {
		o.K = min(10, maxResults)
	}
	if o.K < 1 || o.K > maxResults {
		return o, invalid("k is %d; between 1 and %d are possible", in.K, maxResults)
	}
	switch in.Profile {
	case "", "collection":
	case "paper":
		o.Profile = profile.Paper()
	default:
		return o, invalid("unknown profile %q: it is collection or paper", in.Profile)
	}
	return o, o.Check()
}

// chosen is the calculus where a choice of it was made; nil: the profile chooses.
func chosen(l *logic.Options) *logic.Options {
	if l == nil || *l == (logic.Options{}) {
		return nil
	}
	return l
}

// asked is a search that was understood, on a collection that is open.
type asked struct {
	question   *retrieve.Question
	options    retrieve.Options
	collection *workspace.Shared
}

// ask reads a request and opens its collection, until release is called.
func (s *Server) ask(x *exchange, in *Search) (a *asked, release func(), err error) {
	a = &asked{}
	if a.options, err = in.options(s.limits.Results); err != nil {
		return nil, nil, err
	}
	if a.question, err = in.read(in.Filter, in.PlainLanguage); err != nil {
		return nil, nil, err
	}
	a.collection, release, err = s.collections.Use(x.Context(), x.PathValue("name"), false)
	return a, release, err
}

func (s *Server) search(x *exchange, in *Search) (*Answer, error) {
	ctx, began := x.Context(), time.Now()
	a, release, err := s.ask(x, in)
	if err != nil {
		return nil, err
	}
	defer release()
	p, err := a.collection.Searcher().Prepare(ctx, a.question, a.options)
	if err != nil {
		return nil, err
	}
	c, err := a.collection.Searcher().Find(ctx, p)
	if err != nil {
		return nil, err
	}
	answer, err := s.answer(x, began, a.collection, c, in.Columns)
	if err != nil || !in.Keep {
		return answer, err
	}
	token, problem := s.kept.put(x.record.key, &keptSearch{collection: a.collection, candidates: c})
	answer.Search = token
	if problem != "" {
		answer.Degraded = append(answer.Degraded, problem)
	}
	return answer, nil
}

// answer ranks candidates and presents the best.
func (s *Server) answer(x *exchange, began time.Time, collection *workspace.Shared, c *retrieve.Candidates, columns bool) (*Answer, error) {
	ctx := x.Context()
	ranking, err := c.Rank(c.Options.K)
	if err != nil {
		return nil, err
	}
	r, err := collection.Searcher().Present(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	s.stages(ctx, began, r.Timings)
	answer := newAnswer(c.Formula, r)
	s.countDegraded(answer)
	if columns {
		answer.Columns, err = columnsOf(ctx, collection, c)
	}
	return answer, err
}

// Rerank is a request to rank a kept search again. What it leaves out of k and
// min_probability is as the search had it.
type Rerank struct {
	Search string `json:"search" doc:"the token of a search that was kept"`
	retrieve.Options
	// MinProbability is nil where it is left out: 0 is a choice.
	MinProbability *float64 `json:"min_probability,omitempty" minimum:"0" maximum:"1" doc:"leave out results that are less probable to be relevant; as the search had it by default"`
	Columns        bool     `json:"columns,omitempty" doc:"the similarities of the best candidates, up to 2,000, to all terms"`
}

func (s *Server) rank(x *exchange, in *Rerank) (*Answer, error) {
	began := time.Now()
	if in.K < 0 || in.K > s.limits.Results {
		return nil, invalid("k is %d; between 1 and %d are possible", in.K, s.limits.Results)
	}
	collection, release, err := s.collections.Use(x.Context(), x.PathValue("name"), false)
	if err != nil {
		return nil, err
	}
	defer release()
	search, err := s.kept.get(x.record.key, in.Search)
	if err != nil {
		return nil, err
	}
	if search.collection != collection { // another collection, or deleted and made anew
		return nil, goneSearch()
	}
	o := in.Options
	o.Logic = chosen(o.Logic)
	o.MinProbability = search.candidates.Options.MinProbability
	if in.MinProbability != nil {
		o.MinProbability = *in.MinProbability
	}
	again, err := search.candidates.Again(o)
	if err != nil {
		return nil, err
	}
	answer, err := s.answer(x, began, collection, again, in.Columns)
	if err == nil {
		answer.Search = in.Search
	}
	return answer, err
}

// Explain is a request to say why a document has its score and rank.
type Explain struct {
	Search
	ID string `json:"id" doc:"the document"`
}

func (s *Server) explain(x *exchange, in *Explain) (*Answer, error) {
	a, release, err := s.ask(x, &in.Search)
	if err != nil {
		return nil, err
	}
	defer release()
	r, err := a.collection.Searcher().Why(x.Context(), a.question, a.options, in.ID)
	if err != nil {
		return nil, err
	}
	answer := newAnswer(a.question.Formula, r)
	s.countDegraded(answer)
	return answer, nil
}

// VectorRequest asks for one query vector.
type VectorRequest struct {
	Question
	retrieve.Research
	NL      bool   `json:"nl,omitempty" doc:"the query is plain language"`
	Profile string `json:"profile,omitempty" enum:"collection,paper"`
}

func (s *Server) vector(x *exchange, in *VectorRequest) (*retrieve.Vector, error) {
	a, release, err := s.ask(x, &Search{Question: in.Question, Options: retrieve.Options{PlainLanguage: in.NL, Research: in.Research}, Profile: in.Profile})
	if err != nil {
		return nil, err
	}
	defer release()
	return a.collection.Searcher().Vector(x.Context(), a.question, a.options)
}
