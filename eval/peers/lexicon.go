// Package peers implements the baselines that nsfl is compared with: rankings by words, and
// by words and vectors together. The product does not use it.
package peers

import (
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/internal/words"
)

// Lexicon is an inverted index of documents. As with vectors, the score of a document is the
// mean of the scores of the whole and of its best passage.
type Lexicon struct {
	wholes, passages *counts
	documents        []int // document of each passage
}

// NewLexicon indexes documents, each a title and its passages.
func NewLexicon(titles []string, passages [][]string) *Lexicon {
	l := &Lexicon{wholes: newCounts(), passages: newCounts()}
	for d, title := range titles {
		whole := words.Stems(title)
		for _, p := range passages[d] {
			stems := words.Stems(p)
			whole = append(whole, stems...)
			l.passages.add(stems)
			l.documents = append(l.documents, d)
		}
		l.wholes.add(whole)
	}
	return l
}

// BM25 returns the BM25 scores of all documents for a text.
func (l *Lexicon) BM25(text string) []float64 { return l.both(text, (*counts).bm25) }

// Shares returns how much of a text each document contains: the share of its words' weight
// that BM25 finds, from 0 to 1.
func (l *Lexicon) Shares(text string) []float64 { return l.both(text, (*counts).shares) }

func (l *Lexicon) both(text string, score func(*counts, []string) []float64) []float64 {
	stems := words.Stems(text)
	out, best := score(l.wholes, stems), make([]float64, len(l.wholes.lengths))
	for p, x := range score(l.passages, stems) {
		best[l.documents[p]] = max(best[l.documents[p]], x)
	}
	for d := range out {
		out[d] = (out[d] + best[d]) / 2
	}
	return out
}

// Contains reports for each document whether it contains every word of a text.
func (l *Lexicon) Contains(text string) []bool {
	out := make([]bool, len(l.wholes.lengths))
	stems := words.Stems(text)
	slices.Sort(stems)
	stems = slices.Compact(stems)
	found := make([]int, len(out))
	for _, stem := range stems {
		for _, p := range l.wholes.postings[stem] {
			found[p.text]++
		}
	}
	for d, n := range found {
		out[d] = n == len(stems) && n > 0
	}
	return out
}

// counts holds the term frequencies of texts.
type counts struct {
	postings map[string][]posting
	lengths  []float64 // lengths of texts in words
	words    float64   // total length of all texts
}

type posting struct {
	text  int
	count float64
}

func newCounts() *counts { return &counts{postings: map[string][]posting{}} }

func (c *counts) add(stems []string) {
	own := map[string]float64{}
	for _, stem := range stems {
		own[stem]++
	}
	for stem, n := range own {
		c.postings[stem] = append(c.postings[stem], posting{len(c.lengths), n})
	}
	c.lengths = append(c.lengths, float64(len(stems)))
	c.words += float64(len(stems))
}

// saturation and lengthShare are BM25's usual constants, k1 and b.
const saturation, lengthShare = 1.2, 0.75

func (c *counts) bm25(stems []string) []float64 {
	scores, mean := make([]float64, len(c.lengths)), c.words/float64(max(1, len(c.lengths)))
	for _, stem := range stems {
		idf := c.idf(stem)
		for _, p := range c.postings[stem] {
			length := 1 - lengthShare + lengthShare*c.lengths[p.text]/mean
			scores[p.text] += idf * p.count * (saturation + 1) / (p.count + saturation*length)
		}
	}
	return scores
}

func (c *counts) shares(stems []string) []float64 {
	shares, whole := c.bm25(stems), 0.0
	for _, stem := range stems {
		whole += c.idf(stem)
	}
	for i := range shares {
		if whole > 0 {
			shares[i] = min(1, shares[i]/whole)
		}
	}
	return shares
}

func (c *counts) idf(stem string) float64 {
	n, having := float64(len(c.lengths)), float64(len(c.postings[stem]))
	return math.Log(1 + (n-having+0.5)/(having+0.5))
}
