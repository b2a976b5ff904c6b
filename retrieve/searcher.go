package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// Searcher answers formulas from one store with one encoder. It is safe for concurrent use.
type Searcher struct {
	Store   engine.Store // nil if there are no documents, only vectors of formulas
	Encoder encoder.Encoder
	// Picture encodes the image that an image: atom names. If it is nil, such atoms are
	// errors.
	Picture func(ctx context.Context, name string) ([]float32, error)
	// Profile is the default profile of searches; nil means profile.Paper.
	Profile *profile.Profile

	memory memory
}

// Encoded is a formula with a vector for each of its terms.
type Encoded struct {
	Formula *query.Formula
	Plan    *fusion.Plan
	Vectors [][]float32
	Cut     []string // strings that were too long for the encoder
	// Profile is the profile that moved the vectors; nil if they were not moved.
	Profile *profile.Profile

	plain []float32 // the monolithic vector before it was moved; nil if it was not
	// sentence is the vector of the sentence that the formula was read from, or of its only
	// atom; nil for other formulas.
	sentence []float32
}

// encode encodes the strings of a formula, and the sentence that it was read from if there is
// one, in one call. It looks up the atoms without text.
func (s *Searcher) encode(ctx context.Context, f *query.Formula, sentence string, style fusion.Style) (*Encoded, error) {
	e := &Encoded{Formula: f, Plan: fusion.New(f, style)}
	items := make([][]float32, len(e.Plan.Items))
	for i, item := range e.Plan.Items {
		v, cut, err := s.item(ctx, item)
		if err != nil {
			return nil, err
		}
		items[i] = v
		if cut {
			e.Cut = append(e.Cut, item.Text)
		}
	}
	texts := e.Plan.Strings
	if sentence != "" {
		texts = append(slices.Clone(texts), sentence)
	}
	var encoded encoder.Encoded
	if len(texts) > 0 {
		var err error
		if encoded, err = s.Encoder.Encode(ctx, encoder.Query, texts); err != nil {
			return nil, err
		}
	}
	for i, text := range e.Plan.Strings {
		if i < len(encoded.Cut) && encoded.Cut[i] {
			e.Cut = append(e.Cut, text)
		}
	}
	if sentence != "" {
		e.sentence = encoded.Vectors[len(e.Plan.Strings)]
	}
	var err error
	if e.Vectors, err = e.Plan.Vectors(encoded.Vectors[:len(e.Plan.Strings)], items); err != nil {
		return nil, err
	}
	if query.IsAtom(f.Root) && e.sentence == nil {
		e.sentence = e.Vectors[0]
	}
	return e, nil
}

// item returns the vector of an atom without query text, and whether the encoder truncated its
// input.
func (s *Searcher) item(ctx context.Context, a *query.Atom) (v []float32, cut bool, err error) {
	switch a.Kind {
	case query.Like:
		if s.Store == nil {
			return nil, false, badOption("%s stands for a document: name its collection", a)
		}
		d, err := s.Store.Get(ctx, a.Text, engine.Vectors)
		if errors.Is(err, engine.ErrNotFound) {
			err = engine.ErrNotFound // drop the store's message, which reveals its location
		}
		if err != nil {
			return nil, false, fmt.Errorf("looking up %s: %w", a, err)
		}
		return d.Vector, false, nil
	case query.Example:
		encoded, err := s.Encoder.Encode(ctx, encoder.Document, []string{a.Text})
		if err != nil {
			return nil, false, err
		}
		return encoded.Vectors[0], len(encoded.Cut) > 0 && encoded.Cut[0], nil
	case query.Image:
		if s.Picture == nil {
			return nil, false, badOption("%s cannot be looked up: the encoder %s reads no pictures", a, s.Encoder.Identity().Name)
		}
		v, err := s.Picture(ctx, a.Text)
		if err != nil {
			return nil, false, fmt.Errorf("looking up %s: %w", a, err)
		}
		return v, false, nil
	}
	return nil, false, fmt.Errorf("looking up %s: it has words", a)
}

// monolithic returns the vector of the whole formula as one string.
func (e *Encoded) monolithic() []float32 {
	return e.Vectors[e.Formula.Terms.Index(e.Formula.Monolithic())]
}

// unmoved returns the monolithic vector as encoded.
func (e *Encoded) unmoved() []float32 {
	if e.plain != nil {
		return e.plain
	}
	return e.monolithic()
}

// wanted returns the vectors of the terms without negated atoms, the monolithic one first.
func (e *Encoded) wanted() [][]float32 {
	vectors := [][]float32{e.monolithic()}
	for _, i := range wantedTerms(e.Formula) {
		if &e.Vectors[i][0] != &vectors[0][0] {
			vectors = append(vectors, e.Vectors[i])
		}
	}
	return vectors
}

// wantedTerms returns the numbers of the terms without negated atoms.
func wantedTerms(f *query.Formula) (numbers []int) {
	negated := query.Negated(f.Root)
	for i := range f.Terms.Len() {
		clean := true
		for a := range query.Atoms(f.Terms.At(i)) {
			clean = clean && !negated[a.String()]
		}
		if clean {
			numbers = append(numbers, i)
		}
	}
	return numbers
}
