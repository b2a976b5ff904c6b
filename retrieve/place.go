package retrieve

import (
	"slices"

	"github.com/nsfl-go/nsfl/engine"
)

// Everything are options under which all documents are ranked: by Exact or, where
// the store cannot compare all at once, by a pool as large as there are documents.
func (s *Searcher) Everything(o Options, documents int) Options {
	if _, ok := s.Store.(engine.Scanner); ok {
		o.Mode = Exact
		return o
	}
	o.Mode, o.Pool, o.Candidates = Rerank, Monolithic, min(max(1, documents), MaxCandidates)
	return o
}

// Place is where a ranking has the document of a Ref, from 0; −1 where it is not
// among its lines.
func (c *Candidates) Place(r *Ranking, ref engine.Ref) int {
	line := slices.Index(c.Refs, ref)
	if line < 0 {
		return -1
	}
	return slices.Index(r.Lines, line)
}
