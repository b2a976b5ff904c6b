package retrieve

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// Prepared is a question with the vectors of its formula and the options that are
// in force.
type Prepared struct {
	*Encoded
	Question *Question
	Options  Options // the mode is decided, and what a profile chooses is filled in
	Reason   string  // why the mode is what it is, where Auto decided
	Size     engine.Size

	program *logic.Program
	times   Timings
}

// Prepare decides how a question is searched, has its formula encoded and moves the
// vectors as the profile says. A searcher without a store can prepare, too.
func (s *Searcher) Prepare(ctx context.Context, q *Question, o Options) (*Prepared, error) {
	lap := stopwatch()
	if err := o.Check(); err != nil {
		return nil, err
	}
	f := q.Formula
	if f.Root == nil {
		return nil, badOption("there is nothing to rank by in %s: add a word or more beside the predicates", f.Filter)
	}
	p := &Prepared{Question: q}
	var err error
	if s.Store != nil {
		if p.Size, err = s.Store.Size(ctx); err != nil {
			return nil, err
		}
	}
	if o.Profile == nil {
		o.Profile = s.profile()
	}
	if o.Mode == Auto {
		_, canScan := s.Store.(engine.Scanner)
		o.Mode, p.Reason = choose(f, p.Size, canScan, o.Profile)
	}
	p.Options = o.complete(f)
	if p.program, err = logic.Compile(f, *p.Options.Logic); err != nil {
		return nil, badOption("%v", err)
	}
	if p.Encoded, err = s.encode(ctx, f, *p.Options.Fusion); err != nil {
		return nil, err
	}
	if err := s.refine(ctx, p.Encoded, p.Options); err != nil {
		return nil, err
	}
	lap(&p.times.Encode)
	return p, nil
}

// profile is the one that searches go by that name no other.
func (s *Searcher) profile() *profile.Profile {
	if s.Profile == nil {
		return profile.Paper()
	}
	return s.Profile
}

// refine moves the vectors of a formula as the profile of the options says: away
// from what all queries share, and towards the documents that each of them finds.
// What plain retrieval goes by is kept as it was.
func (s *Searcher) refine(ctx context.Context, e *Encoded, o Options) error {
	p := o.Profile
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
	if err != nil || sample.centre == nil {
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
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		lines, _ := best(found.Refs, found.Similarities[i], k)
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
