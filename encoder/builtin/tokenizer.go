package builtin

import (
	"strings"
	"unicode/utf8"
)

// tokenize is the token ids of a text, the opening and the closing token among
// them, and whether its end was cut off so that there are at most limit.
//
// It is WordPiece as the teacher's tokenizer.json describes it: special tokens
// that the text spells out are taken as such, the rest is normalized, split
// into words and punctuation, and words into pieces. It works from space to
// space, which no step sees across, and so need not read all of a long text: it
// stops at the first token too many.
func (v *vocabulary) tokenize(text string, limit int) (ids []int32, cut bool) {
	ids = append(make([]int32, 0, 16), v.begin)
	var buf buffers
	for text != "" && len(ids) < limit {
		plain, token := v.nextSpecial(text)
		rest := text[:plain]
		for len(ids) < limit {
			var chunk string
			if chunk, rest = nextChunk(rest); chunk == "" {
				break
			}
			ids = v.chunk(ids, &buf, chunk)
		}
		text = text[plain:]
		if token != nil && len(ids) < limit {
			ids = append(ids, token.id)
			text = text[len(token.text):]
		}
	}
	if cut = len(ids) >= limit; cut {
		ids = ids[:limit-1]
	}
	return append(ids, v.end), cut
}

// nextSpecial is where the first special token of a text begins, and which it
// is; the length of the text if there is none.
func (v *vocabulary) nextSpecial(text string) (at int, token *special) {
	for from := 0; ; {
		open := strings.IndexByte(text[from:], '[')
		if open < 0 {
			return len(text), nil
		}
		from += open
		for i := range v.special {
			if strings.HasPrefix(text[from:], v.special[i].text) {
				return from, &v.special[i]
			}
		}
		from++
	}
}

// nextChunk is the text up to the next space, without the spaces before it.
func nextChunk(text string) (chunk, rest string) {
	text = strings.TrimLeftFunc(text, isSpace)
	if end := strings.IndexFunc(text, isSpace); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}

// chunk appends the tokens of a text without spaces.
func (v *vocabulary) chunk(ids []int32, buf *buffers, chunk string) []int32 {
	text := buf.normalize(chunk)
	for start := 0; start < len(text); {
		r, size := rune(text[start]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[start:])
		}
		end := start + size
		switch {
		case r == ' ':
			start = end
			continue
		case !isPunctuation(r):
			end = wordEnd(text, end)
		}
		ids = v.word(ids, text[start:end])
		start = end
	}
	return ids
}

// wordEnd is where the word ends that goes on at a place.
func wordEnd(text []byte, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == ' ' || isPunctuation(r) {
			break
		}
		at += size
	}
	return at
}
