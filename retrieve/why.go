package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// Why explains one document, even if it is not among the results. The result has a single hit.
// Its rank is the rank among the candidates or, if the document is not one of them, among all
// documents; copies count separately.
//
// Why returns an engine.ErrNotFound if the document does not exist, and a *FilteredError if it
// does not pass the filter.
func (s *Searcher) Why(ctx context.Context, q *Question, o Options, id string) (*Result, error) {
	o.Explain, o.All, o.MinProbability, o.AllCopies, o.Offset, o.Facets = true, true, 0, true, 0, nil
	ref, err := s.Store.Find(ctx, id)
	if errors.Is(err, engine.ErrNotFound) { // drop the store's message, which reveals its location
		return nil, &NoDocumentError{id}
	}
	if err != nil {
		return nil, err
	}
	p, err := s.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	c, ranking, rank, err := s.locate(ctx, p, ref)
	if err != nil {
		return nil, err
	}
	candidate := rank > 0
	if !candidate && p.Options.Mode != Exact {
		if p, err = s.Prepare(ctx, q, s.ofAll(p)); err != nil {
			return nil, err
		}
		p.Reason = "the document is not in the pool of the mode that was asked for, so all documents are ranked"
		if c, ranking, rank, err = s.locate(ctx, p, ref); err != nil {
			return nil, err
		}
	}
	switch {
	case rank == 0 && p.Formula.Filter == nil:
		return nil, fmt.Errorf("document %q was changed while it was looked for; ask again: %w", id, engine.ErrNotFound)
	case rank == 0:
		return nil, &FilteredError{id, p.Formula.Filter.String()}
	}
	ranking.Lines, ranking.Scores = ranking.Lines[rank-1:rank], ranking.Scores[rank-1:rank]
	r, err := s.Present(ctx, c, ranking)
	if err != nil {
		return nil, err
	}
	if len(r.Hits) == 0 {
		return nil, fmt.Errorf("document %q was deleted while it was looked at: %w", id, engine.ErrNotFound)
	}
	r.Hits[0].Rank, r.Candidate = rank, &candidate
	if rank > 1 { // the note is about the best document, not this one
		r.Notes = slices.DeleteFunc(r.Notes, func(note string) bool { return strings.HasPrefix(note, noMatch) })
	}
	return r, nil
}

// locate finds and ranks all candidates, and returns the rank of a document, or 0 if it is not
// a candidate.
func (s *Searcher) locate(ctx context.Context, p *Prepared, ref engine.Ref) (c *Candidates, r *Ranking, rank int, err error) {
	if c, err = s.Find(ctx, p); err != nil {
		return nil, nil, 0, err
	}
	if r, err = c.Rank(len(c.Refs)); err != nil {
		return nil, nil, 0, err
	}
	line := slices.Index(c.Refs, ref)
	if line < 0 {
		return c, r, 0, nil
	}
	return c, r, slices.Index(r.Lines, line) + 1, nil
}

// ofAll returns options that rank all documents: Exact or, if the store cannot scan, a pool
// the size of the store.
func (s *Searcher) ofAll(p *Prepared) Options {
	o := p.Options
	if s.scans() {
		o.Mode = Exact
		return o
	}
	o.Mode, o.Pool, o.Candidates = Rerank, Monolithic, min(max(1, p.Size.Documents), MaxCandidates)
	return o
}

// NoDocumentError reports that no document has the ID. It matches engine.ErrNotFound.
type NoDocumentError struct{ ID string }

func (e *NoDocumentError) Error() string { return fmt.Sprintf("there is no document %q", e.ID) }

// Is reports whether target is engine.ErrNotFound.
func (e *NoDocumentError) Is(target error) bool { return target == engine.ErrNotFound }

// FilteredError reports that a document does not pass the filter of a query.
type FilteredError struct{ ID, Filter string }

func (e *FilteredError) Error() string {
	return fmt.Sprintf("document %q is there, and does not pass %s", e.ID, e.Filter)
}
