package nl

import (
	"strings"
	"unicode"
)

// word is a word of the text or a whole quoted stretch of it.
type word struct {
	text   string
	quoted bool
	first  bool // it opens the sentence, so a capital says nothing
	comma  bool // a comma or semicolon follows
}

// is reports whether the word is this cue word. A capital inside a sentence
// marks a name (Doctors Without Borders), so there only lower case counts.
func (w word) is(text string) bool {
	return !w.quoted && (w.text == text || w.first && strings.EqualFold(w.text, text))
}

// split cuts a text into words. Punctuation at the end of a sentence goes; a
// comma is remembered on the word before it.
func split(text string) []word {
	var out []word
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if quoted, rest, ok := cutQuoted(text); ok {
			out = append(out, word{text: quoted, quoted: true})
			text = rest
			if trimmed := strings.TrimLeft(text, ",;"); trimmed != text {
				out[len(out)-1].comma = true
				text = trimmed
			}
			continue
		}
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		w := word{text: text[:end]}
		text = text[end:]
		if trimmed := strings.TrimRight(w.text, ",;"); trimmed != w.text {
			w.text, w.comma = trimmed, true
		}
		if strings.TrimSpace(text) == "" {
			w.text = strings.TrimRight(w.text, ".?!")
		}
		if w.text != "" {
			out = append(out, w)
		} else if len(out) > 0 {
			out[len(out)-1].comma = true
		}
	}
	if len(out) > 0 {
		out[0].first = true
	}
	return out
}

// cutQuoted takes a quoted stretch off the front of text.
func cutQuoted(text string) (quoted, rest string, ok bool) {
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}} {
		if body, found := strings.CutPrefix(text, q[0]); found {
			quoted, rest, ok = strings.Cut(body, q[1])
			return quoted, rest, ok && strings.TrimSpace(quoted) != ""
		}
	}
	return "", "", false
}

func join(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
		if w.comma && i < len(words)-1 {
			texts[i] += ","
		}
	}
	return strings.Join(texts, " ")
}

// matchAt is the number of words of phrase if it stands at index i, else 0. A
// phrase does not reach across a comma.
func matchAt(words []word, i int, phrase []string) int {
	if i+len(phrase) > len(words) {
		return 0
	}
	for j, p := range phrase {
		if w := words[i+j]; !w.is(p) || w.comma && j < len(phrase)-1 {
			return 0
		}
	}
	return len(phrase)
}

// items cuts words at commas and at "and", "or", "nor", and counts those. Fixed
// phrases (black and white) are not cut.
func items(words []word) (items [][]word, joints map[string]int) {
	joints = map[string]int{}
	from := 0
	cut := func(to, next int) {
		if to > from {
			items = append(items, words[from:to])
		}
		from = next
	}
	for i := 0; i < len(words); i++ {
		if n := idiomAt(words, i); n > 0 {
			i += n - 1
		} else if w := words[i]; i > 0 && i < len(words)-1 && (w.is("and") || w.is("or") || w.is("nor")) {
			joints[w.text]++
			cut(i, i+1)
			continue
		}
		if words[i].comma {
			cut(i+1, i+1)
		}
	}
	cut(len(words), len(words))
	return items, joints
}
