package tokenizer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is recognized in a text before the model splits it.
type addedToken struct {
	ID         int32
	Content    string
	SingleWord bool `json:"single_word"`
	LStrip     bool `json:"lstrip"`
	RStrip     bool `json:"rstrip"`
	Normalized bool
	Special    bool

	text []byte // the text to search for: Content, normalized if necessary
}

// setAdded sets the added tokens of a file.
func (t *Tokenizer) setAdded(tokens []addedToken) error {
	t.ids = make(map[string]int32, len(tokens))
	seen := make(map[int32]bool, len(tokens))
	next := int32(t.model.size())
	for i := range tokens {
		a := &tokens[i]
		if a.Content == "" {
			return errors.New("an added token is empty")
		}
		// The reference assigns ids itself and treats the file's id as a hint.
		id, ok := t.model.id(a.Content)
		if !ok {
			id = next
		}
		if id >= next {
			next = id + 1
		}
		if _, twice := t.ids[a.Content]; twice || seen[id] || id != a.ID {
			return fmt.Errorf("%q has the id %d, want unique ids and %d for this token", a.Content, a.ID, id)
		}
		t.ids[a.Content], seen[id] = id, true
		a.text = []byte(a.Content)
		if a.Normalized {
			a.text = t.normalized(a.text)
		}
		if len(a.text) == 0 {
			return fmt.Errorf("%q is empty after normalization", a.Content)
		}
	}
	// If two tokens have the same text, the reference prefers a special one, then the first.
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

// matcher finds added tokens: the leftmost and, at the same place, the longest.
type matcher struct {
	tokens [256][]addedToken // by their first byte, the longest first
	begins [256]bool         // whether any token begins with the byte
}

func newMatcher(tokens []addedToken, normalized bool) (m matcher) {
	for _, a := range tokens {
		if c := a.text[0]; a.Normalized == normalized {
			m.tokens[c], m.begins[c] = append(m.tokens[c], a), true
		}
	}
	return m
}

// find returns the first token at or after from.
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

// encode appends the ids of the added tokens in a text, and those that between appends for the
// nonempty pieces between them. It may stop once there are more than most.
func (m *matcher) encode(ids []int32, text []byte, most int, between func(ids []int32, text []byte) []int32) []int32 {
	done := 0
	for searched := 0; len(ids) <= most; {
		token, start := m.find(text, searched)
		if token == nil {
			break
		}
		end := start + len(token.text)
		searched = end
		if token.SingleWord && (endsInWord(text[:start]) || beginsWithWord(text[end:])) {
			continue
		}
		if token.LStrip {
			start = max(done, len(bytes.TrimRightFunc(text[:start], unicode.IsSpace)))
		}
		if token.RStrip {
			end = len(text) - len(bytes.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if start > done {
			ids = between(ids, text[done:start])
		}
		ids = append(ids, token.ID)
		done = end
	}
	if done < len(text) && len(ids) <= most {
		ids = between(ids, text[done:])
	}
	return ids
}

func beginsWithWord(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	return size > 0 && isWord(r)
}

func endsInWord(text []byte) bool {
	r, size := utf8.DecodeLastRune(text)
	return size > 0 && isWord(r)
}

// isWord is the class \w of Unicode regular expressions.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
}
