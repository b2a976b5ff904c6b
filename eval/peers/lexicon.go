// Package peers has what others do with the same questions: rankings by words, and
// by words and vectors together. They are what nsfl is compared with, and take no
// part in the product.
package peers

import (
	"math"
	"slices"

	"github.com/nsfl-go/nsfl/words"
)

// Lexicon is an index of documents by their words.
type Lexicon struct {
	postings map[string][]posting
	lengths  []float64 // of documents, in words
	mean     float64
}

type posting struct {
	document int
	count    float64
}

// NewLexicon indexes texts.
func NewLexicon(texts []string) *Lexicon {
	l := &Lexicon{postings: map[string][]posting{}, lengths: make([]float64, len(texts))}
	for d, text := range texts {
		counts := map[string]float64{}
		for _, stem := range words.Stems(text) {
			counts[stem]++
			l.lengths[d]++
		}
		for stem, n := range counts {
			l.postings[stem] = append(l.postings[stem], posting{d, n})
		}
		l.mean += l.lengths[d] / float64(len(texts))
	}
	return l
}

// The constants of BM25, as everybody has them.
const saturation, lengthShare = 1.2, 0.75

// BM25 are the scores of all documents for a text.
func (l *Lexicon) BM25(text string) []float64 {
	scores := make([]float64, len(l.lengths))
	for _, stem := range words.Stems(text) {
		idf := l.idf(stem)
		for _, p := range l.postings[stem] {
			scores[p.document] += idf * l.saturated(p)
		}
	}
	return scores
}

// Shares are how much of a text each document says: the part of its words' weight
// that BM25 finds there, from 0 to 1.
func (l *Lexicon) Shares(text string) []float64 {
	shares, whole := l.BM25(text), 0.0
	for _, stem := range words.Stems(text) {
		whole += l.idf(stem)
	}
	for d := range shares {
		if whole > 0 {
			shares[d] = min(1, shares[d]/whole)
		}
	}
	return shares
}

func (l *Lexicon) idf(stem string) float64 {
	n, having := float64(len(l.lengths)), float64(len(l.postings[stem]))
	return math.Log(1 + (n-having+0.5)/(having+0.5))
}

// saturated is how much a word counts that stands in a document so often.
func (l *Lexicon) saturated(p posting) float64 {
	length := 1 - lengthShare + lengthShare*l.lengths[p.document]/l.mean
	return p.count * (saturation + 1) / (p.count + saturation*length)
}

// Contains reports for all documents whether they have every word of a text.
func (l *Lexicon) Contains(text string) []bool {
	out := make([]bool, len(l.lengths))
	stems := words.Stems(text)
	slices.Sort(stems)
	stems = slices.Compact(stems)
	found := make([]int, len(l.lengths))
	for _, stem := range stems {
		for _, p := range l.postings[stem] {
			found[p.document]++
		}
	}
	for d, n := range found {
		out[d] = n == len(stems) && n > 0
	}
	return out
}
