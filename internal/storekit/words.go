package storekit

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// BestShares returns the wanted documents.
func BestShares(all *engine.Shares, wanted []engine.Wanted) *engine.Shares {
	keep := make([]bool, len(all.Refs))
	values := make([]float32, len(all.Refs))
	out := &engine.Shares{Atoms: make([][]float32, len(all.Atoms)), Unheard: all.Unheard, Degraded: all.Degraded}
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

// PhraseOf returns the phrase of a predicate on words.Field.
func PhraseOf(p *query.Predicate) (*words.Phrase, error) {
	if p.Op != query.Equal {
		return nil, engine.BadInput("filter", "%s compares a text: %s takes a word or a phrase, as in %s:kerberos", p, words.Field, words.Field)
	}
	phrase, err := words.NewPhrase(p.Value)
	if err != nil {
		return nil, engine.BadInput("filter", "%s looks for nothing: %v", p, err)
	}
	return phrase, nil
}
