package engine

import (
	"context"
	"math"

	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// Worded is a store that searches by words.
type Worded interface {
	// Statistics returns how common words are, perhaps in a sample.
	Statistics(ctx context.Context) (*words.Statistics, error)

	// Said finds documents by their words, among those that pass a filter: the best of
	// each of wanted or, if wanted is nil, all of them.
	Said(ctx context.Context, q *words.Query, filter query.Node, wanted []Wanted) (*Shares, error)

	// SaidBy reads how much of each atom's words some documents have, a column an atom.
	// One that has been deleted has nothing.
	SaidBy(ctx context.Context, q *words.Query, refs []Ref) ([][]float32, error)
}

// Wanted are the K best documents by something that is made of their shares.
type Wanted struct {
	K  int
	By func(out []float32, shares [][]float32)
	// Thorough asks for a look at every document, at any cost.
	Thorough bool
}

// Beyond returns an upper bound on the documents that are left out if the best have these
// values. Documents without a match are always left out.
func (w *Wanted) Beyond(best []float32) float32 {
	switch {
	case w.K == 0:
		return float32(math.Inf(1)) // they may have any
	case len(best) < w.K:
		return 0
	}
	return max(0, best[len(best)-1])
}

// Shares are how much of each atom's words documents have.
type Shares struct {
	Refs  []Ref       // in no particular order
	Atoms [][]float32 // a column for each atom
	// Unheard is, for each atom, the largest share of its words that an unseen document can
	// have; nil if no bound is known, empty if there are no unseen documents.
	Unheard []float32
	// Beyond is, for each of wanted, its largest value among the documents that were seen and
	// left out; nil if no bound is known.
	Beyond []float32
	// Degraded says in words what could not be asked.
	Degraded []string
}

// BestShares returns the wanted documents.
func BestShares(all *Shares, wanted []Wanted) *Shares {
	keep := make([]bool, len(all.Refs))
	values := make([]float32, len(all.Refs))
	out := &Shares{Atoms: make([][]float32, len(all.Atoms)), Unheard: all.Unheard, Degraded: all.Degraded}
	for _, w := range wanted {
		w.By(values, all.Atoms)
		top := vec.NewTopK(w.K)
		top.Push(0, values)
		lines, best := top.Ranked()
		for i, line := range lines {
			keep[line] = keep[line] || best[i] > 0
		}
		out.Beyond = append(out.Beyond, w.Beyond(best))
	}
	for i, ref := range all.Refs {
		if keep[i] {
			out.Refs = append(out.Refs, ref)
			for a, column := range all.Atoms {
				out.Atoms[a] = append(out.Atoms[a], column[i])
			}
		}
	}
	return out
}

// PatternOf returns the pattern of a predicate for which query.Predicate.OnText is true.
func PatternOf(p *query.Predicate) (*words.Pattern, error) {
	if p.Op != query.Equal && p.Op != query.Match {
		return nil, BadInput("filter", "%s compares a text: %s takes words or a pattern, as in %s:kerberos", p, p.Field, p.Field)
	}
	tree, err := p.Pattern()
	if err != nil {
		return nil, BadInput("filter", "%s: %v", p, err)
	}
	scope := map[string]words.Scope{"title": words.InTitle, "abstract": words.InText}[p.Field]
	pattern, err := words.NewPattern(tree, scope)
	if err != nil {
		return nil, BadInput("filter", "%s looks for nothing: %v", p, err)
	}
	return pattern, nil
}

// TextsOf returns the texts in which a predicate looks for its pattern: the segments of the
// document, or the values of a metadata field.
func TextsOf(p *query.Predicate, d *Document, values []Value) (out [][]string) {
	if query.IsTextField(p.Field) {
		return [][]string{d.Segments()}
	}
	for _, v := range values {
		if v.Field == p.Field {
			out = append(out, []string{v.Text})
		}
	}
	return out
}
