package storekit

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// BestMatches returns the wanted documents.
func BestMatches(all *engine.TermMatches, wanted []engine.TopK) *engine.TermMatches {
	keep := make([]bool, len(all.Refs))
	values := make([]float32, len(all.Refs))
	out := &engine.TermMatches{Atoms: make([][]float32, len(all.Atoms)), UnseenBounds: all.UnseenBounds, Degraded: all.Degraded}
	for _, w := range wanted {
		w.By(values, all.Atoms)
		top := vec.NewTopK(w.K)
		top.Push(0, values)
		lines, best := top.Ranked()
		for i, line := range lines {
			keep[line] = keep[line] || best[i] > 0
		}
		out.LeftOutBounds = append(out.LeftOutBounds, w.LeftOutBound(best))
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
		return nil, engine.BadInput("filter", "%s compares a text: %s takes words or a pattern, as in %s:kerberos", p, p.Field, p.Field)
	}
	tree, err := p.Pattern()
	if err != nil {
		return nil, engine.BadInput("filter", "%s: %v", p, err)
	}
	scope := map[string]words.Scope{"title": words.InTitle, "abstract": words.InText}[p.Field]
	pattern, err := words.NewPattern(tree, scope)
	if err != nil {
		return nil, engine.BadInput("filter", "%s looks for nothing: %v", p, err)
	}
	return pattern, nil
}

// TextsOf returns the texts in which a predicate looks for its pattern: the segments of the
// document, or the values of a metadata field.
func TextsOf(p *query.Predicate, d *engine.Document, values []predicate.Value) (out [][]string) {
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
