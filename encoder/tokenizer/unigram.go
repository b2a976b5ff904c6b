package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// unigram splits a word into the pieces with the highest total score.
type unigram struct {
	ids     map[string]int32
	scores  []float64
	longest int // piece, in bytes
	unknown int32
	penalty float64 // score of an unknown character
	bytes   *[256]int32
}

func readUnigram(raw json.RawMessage) (model, error) {
	var f struct {
		Type         string
		UnkID        *int32 `json:"unk_id"`
		ByteFallback bool   `json:"byte_fallback"`
		Vocab        []scoredPiece
	}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	if f.UnkID == nil || *f.UnkID < 0 || int(*f.UnkID) >= len(f.Vocab) {
		return nil, errors.New("it needs an unk_id in the vocabulary")
	}
	m := &unigram{ids: make(map[string]int32, len(f.Vocab)), scores: make([]float64, len(f.Vocab)), unknown: *f.UnkID}
	lowest := math.Inf(1)
	for id, p := range f.Vocab {
		if p.text == "" {
			return nil, fmt.Errorf("piece %d is empty", id)
		}
		m.ids[p.text], m.scores[id] = int32(id), p.score
		lowest, m.longest = min(lowest, p.score), max(m.longest, len(p.text))
	}
	m.penalty = lowest - 10
	if f.ByteFallback {
		m.bytes = byteTokens(m.ids)
	}
	return m, nil
}

// scoredPiece is ["piece", -1.5].
type scoredPiece struct {
	text  string
	score float64
}

func (p *scoredPiece) UnmarshalJSON(raw []byte) error {
	var both []json.RawMessage
	if err := json.Unmarshal(raw, &both); err != nil {
		return err
	}
	if len(both) != 2 {
		return fmt.Errorf("a piece has %d parts, want its text and its score", len(both))
	}
	if err := json.Unmarshal(both[0], &p.text); err != nil {
		return err
	}
	return json.Unmarshal(both[1], &p.score)
}

func (m *unigram) id(token string) (int32, bool) {
	id, ok := m.ids[token]
	return id, ok
}

func (m *unigram) size() int { return len(m.scores) }

// lattice holds the state of splitting a word: the best piece that ends at each position.
type lattice struct {
	ends   []ending
	pieces []ending
}

type ending struct {
	score float64
	start int32 // of the piece, or -1
	id    int32
}

func (m *unigram) encode(ids []int32, word []byte, s *scratch) []int32 {
	l := &s.lattice
	m.forward(l, word)
	l.pieces = l.pieces[:0]
	for end := len(word); end > 0; {
		e := l.ends[end]
		l.pieces = append(l.pieces, ending{start: e.start, id: e.id})
		end = int(e.start)
	}
	slices.Reverse(l.pieces)
	for i := 0; i < len(l.pieces); i++ {
		if l.pieces[i].id != m.unknown {
			ids = append(ids, l.pieces[i].id)
			continue
		}
		// Consecutive unknown characters are one piece.
		start, end := l.pieces[i].start, int32(len(word))
		for i+1 < len(l.pieces) && l.pieces[i+1].id == m.unknown {
			i++
		}
		if i+1 < len(l.pieces) {
			end = l.pieces[i+1].start
		}
		ids = m.appendUnknown(ids, word[start:end])
	}
	return ids
}

func (m *unigram) appendUnknown(ids []int32, text []byte) []int32 {
	if id, ok := m.ids[string(text)]; ok {
		return append(ids, id)
	}
	if m.bytes != nil {
		if ids, ok := appendBytes(ids, m.bytes, text); ok {
			return ids
		}
	}
	return append(ids, m.unknown)
}

// forward finds the best path to each position (Viterbi). Ties go to the path found first,
// which has the longer last piece.
func (m *unigram) forward(l *lattice, word []byte) {
	l.ends = slices.Grow(l.ends[:0], len(word)+1)[:len(word)+1]
	for i := range l.ends {
		l.ends[i] = ending{start: -1}
	}
	for start := 0; start < len(word); {
		_, size := utf8.DecodeRune(word[start:])
		before, single := l.ends[start].score, false
		for end := start + size; end <= min(len(word), start+m.longest); end++ {
			if id, ok := m.ids[string(word[start:end])]; ok {
				l.ends[end].improve(before+m.scores[id], start, id)
				single = single || end == start+size
			}
		}
		if !single {
			l.ends[start+size].improve(before+m.penalty, start, m.unknown)
		}
		start += size
	}
}

func (e *ending) improve(score float64, start int, id int32) {
	if e.start < 0 || score > e.score {
		*e = ending{score, int32(start), id}
	}
}
