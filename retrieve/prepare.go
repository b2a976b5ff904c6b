package retrieve

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// Prepared is a formula with its vectors and the options that are in force.
type Prepared struct {
	*Encoded
	Options Options // the mode is decided, and what a profile chooses is filled in
	Reason  string  // why the mode is what it is, where Auto decided
	Size    engine.Size
}

// Prepare decides how a formula is searched, has it encoded and moves its vectors
// as the profile says.
func (s *Searcher) Prepare(ctx context.Context, f *query.Formula, o Options) (*Prepared, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if f.Root == nil {
		return nil, nothingToRank(f)
	}
	size, err := s.Store.Size(ctx)
	if err != nil {
		return nil, err
	}
	p := &Prepared{Options: o.withDefaults(), Size: size}
	p.Options.Profile = s.profile(o)
	if o.Mode == Auto {
		_, canScan := s.Store.(engine.Scanner)
		p.Options.Mode, p.Reason = Choose(f, size, canScan, p.Options.Profile)
	}
	p.Options = p.Options.adopt(f)
	if p.Encoded, err = s.Encode(ctx, f, p.Options.Fusion); err != nil {
		return nil, err
	}
	return p, s.Refine(ctx, p.Encoded, p.Options)
}

// profile is the one in force.
func (s *Searcher) profile(o Options) *profile.Profile {
	switch {
	case o.Profile != nil:
		return o.Profile
	case s.Profile != nil:
		return s.Profile
	}
	return profile.Paper()
}

// adopt fills in what the profile chooses for a kind of formula and the caller has
// left at its zero value. Plain retrieval stays plain.
func (o Options) adopt(f *query.Formula) Options {
	op := o.Profile.Operator(f)
	if o.Mode == Baseline {
		return o
	}
	if o.Fusion == fusion.Simple {
		o.Fusion = op.Fusion
	}
	if o.Logic == (logic.Options{}) {
		o.Logic = op.Logic
	}
	return o
}

// Refine moves the vectors of a formula as the profile of the options says: away
// from what all queries share, and towards the documents that each of them finds.
// What plain retrieval goes by is kept as it was.
func (s *Searcher) Refine(ctx context.Context, e *Encoded, o Options) error {
	p := s.profile(o)
	if o.Mode == Baseline || p.Hubness == 0 && p.Feedback.Documents == 0 {
		return nil
	}
	e.plain, e.Profile = e.monolithic(), p
	vectors := make([][]float32, len(e.Vectors))
	copy(vectors, e.Vectors)
	if p.Hubness > 0 {
		common, err := s.memory.common(ctx, s.Encoder)
		if err != nil {
			return fmt.Errorf("encoding common words for the profile %s: %w", p.Name, err)
		}
		for i, v := range vectors {
			vectors[i] = p.Apart(v, common)
		}
	}
	if p.Feedback.Documents > 0 && s.Store != nil {
		var err error
		if vectors, err = s.feedback(ctx, vectors, e.Formula.Filter, p); err != nil {
			return err
		}
	}
	e.Vectors = vectors
	return nil
}

// feedback moves each vector towards the documents nearest to it.
func (s *Searcher) feedback(ctx context.Context, vectors [][]float32, filter query.Node, p *profile.Profile) ([][]float32, error) {
	sample, err := s.sample(ctx)
	if err != nil || len(sample.vectors) == 0 {
		return vectors, err
	}
	k := p.Feedback.Documents
	found, err := s.Store.Pool(ctx, vectors, k, filter, vectors)
	if err != nil {
		return nil, err
	}
	if len(found.Similarities) != len(vectors) {
		return nil, fmt.Errorf("the store returned %d columns of similarities, %d were asked for", len(found.Similarities), len(vectors))
	}
	known, err := s.vectors(ctx, found.Refs)
	if err != nil {
		return nil, err
	}
	candidates := &Candidates{Refs: found.Refs}
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		lines, _ := candidates.best(found.Similarities[i], k)
		var near [][]float32
		for _, line := range lines {
			if known[line] != nil {
				near = append(near, known[line])
			}
		}
		out[i] = v
		if len(near) > 0 {
			out[i] = p.Towards(v, profile.Mean(near), sample.centre)
		}
	}
	return out, nil
}

// nothingToRank says that a formula has predicates only.
func nothingToRank(f *query.Formula) error {
	return &OptionError{fmt.Sprintf("there is nothing to rank by in %s: add a word or more beside the predicates", f.Filter)}
}
