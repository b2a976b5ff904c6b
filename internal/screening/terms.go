package screening

import (
	"cmp"
	"hash/fnv"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Terms holds the terms of records: words and pairs of adjacent words, weighted by tf-idf.
type Terms struct {
	rows    [][]entry
	numbers map[uint64]uint32 // of the terms, by hash; frequent terms have low numbers
}

// entry is a term of a record.
type entry struct {
	term   uint32
	weight float32
}

// mostCommon is the largest share of records that a term may be in.
const mostCommon = 0.95

// newTerms counts the terms of texts.
func newTerms(texts []string) *Terms {
	rows := make([][]uint64, len(texts)) // hashes, sorted and repeated
	having := map[uint64]uint32{}
	for i, text := range texts {
		for _, hash := range hashes(text) {
			rows[i] = append(rows[i], hash)
		}
		slices.Sort(rows[i])
		for j, hash := range rows[i] {
			if j == 0 || hash != rows[i][j-1] {
				having[hash]++
			}
		}
	}
	n := float64(len(texts))
	t := &Terms{rows: make([][]entry, len(texts)), numbers: map[uint64]uint32{}}
	var known []uint64
	for hash, df := range having {
		// A term of a single record says nothing about others.
		if df > 1 && float64(df) <= mostCommon*n {
			known = append(known, hash)
		}
	}
	// The weights of frequent terms lie together, so that they stay in the processor's cache.
	slices.SortFunc(known, func(a, b uint64) int { return cmp.Or(cmp.Compare(having[b], having[a]), cmp.Compare(a, b)) })
	for number, hash := range known {
		t.numbers[hash] = uint32(number)
	}
	for i, row := range rows {
		square := 0.0
		for len(row) > 0 {
			times := 1
			for times < len(row) && row[times] == row[0] {
				times++
			}
			if number, known := t.numbers[row[0]]; known {
				w := (1 + math.Log(float64(times))) * (1 + math.Log((1+n)/(1+float64(having[row[0]]))))
				square += w * w
				t.rows[i] = append(t.rows[i], entry{number, float32(w)})
			}
			row = row[times:]
		}
		rows[i] = nil
		slices.SortFunc(t.rows[i], func(a, b entry) int { return cmp.Compare(a.term, b.term) })
		for j := range t.rows[i] {
			t.rows[i][j].weight /= float32(math.Sqrt(square))
		}
	}
	return t
}

// hashes iterates over the terms of a text with their hashes.
func hashes(text string) iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		var last string
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), notOfWords) {
			if utf8.RuneCountInString(word) < 2 {
				continue
			}
			if !yield(word, hash(word)) {
				return
			}
			if last != "" {
				if pair := last + " " + word; !yield(pair, hash(pair)) {
					return
				}
			}
			last = word
		}
	}
}

// hash returns the FNV-1a hash of a term. It is the same in every process, so the order in
// which weights are added is too.
func hash(term string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(term))
	return h.Sum64()
}

func notOfWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
