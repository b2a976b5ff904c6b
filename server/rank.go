package server

import (
	"errors"
	"time"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Rerank is a request to rank a kept search again.
type Rerank struct {
	Search string   `json:"search" doc:"the token of a search that was kept"`
	Logic  Calculus `json:"logic,omitzero"`
	K      int      `json:"k,omitempty" doc:"results; as many as the search had by default"`
	Shown
}

func (s *Server) rank(x *exchange, in *Rerank) (*Answer, error) {
	ctx, began := x.Context(), time.Now()
	logic, err := in.Logic.options()
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
	again := *search
	again.options.Logic, again.options.K = logic, or(in.K, search.options.K)
	times := &timings{}
	ranking, answer, err := again.answer(ctx, in.Shown, times)
	if err != nil {
		return nil, err
	}
	s.stages(ctx, began, times.Timings)
	answer.Search = in.Search
	if in.Columns {
		answer.Columns, err = again.columns(ctx, ranking, answer)
	}
	return answer, err
}

// Explain is a request to say why a document has its score and rank.
type Explain struct {
	Search
	ID string `json:"id" doc:"the document"`
}

func (s *Server) explain(x *exchange, in *Explain) (*Answer, error) {
	ctx := x.Context()
	in.Search.Explain, in.Keep = true, false
	f, times, release, err := s.find(ctx, x.PathValue("name"), &in.Search)
	if err != nil {
		return nil, err
	}
	defer release()
	if _, err := f.collection.Index().Get(ctx, in.ID); errors.Is(err, index.ErrNotFound) {
		return nil, noDocument(in.ID)
	} else if err != nil {
		return nil, err
	}
	ranking, place, err := f.locate(x, in.ID)
	if err != nil {
		return nil, err
	}
	candidate := place >= 0
	if !candidate && f.options.Mode != retrieve.Exact {
		// The pool does not hold it, so it is ranked among all.
		f.options.Mode = retrieve.Exact
		f.reason = "the document is not in the pool of the mode that was asked for, so all documents are ranked"
		if err := f.find(ctx, f.candidates.Formula, times); err != nil {
			return nil, err
		}
		if ranking, place, err = f.locate(x, in.ID); err != nil {
			return nil, err
		}
	}
	if place < 0 {
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
	return answer, nil
}

// locate ranks all candidates and finds the place of a document, from 0; −1 where
// it is not among them. Ids are read from the best on, since people ask about
// documents that they have seen.
func (f *found) locate(x *exchange, id string) (ranking *retrieve.Ranking, place int, err error) {
	c := f.candidates
	if ranking, err = c.Rank(f.options.Logic, len(c.Refs)); err != nil {
		return nil, 0, err
	}
	const page = 1024
	for from := 0; from < len(ranking.Lines); from += page {
		var ordinals []index.Ordinal
		for _, line := range ranking.Lines[from:min(from+page, len(ranking.Lines))] {
			ordinals = append(ordinals, index.Ordinal(c.Refs[line]))
		}
		ids, err := f.collection.Index().IDs(x.Context(), ordinals)
		if err != nil {
			return nil, 0, err
		}
		for i, found := range ids {
			if found == id {
				return ranking, from + i, nil
			}
		}
	}
	return ranking, -1, nil
}
