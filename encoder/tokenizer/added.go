package tokenizer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in a text before any model sees it.
type addedToken struct {
	ID         int32
	Content    string
	SingleWord bool `json:"single_word"`
	LStrip     bool `json:"lstrip"`
	RStrip     bool `json:"rstrip"`
	Normalized bool
	Special    bool

	text []byte // what is looked for: Content, or what the normalizers make of it
}

// setAdded takes the added tokens of a file.
func (t *Tokenizer) setAdded(tokens []addedToken) error {
	t.ids = make(map[string]int32, len(tokens))
	seen := make(map[int32]bool, len(tokens))
	next := int32(t.model.size())
	for i := range tokens {
		a := &tokens[i]
		if a.Content == "" {
			return errors.New("one of them is empty")
		}
		// The reference numbers tokens itself, and takes what the file says as a hint.
		id, ok := t.model.id(a.Content)
		if !ok {
			id = next
		}
		if id >= next {
			next = id + 1
		}
		if _, twice := t.ids[a.Content]; twice || seen[id] || id != a.ID {
			return fmt.Errorf("%q with id %d: want one token for each id, and %d for this one", a.Content, a.ID, id)
		}
		t.ids[a.Content], seen[id] = id, true
		a.text = []byte(a.Content)
		if a.Normalized {
			a.text = t.normalized(a.text)
		}
		if len(a.text) == 0 {
			return fmt.Errorf("nothing is left of %q when it is normalized", a.Content)
		}
	}
	// Of two that read the same, the reference takes a special one, then the first.
	rank := func(a addedToken) int {
		if a.Special {
			return 2*len(a.text) + 1
		}
		return 2 * len(a.text)
	}
	slices.SortStableFunc(tokens, func(a, b addedToken) int { return rank(b) - rank(a) })
	t.added, t.addedAfter = newMatcher(tokens, false), newMatcher(tokens, true)
	return nil
}

func (t *Tokenizer) normalized(text []byte) []byte {
	for _, n := range t.normalizers {
		text = n.normalize(nil, text, new(scratch))
	}
	return text
}

// matcher finds added tokens: of those at the first place the longest.
type matcher struct {
	tokens [256][]addedToken // by their first byte, the longest first
	begins [256]bool         // whether there are any
}

func newMatcher(tokens []addedToken, normalized bool) (m matcher) {
	for _, a := range tokens {
		if c := a.text[0]; a.Normalized == normalized {
			m.tokens[c], m.begins[c] = append(m.tokens[c], a), true
		}
	}
	return m
}

// find is the first token at or after a place.
func (m *matcher) find(text []byte, from int) (token *addedToken, at int) {
	for ; from < len(text); from++ {
		if !m.begins[text[from]] {
			continue
		}
		of := m.tokens[text[from]]
		for i := range of {
			if bytes.HasPrefix(text[from:], of[i].text) {
				return &of[i], from
			}
		}
	}
	return nil, len(text)
}

// matches goes through a text: the added tokens, and what is between them.
type matches struct {
	*matcher
	text       []byte
	start, end int
	id         int32 // of an added token, or -1

	searched int
	found    *addedToken // after the piece between start and end
	from, to int         // its place
}

func (m *matches) piece() []byte { return m.text[m.start:m.end] }

// next goes to the next piece. It is never empty.
func (m *matches) next() bool {
	if m.found == nil {
		done := m.end
		m.search(done)
		if m.from > done {
			m.start, m.end, m.id = done, m.from, -1
			return true
		}
		if m.found == nil {
			return false
		}
	}
	m.start, m.end, m.id = m.from, m.to, m.found.ID
	m.found = nil
	return true
}

// search looks for the next token; done is where the last piece ends.
func (m *matches) search(done int) {
	for {
		token, start := m.find(m.text, m.searched)
		if token == nil {
			m.searched, m.from = len(m.text), len(m.text)
			return
		}
		end := start + len(token.text)
		m.searched = end
		if token.SingleWord && (endsInWord(m.text[:start]) || beginsWithWord(m.text[end:])) {
			continue
		}
		if token.LStrip {
			start = max(done, len(bytes.TrimRightFunc(m.text[:start], isWhite)))
		}
		if token.RStrip {
			end = len(m.text) - len(bytes.TrimLeftFunc(m.text[end:], isWhite))
		}
		m.found, m.from, m.to = token, start, end
		return
	}
}

func isWhite(r rune) bool { return unicode.Is(unicode.White_Space, r) }

func beginsWithWord(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	return size > 0 && isWord(r)
}

func endsInWord(text []byte) bool {
	r, size := utf8.DecodeLastRune(text)
	return size > 0 && isWord(r)
}

// isWord is \w of Unicode's regular expressions.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
}
