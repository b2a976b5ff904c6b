package retrieve

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
)

// Prepared is a query with the vectors of its formula and its effective options.
type Prepared struct {
	*Encoded
	Question *Question
	Options  Options // with the mode decided and the profile's choices filled in
	Reason   string  // why Auto chose the mode
	Size     engine.Size

	filterOnly bool // the words of patterns rank, and every document that passes the filter matches
	program    *logic.Program
	wordsScale float64         // what Options.Logic.Words was multiplied by; see Profile.Spread
	lexical    *lexicalMatches // lexical matches; nil if the lexical score does not count
	notes      []string
	times      Timings
}

// Prepare decides how to run a query, encodes its formula and refines the vectors as the
// profile specifies. It also works without a store.
func (s *Searcher) Prepare(ctx context.Context, q *Question, o Options) (*Prepared, error) {
	lap, ctx := stopwatch(), engine.AsOf(ctx)
	if err := o.Check(); err != nil {
		return nil, err
	}
	asked := q
	q, err := s.ofKind(ctx, q)
	if err != nil {
		return nil, err
	}
	f := q.Formula
	p := &Prepared{Question: q}
	if q != asked {
		p.notes = append(p.notes, fmt.Sprintf("the query asks for %s: only documents with %s are searched", asked.Kind, f.Filter))
	}
	if f.Root == nil {
		if f = f.RankedByWords(); f == nil {
			return nil, badOption("there is nothing to rank by in %s: add a word or more beside the predicates", q.Formula.Filter)
		}
		p.notes = append(p.notes, "the query has only conditions, so that the words of its patterns rank; add words to rank by a topic")
		p.filterOnly, o.All = true, true
	}
	if s.Store != nil {
		if p.Size, err = s.Store.Size(ctx); err != nil {
			return nil, err
		}
	}
	if o.Profile == nil {
		o.Profile = s.profile()
	}
	if o.Mode == Auto {
		o.Mode, p.Reason = choose(f, p.Size, s.scans(), o.Profile)
	}
	if o.Mode == Exact && s.Store != nil && s.scanner() == nil {
		return nil, badOption("mode exact needs a store that can compare all documents at once; take rerank or hybrid with a large pool")
	}
	p.Options = o.complete(f)
	if p.Encoded, err = s.encode(ctx, f, q.Sentence, *p.Options.Fusion); err != nil {
		return nil, err
	}
	if err := s.unknown(ctx, p); err != nil {
		return nil, err
	}
	if p.Options.Logic.Words > 0 && s.Store != nil {
		if err := s.matchTerms(ctx, p); err != nil {
			return nil, err
		}
		if p.wordsScale, err = s.wordsScale(ctx, p.Options.Profile); err != nil {
			return nil, err
		}
		p.Options.Logic.Words *= p.wordsScale
	}
	if p.lexical == nil {
		p.Options.Logic.Words = 0
	}
	if p.program, err = logic.Compile(f, *p.Options.Logic); err != nil {
		return nil, badOption("%v", err)
	}
	if err := s.refine(ctx, p); err != nil {
		return nil, err
	}
	lap(&p.times.Encode)
	return p, nil
}

// profile returns the default profile of the searcher.
func (s *Searcher) profile() *profile.Profile {
	if s.Profile == nil {
		return profile.Paper()
	}
	return s.Profile
}

// refine moves the vectors of a formula as the profile specifies: away from the component that
// all queries share, towards the documents that each vector finds, and, for wanted terms,
// towards the sentence that the formula was read from. The monolithic vector of plain retrieval
// is kept unchanged.
func (s *Searcher) refine(ctx context.Context, p *Prepared) error {
	e, moves := p.Encoded, p.Options.Profile
	if p.Options.Mode == Baseline || moves.Hubness == 0 && moves.Feedback.Documents == 0 {
		return nil
	}
	e.plain, e.Profile = e.monolithic(), moves
	vectors := make([][]float32, len(e.Vectors))
	copy(vectors, e.Vectors)
	if moves.Hubness > 0 && len(e.Plan.Strings) > 0 { // documents and images need no encoder
		common, err := s.memory.common(ctx, s.Encoder)
		if err != nil {
			return fmt.Errorf("encoding common words for the profile %s: %w", moves.Name, err)
		}
		for i, v := range vectors {
			vectors[i] = moves.Apart(v, common)
		}
		if e.sentence != nil {
			e.sentence = moves.Apart(e.sentence, common)
		}
	}
	// The best of a few documents say more about themselves than about the term.
	if moves.Feedback.Documents > 0 && s.Store != nil && p.Size.Documents >= leastKnown {
		var err error
		if vectors, err = s.feedback(ctx, p, vectors); err != nil {
			return err
		}
	}
	if e.sentence != nil {
		for _, i := range wantedTerms(p.Formula) {
			vectors[i] = profile.Within(vectors[i], e.sentence, 1-labelShare(p.Formula.Terms.At(i)))
		}
	}
	e.Vectors = vectors
	return nil
}
