package server

import (
	"errors"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Rerank is a request to rank a kept search again.
type Rerank struct {
	Search string   `json:"search" doc:"the token of a search that was kept"`
	Logic  Calculus `json:"logic,omitzero"`
	K      int      `json:"k,omitempty" doc:"results; as many as the search had by default"`
	// MinScore is nil where it is left out: 0 is a choice.
	MinScore *float64 `json:"min_score,omitempty" minimum:"0" maximum:"1" doc:"leave out results that are less probable to be relevant; as the search had it by default"`
	Shown
}

func (s *Server) rank(x *exchange, in *Rerank) (*Answer, error) {
	ctx, began := x.Context(), time.Now()
	calculus, err := in.Logic.options()
	if err != nil {
		return nil, err
	}
	if in.K < 0 || in.K > s.limits.Results {
		return nil, invalid("k is %d; between 1 and %d are possible", in.K, s.limits.Results)
	}
	o, release, err := s.collections.use(ctx, x.PathValue("name"), false)
	if err != nil {
		return nil, err
	}
	defer release()
	search, err := s.kept.get(x.record.key, in.Search)
	if err != nil {
		return nil, err
	}
	if search.collection != o { // another collection, or deleted and made anew
		return nil, goneSearch()
	}
	again := search.with(calculus)
	again.options.K = or(in.K, search.options.K)
	if in.MinScore != nil {
		again.options.MinScore = *in.MinScore
	}
	if err := again.options.Check(); err != nil {
		return nil, err
	}
	times := &timings{}
	ranking, answer, err := again.answer(ctx, in.Shown, times)
	if err != nil {
		return nil, err
	}
	s.stages(ctx, began, times.Timings)
	s.countDegraded(answer)
	answer.Search = in.Search
	if in.Columns {
		answer.Columns, err = again.columns(ctx, ranking, answer)
	}
	return answer, err
}

// with is the search as it would be with other choices of the calculus: where none
// is made, the profile's are in force, as they are in a search.
func (f *found) with(calculus logic.Options) *found {
	again := *f
	again.options.Logic = calculus
	// Plain retrieval heeds neither.
	if calculus == (logic.Options{}) && f.options.Mode != retrieve.Baseline {
		again.options.Logic = f.options.Profile.Operator(f.candidates.Formula).Logic
	}
	return &again
}

// Explain is a request to say why a document has its score and rank.
type Explain struct {
	Search
	ID string `json:"id" doc:"the document"`
}

func (s *Server) explain(x *exchange, in *Explain) (*Answer, error) {
	ctx := x.Context()
	in.Search.Explain, in.Keep, in.MinScore = true, false, 0
	f, times, release, err := s.find(ctx, x.PathValue("name"), &in.Search)
	if err != nil {
		return nil, err
	}
	defer release()
	ref, err := f.collection.Store().Find(ctx, in.ID)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, noDocument(in.ID)
	} else if err != nil {
		return nil, err
	}
	ranking, place, err := f.locate(ref)
	if err != nil {
		return nil, err
	}
	candidate := place >= 0
	if !candidate && f.options.Mode != retrieve.Exact {
		f.options = f.collection.Searcher().Everything(f.options, f.documents)
		f.reason = "the document is not in the pool of the mode that was asked for, so all documents are ranked"
		if err := f.find(ctx, f.candidates.Formula, times); err != nil {
			return nil, err
		}
		if ranking, place, err = f.locate(ref); err != nil {
			return nil, err
		}
	}
	switch {
	case place < 0 && f.candidates.Formula.Filter == nil:
		return nil, newProblem("not_found", "document %q was changed while it was looked for; ask again", in.ID)
	case place < 0:
		return nil, newProblem("not_found", "document %q is there, and does not pass the filter", in.ID)
	}
	one := *ranking
	one.Lines, one.Scores = one.Lines[place:place+1], one.Scores[place:place+1]
	answer, err := f.present(ctx, &one, in.Shown, times)
	if err != nil {
		return nil, err
	}
	for i := range answer.Hits {
		answer.Hits[i].Rank = place + 1
	}
	answer.Candidate = &candidate
	s.countDegraded(answer)
	return answer, nil
}

// locate ranks all candidates and finds the place of a document, as
// retrieve.Candidates.Place has it.
func (f *found) locate(ref engine.Ref) (ranking *retrieve.Ranking, place int, err error) {
	c := f.candidates
	if ranking, err = c.Rank(f.options.Logic, len(c.Refs)); err != nil {
		return nil, 0, err
	}
	return ranking, c.Place(ranking, ref), nil
}
