package server

import (
	"context"
	"time"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Search is a request to search.
type Search struct {
	Question
	Filter     Filter   `json:"filter,omitempty" doc:"field to value, list of values (any of them) or {gte, gt, lte, lt}; all fields must hold"`
	K          int      `json:"k,omitempty" doc:"results; 10 by default"`
	Mode       string   `json:"mode,omitempty" enum:"auto,baseline,rerank,sqo,hybrid,exact,geo-rerank,geo-opt,geo-hybrid"`
	Pool       string   `json:"pool,omitempty" enum:"monolithic,union" doc:"what the pool is near to"`
	Candidates int      `json:"candidates,omitempty" doc:"size of the pool; 1,000 by default"`
	Fusion     string   `json:"fusion,omitempty" enum:"simple,contextual,centroid"`
	MinScore   float64  `json:"min_score,omitempty" minimum:"0" maximum:"1" doc:"leave out results that are less probable to be relevant; needs a calibrated profile"`
	Profile    string   `json:"profile,omitempty" enum:"collection,paper" doc:"how vectors are refined and which operators rank: the collection's own, or none of it as in the paper"`
	Solver     string   `json:"solver,omitempty" enum:"exact,rsgd" doc:"how the vector of sqo and hybrid is found"`
	Logic      Calculus `json:"logic,omitzero"`
	Shown
	Keep bool `json:"keep,omitempty" doc:"keep the candidates for a while, so that rank can order them again"`
}

// Shown is what an answer is to have beside the hits.
type Shown struct {
	Explain bool `json:"explain,omitempty" doc:"say how each score came about"`
	Compare bool `json:"compare,omitempty" doc:"say where each result stood in plain retrieval"`
	Columns bool `json:"columns,omitempty" doc:"the similarities of the best candidates, up to 2,000, to all terms"`
}

// options are the request's words as options.
func (in *Search) options(maxResults int) (o retrieve.Options, err error) {
	o = retrieve.Options{K: in.K, MinProbability: in.MinScore, Explain: in.Explain, Compare: in.Compare, Research: retrieve.Research{Candidates: in.Candidates}}
	if in.K == 0 {
		o.K = min(10, maxResults)
	}
	if o.K < 1 || o.K > maxResults {
		return o, invalid("k is %d; between 1 and %d are possible", in.K, maxResults)
	}
	if o.Mode, err = retrieve.ParseMode(or(in.Mode, "auto")); err != nil {
		return o, invalid("%v", err)
	}
	if o.Pool, err = retrieve.ParsePool(or(in.Pool, "monolithic")); err != nil {
		return o, invalid("%v", err)
	}
	if o.Fusion, err = fusion.ParseStyle(or(in.Fusion, "simple")); err != nil {
		return o, invalid("%v", err)
	}
	switch in.Solver {
	case "", "exact":
	case "rsgd":
		o.Solver = retrieve.Descended
	default:
		return o, invalid("unknown solver %q: it is exact or rsgd", in.Solver)
	}
	switch in.Profile {
	case "", "collection":
	case "paper":
		o.Profile = profile.Paper()
	default:
		return o, invalid("unknown profile %q: it is collection or paper", in.Profile)
	}
	if o.Logic, err = in.Logic.options(); err != nil {
		return o, err
	}
	return o, o.Check()
}

// found is a search whose candidates are known.
type found struct {
	collection *opened
	question   string
	understood []string
	options    retrieve.Options
	candidates *retrieve.Candidates
	documents  int
	reason     string
}

func (s *Server) search(x *exchange, in *Search) (*Answer, error) {
	ctx, began := x.Context(), time.Now()
	f, times, release, err := s.find(ctx, x.PathValue("name"), in)
	if err != nil {
		return nil, err
	}
	defer release()
	ranking, answer, err := f.answer(ctx, in.Shown, times)
	if err != nil {
		return nil, err
	}
	s.stages(ctx, began, times.Timings)
	s.countDegraded(answer)
	if in.Keep {
		token, problem := s.kept.put(x.record.key, f)
		answer.Search = token
		if problem != "" {
			answer.Degraded = append(answer.Degraded, problem)
		}
	}
	if in.Columns {
		answer.Columns, err = f.columns(ctx, ranking, answer)
	}
	return answer, err
}

// find takes the steps of a search up to the candidates.
func (s *Server) find(ctx context.Context, name string, in *Search) (f *found, times *timings, release func(), err error) {
	options, err := in.options(s.limits.Results)
	if err != nil {
		return nil, nil, nil, err
	}
	formula, understood, err := in.read(in.Filter)
	if err != nil {
		return nil, nil, nil, err
	}
	o, release, err := s.collections.use(ctx, name, false)
	if err != nil {
		return nil, nil, nil, err
	}
	f = &found{collection: o, question: in.text(formula), understood: understood, options: options}
	times = &timings{}
	if err := f.find(ctx, formula, times); err != nil {
		release()
		return nil, nil, nil, err
	}
	return f, times, release, nil
}

func (f *found) find(ctx context.Context, formula *query.Formula, times *timings) error {
	searcher := f.collection.Searcher()
	began := time.Now()
	p, err := searcher.Prepare(ctx, formula, f.options)
	if err != nil {
		return err
	}
	times.Encode = time.Since(began)
	f.options, f.documents = p.Options, p.Size.Documents
	if p.Reason != "" {
		f.reason = p.Reason
	}
	began = time.Now()
	f.candidates, err = searcher.Find(ctx, p.Encoded, f.options)
	times.Find = time.Since(began)
	return err
}

// answer ranks the candidates and presents the best.
func (f *found) answer(ctx context.Context, show Shown, times *timings) (*retrieve.Ranking, *Answer, error) {
	began := time.Now()
	ranking, err := f.candidates.Rank(f.options.Logic, f.options.K)
	if err != nil {
		return nil, nil, err
	}
	times.Rank = time.Since(began)
	answer, err := f.present(ctx, ranking, show, times)
	return ranking, answer, err
}

// present reads and explains the documents of a ranking.
func (f *found) present(ctx context.Context, ranking *retrieve.Ranking, show Shown, times *timings) (*Answer, error) {
	o := f.options
	o.Explain, o.Compare = show.Explain, show.Compare
	r, err := f.collection.Searcher().Present(ctx, f.candidates, ranking, o)
	if err != nil {
		return nil, err
	}
	times.Compare, times.Read, times.Explain = r.Timings.Compare, r.Timings.Read, r.Timings.Explain
	r.Timings, r.Reason, r.Documents = times.Timings, f.reason, f.documents
	return newAnswer(f, r), nil
}

// timings are filled step by step.
type timings struct{ retrieve.Timings }
