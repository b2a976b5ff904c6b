package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/spelling"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// queryWord matches a word of a query.
var queryWord = regexp.MustCompile(`[\pL\pM\pN]+`)

// otherScript matches a letter that English is not written with.
var otherScript = regexp.MustCompile(`[^\P{L}\p{Latin}]`)

// spell looks for wanted words that no document has and that the vocabulary has only in parts.
// If they differ little from words of the collection, it sets r.DidYouMean. If the query has
// only such words, it is in a language that the built-in encoder does not know, and a note says
// so; so it does if half of the words are such and not all have a near one. It reports whether
// the vectors of the query are meaningless, because it has only such words or is in such a language.
func (s *Searcher) spell(ctx context.Context, c *Candidates, r *Result) (meaningless bool, err error) {
	if c.lexical == nil {
		return false, nil
	}
	statistics, err := s.statistics(ctx, c.lexical.store)
	if err != nil {
		return false, err
	}
	total, meant, missing := 0, map[string]string{}, []string{}
	for a, nots := range query.Atoms(c.Formula.Root) {
		if a.Kind != query.Text || nots%2 == 1 {
			continue
		}
		total += words.ContentWords(a.Text)
		for _, word := range words.Rare(a.Text) {
			has, err := c.lexical.anywhere(ctx, word, statistics)
			if err != nil {
				return false, err
			}
			if has {
				continue
			}
			missing = append(missing, word)
			if other := spelling.Closest(word, statistics.Words()); other != "" {
				meant[word] = other
			}
		}
	}
	if len(missing) == 0 {
		return false, nil
	}
	foreign := len(missing) > 1 && len(missing)*2 >= total && len(meant) < len(missing) || otherScript.MatchString(strings.Join(missing, ""))
	meaningless = s.builtin() && (foreign || len(missing) >= total)
	if foreign && s.builtin() {
		r.Notes = append(r.Notes, fmt.Sprintf("no document has the words %s, and the built-in encoder knows English only: ask in the language of the documents, or index them with a multilingual encoder (--encoder)", strings.Join(missing, ", ")))
		return true, nil
	}
	if len(meant) > 0 && !foreign {
		r.DidYouMean = queryWord.ReplaceAllStringFunc(c.Question.Text, func(word string) string { return cmp.Or(meant[strings.ToLower(word)], word) })
	}
	return meaningless, nil
}

// anywhere reports whether any document has a word.
func (h *lexicalMatches) anywhere(ctx context.Context, word string, s *words.Statistics) (bool, error) {
	first := func(out []float32, shares [][]float32) { copy(out, shares[0]) }
	shares, err := h.store.MatchTerms(ctx, words.NewQuery([]string{word}, s), nil, []engine.TopK{{K: 1, By: first}})
	if err != nil {
		return false, err
	}
	return len(having(shares).Refs) > 0, nil
}
