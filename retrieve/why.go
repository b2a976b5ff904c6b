package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// Why explains one document of a search, be it among its results or not. The result
// has one hit, with the rank that the document has among the candidates or, where it
// is not one of them, among all documents, copies being counted one by one.
//
// It fails with engine.ErrNotFound where there is no such document, and with a
// *FilteredError where the document does not pass the filter.
func (s *Searcher) Why(ctx context.Context, q *Question, o Options, id string) (*Result, error) {
	o.Explain, o.MinProbability, o.AllCopies, o.Offset, o.Facets = true, 0, true, 0, nil
	ref, err := s.Store.Find(ctx, id)
	if errors.Is(err, engine.ErrNotFound) { // without the store's words, which say where it is
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
	if rank > 1 { // the note is about the best document, and this is another one
		r.Notes = slices.DeleteFunc(r.Notes, func(note string) bool { return strings.HasPrefix(note, noMatch) })
	}
	return r, nil
}

// locate finds the candidates and ranks all of them. The rank of a document that is
// not among them is 0.
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

// ofAll are options under which all documents are ranked: by Exact or, where the
// store cannot compare all at once, by a pool as large as there are documents.
func (s *Searcher) ofAll(p *Prepared) Options {
	o := p.Options
	if s.scans() {
		o.Mode = Exact
		return o
	}
	o.Mode, o.Pool, o.Candidates = Rerank, Monolithic, min(max(1, p.Size.Documents), MaxCandidates)
	return o
}

// NoDocumentError says that there is no document of an id. It is an
// engine.ErrNotFound.
type NoDocumentError struct{ ID string }

func (e *NoDocumentError) Error() string { return fmt.Sprintf("there is no document %q", e.ID) }

// Is reports whether target is engine.ErrNotFound.
func (e *NoDocumentError) Is(target error) bool { return target == engine.ErrNotFound }

// FilteredError says that a document does not pass the filter of a question.
type FilteredError struct{ ID, Filter string }

func (e *FilteredError) Error() string {
	return fmt.Sprintf("document %q is there, and does not pass %s", e.ID, e.Filter)
}
