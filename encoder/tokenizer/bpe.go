package tokenizer

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// bpe starts with the characters of a word and merges neighbours, always the pair that was
// learned first.
type bpe struct {
	vocabulary map[string]int32
	merges     map[uint64]merge
	suffix     string // of the last character of a word
	unknown    int32  // or -1 to drop unknown characters
	fuse       bool   // consecutive unknown characters are one token
	bytes      *[256]int32
}

// merge is the token for a pair. Lower ranks are merged first.
type merge struct{ rank, id int32 }

func pair(left, right int32) uint64 { return uint64(uint32(left))<<32 | uint64(uint32(right)) }

func readBPE(raw json.RawMessage) (model, error) {
	var f struct {
		Type                    string
		Dropout                 *float64
		UnkToken                *string `json:"unk_token"`
		ContinuingSubwordPrefix string  `json:"continuing_subword_prefix"`
		EndOfWordSuffix         string  `json:"end_of_word_suffix"`
		FuseUnk                 bool    `json:"fuse_unk"`
		ByteFallback            bool    `json:"byte_fallback"`
		IgnoreMerges            bool    `json:"ignore_merges"`
		Vocab                   map[string]int32
		Merges                  []mergePair
	}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	if f.Dropout != nil && *f.Dropout != 0 {
		return nil, fmt.Errorf("dropout %g: %w", *f.Dropout, errUnsupported)
	}
	if f.ContinuingSubwordPrefix != "" || f.IgnoreMerges {
		return nil, fmt.Errorf("continuing_subword_prefix and ignore_merges: %w", errUnsupported)
	}
	if err := checkIDs(f.Vocab); err != nil {
		return nil, err
	}
	m := &bpe{
		vocabulary: f.Vocab, merges: make(map[uint64]merge, len(f.Merges)),
		suffix: f.EndOfWordSuffix, unknown: -1, fuse: f.FuseUnk,
	}
	if f.UnkToken != nil {
		id, ok := f.Vocab[*f.UnkToken]
		if !ok {
			return nil, fmt.Errorf("its unk_token %q is not in the vocabulary", *f.UnkToken)
		}
		m.unknown = id
	}
	if f.ByteFallback {
		m.bytes = byteTokens(f.Vocab)
	}
	for rank, p := range f.Merges {
		var ids [3]int32
		for i, token := range []string{p[0], p[1], p[0] + p[1]} {
			var ok bool
			if ids[i], ok = f.Vocab[token]; !ok {
				return nil, fmt.Errorf("merge %d, of %q and %q: %q is not in the vocabulary", rank, p[0], p[1], token)
			}
		}
		m.merges[pair(ids[0], ids[1])] = merge{int32(rank), ids[2]}
	}
	return m, nil
}

// mergePair is ["a", "b"], or "a b" in older files.
type mergePair [2]string

func (p *mergePair) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '[' {
		var both []string
		if err := json.Unmarshal(raw, &both); err != nil {
			return err
		}
		if len(both) != 2 {
			return fmt.Errorf("a merge of %d tokens, want 2", len(both))
		}
		*p = mergePair(both)
		return nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	left, right, ok := strings.Cut(text, " ")
	if !ok || strings.Contains(right, " ") {
		return errors.New("a merge is not two tokens separated by a space")
	}
	*p = mergePair{left, right}
	return nil
}

// byteTokens returns the ids of byte tokens such as <0x0A>, with -1 for missing ones.
func byteTokens(vocabulary map[string]int32) *[256]int32 {
	var ids [256]int32
	for c := range ids {
		id, ok := vocabulary[fmt.Sprintf("<0x%02X>", c)]
		if !ok {
			id = -1
		}
		ids[c] = id
	}
	return &ids
}

// appendBytes appends the byte tokens of a text, if all of them exist.
func appendBytes[S []byte | string](ids []int32, tokens *[256]int32, text S) ([]int32, bool) {
	start := len(ids)
	for i := range len(text) {
		id := tokens[text[i]]
		if id < 0 {
			return ids[:start], false
		}
		ids = append(ids, id)
	}
	return ids, true
}

func (m *bpe) id(token string) (int32, bool) {
	id, ok := m.vocabulary[token]
	return id, ok
}

func (m *bpe) size() int { return len(m.vocabulary) }

func (m *bpe) encode(ids []int32, word []byte, s *scratch) []int32 {
	w := &s.merge
	w.ids = m.characters(w.ids[:0], word, w)
	return w.mergeAll(ids, m.merges)
}

// characters appends the initial ids of a word.
func (m *bpe) characters(ids []int32, word []byte, w *merging) []int32 {
	unknown := false // add one before the next known character
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRune(word[at:])
		char := word[at : at+size]
		if m.suffix != "" && at+size == len(word) {
			w.char = append(append(w.char[:0], char...), m.suffix...)
			char = w.char
		}
		at += size
		if id, ok := m.vocabulary[string(char)]; ok {
			if unknown {
				ids = append(ids, m.unknown)
				unknown = false
			}
			ids = append(ids, id)
			continue
		}
		if m.bytes != nil {
			// As in the reference, these go before a pending unknown token.
			var ok bool
			if ids, ok = appendBytes(ids, m.bytes, char); ok {
				continue
			}
		}
		if m.unknown >= 0 {
			if unknown && !m.fuse {
				ids = append(ids, m.unknown)
			}
			unknown = true
		}
	}
	if unknown {
		ids = append(ids, m.unknown)
	}
	return ids
}

// merging holds the state of merging a word.
type merging struct {
	ids        []int32 // of the symbols; -1 for one merged into its left neighbour
	prev, next []int32
	queue      queue
	char       []byte
}

// candidate is a merge of the symbol at a place with the next one.
type candidate struct{ rank, at, id int32 }

// queue is a heap of candidates, the one that was learned first on top.
type queue []candidate

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].rank, q[j].rank), cmp.Compare(q[i].at, q[j].at)) < 0
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(c any) { *q = append(*q, c.(candidate)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}

// mergeAll applies merges to w.ids until none is left, and appends the result. It takes
// O(n log n) time for a word of n characters.
func (w *merging) mergeAll(ids []int32, merges map[uint64]merge) []int32 {
	w.prev, w.next, w.queue = w.prev[:0], w.next[:0], w.queue[:0]
	for i := range w.ids {
		w.prev, w.next = append(w.prev, int32(i-1)), append(w.next, int32(i+1))
	}
	for i := range w.ids {
		w.consider(int32(i), merges)
	}
	for len(w.queue) > 0 {
		c := heap.Pop(&w.queue).(candidate)
		if w.ids[c.at] < 0 || int(w.next[c.at]) == len(w.ids) {
			continue
		}
		right := w.next[c.at]
		// The symbols may have changed since the merge was queued.
		if m, ok := merges[pair(w.ids[c.at], w.ids[right])]; !ok || m.id != c.id {
			continue
		}
		w.ids[c.at], w.ids[right] = c.id, -1
		w.next[c.at] = w.next[right]
		if after := w.next[right]; int(after) < len(w.ids) {
			w.prev[after] = c.at
		}
		if before := w.prev[c.at]; before >= 0 {
			w.consider(before, merges)
		}
		w.consider(c.at, merges)
	}
	for _, id := range w.ids {
		if id >= 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// consider queues the merge of a symbol with the next one, if there is such a merge.
func (w *merging) consider(at int32, merges map[uint64]merge) {
	next := w.next[at]
	if int(next) == len(w.ids) {
		return
	}
	if m, ok := merges[pair(w.ids[at], w.ids[next])]; ok {
		heap.Push(&w.queue, candidate{m.rank, at, m.id})
	}
}
