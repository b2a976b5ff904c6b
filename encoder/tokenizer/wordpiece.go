package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// wordPiece splits a word greedily into the longest known pieces. Pieces that start a word
// and pieces that continue one are looked up separately.
type wordPiece struct {
	first, rest map[string]int32
	unknown     int32
	longestWord int // in characters; longer words are unknown
	longest     int // the longest piece, in bytes
}

func readWordPiece(raw json.RawMessage) (model, error) {
	f := struct {
		Type                    string
		UnkToken                string `json:"unk_token"`
		ContinuingSubwordPrefix string `json:"continuing_subword_prefix"`
		MaxInputCharsPerWord    int    `json:"max_input_chars_per_word"`
		Vocab                   map[string]int32
	}{UnkToken: "[UNK]", ContinuingSubwordPrefix: "##", MaxInputCharsPerWord: 100}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	if err := checkIDs(f.Vocab); err != nil {
		return nil, err
	}
	return newWordPiece(f.Vocab, f.UnkToken, f.ContinuingSubwordPrefix, f.MaxInputCharsPerWord)
}

func newWordPiece(vocabulary map[string]int32, unknown, continued string, longestWord int) (*wordPiece, error) {
	m := &wordPiece{first: vocabulary, rest: make(map[string]int32, len(vocabulary)/4), longestWord: longestWord}
	for piece, id := range vocabulary {
		m.longest = max(m.longest, len(piece))
		if tail, ok := strings.CutPrefix(piece, continued); ok {
			m.rest[tail] = id
		}
	}
	var ok bool
	if m.unknown, ok = vocabulary[unknown]; !ok {
		return nil, fmt.Errorf("its unk_token %q is not in the vocabulary", unknown)
	}
	return m, nil
}

func (m *wordPiece) id(token string) (int32, bool) {
	id, ok := m.first[token]
	return id, ok
}

func (m *wordPiece) size() int { return len(m.first) }

// encode appends the unknown token for a word that cannot be split into pieces.
func (m *wordPiece) encode(ids []int32, word []byte, _ *scratch) []int32 {
	if len(word) > m.longestWord && utf8.RuneCount(word) > m.longestWord {
		return append(ids, m.unknown)
	}
	start, pieces := len(ids), m.first
	for at := 0; at < len(word); pieces = m.rest {
		id, end := longestPiece(pieces, word, at, m.longest)
		if end == at {
			return append(ids[:start], m.unknown)
		}
		ids = append(ids, id)
		at = end
	}
	return ids
}

// longestPiece finds the longest piece of word at a position, and its end.
func longestPiece(pieces map[string]int32, word []byte, at, longest int) (id int32, end int) {
	for end = min(len(word), at+longest); end > at; end-- {
		if id, ok := pieces[string(word[at:end])]; ok {
			return id, end
		}
	}
	return 0, at
}

// Uncased returns the WordPiece tokenizer of BERT's uncased models with these pieces, in
// the order of their ids. They must include [PAD], [UNK], [CLS], [SEP] and [MASK].
func Uncased(pieces []string) (*Tokenizer, error) {
	vocabulary := make(map[string]int32, len(pieces))
	for i, p := range pieces {
		vocabulary[p] = int32(i)
	}
	m, err := newWordPiece(vocabulary, "[UNK]", "##", 100)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{
		normalizers: []normalizer{bert{clean: true, chinese: true, accents: true, lower: true}},
		splitters:   []splitter{bertWords{}},
		model:       m,
	}
	special := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	added := make([]addedToken, 0, len(special))
	for _, text := range special {
		id, ok := vocabulary[text]
		if !ok {
			return nil, fmt.Errorf("no %s among the word pieces", text)
		}
		added = append(added, addedToken{ID: id, Content: text, Special: true})
	}
	t.before, t.after = []int32{vocabulary["[CLS]"]}, []int32{vocabulary["[SEP]"]}
	return t, t.setAdded(added)
}
