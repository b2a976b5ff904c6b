package tokenizer

import (
	"encoding/json"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bert is the normalizer of BERT and similar models.
type bert struct{ clean, chinese, accents, lower bool }

func readBERT(raw json.RawMessage) (normalizer, error) {
	var f struct {
		Type               string
		CleanText          bool  `json:"clean_text"`
		HandleChineseChars bool  `json:"handle_chinese_chars"`
		StripAccents       *bool `json:"strip_accents"`
		Lowercase          bool
	}
	err := decode(raw, &f)
	n := bert{clean: f.CleanText, chinese: f.HandleChineseChars, accents: f.Lowercase, lower: f.Lowercase}
	if f.StripAccents != nil {
		n.accents = *f.StripAccents
	}
	return n, err
}

// normalize drops control characters, replaces all white space by spaces, surrounds CJK
// characters with spaces, strips accents and converts to lower case. Each step is optional.
func (n bert) normalize(dst, text []byte, s *scratch) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			// ASCII characters neither decompose nor reorder, so the runs between them can be
			// normalized separately.
			end := i + 1
			for end < len(text) && text[end] >= utf8.RuneSelf {
				end++
			}
			dst = n.beyondASCII(dst, text[i:end], s)
			i = end
			continue
		case 'A' <= c && c <= 'Z' && n.lower:
			dst = append(dst, c+'a'-'A')
		case c >= ' ' && c != 0x7f || !n.clean:
			dst = append(dst, c)
		case c == '\t' || c == '\n' || c == '\r':
			dst = append(dst, ' ')
		}
		i++
	}
	return dst
}

func (n bert) beyondASCII(dst, text []byte, s *scratch) []byte {
	s.clean = s.clean[:0]
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		switch {
		case n.clean && (r == utf8.RuneError || isControl(r)):
		case n.clean && unicode.IsSpace(r):
			s.clean = append(s.clean, ' ')
		case n.chinese && isChinese(r):
			s.clean = append(s.clean, ' ')
			s.clean = utf8.AppendRune(s.clean, r)
			s.clean = append(s.clean, ' ')
		default:
			s.clean = utf8.AppendRune(s.clean, r)
		}
	}
	apart := s.clean
	if n.accents && norm.NFD.QuickSpan(apart) < len(apart) {
		s.apart = norm.NFD.Append(s.apart[:0], s.clean...)
		apart = s.apart
	}
	for i := 0; i < len(apart); {
		r, size := utf8.DecodeRune(apart[i:])
		i += size
		switch {
		case n.accents && unicode.Is(unicode.Mn, r):
		case n.lower:
			dst = appendLower(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// isControl reports whether a character is dropped, not considering tab, line feed and
// carriage return. Unassigned code points are kept.
func isControl(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) }

// isChinese reports whether a character is a token of its own: an ideograph in BERT's list.
func isChinese(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF ||
		0x3400 <= r && r <= 0x4DBF ||
		0x20000 <= r && r <= 0x2A6DF ||
		0x2A700 <= r && r <= 0x2B73F ||
		0x2B740 <= r && r <= 0x2B81F ||
		0x2B920 <= r && r <= 0x2CEAF ||
		0xF900 <= r && r <= 0xFAFF ||
		0x2F800 <= r && r <= 0x2FA1F
}

// bertWords splits at white space and makes each punctuation mark a word.
type bertWords struct{}

func (bertWords) split(in, out *pieces) {
	for _, p := range in.spans {
		start := p.start // of the present word
		for at := p.start; at < p.end; {
			r, size := utf8.DecodeRune(in.text[at:p.end])
			mark := isPunctuation(r)
			if mark || unicode.IsSpace(r) {
				out.add(start, at)
				start = at + size
			}
			if mark {
				out.add(at, start)
			}
			at += size
		}
		out.add(start, p.end)
	}
}

// isPunctuation treats all ASCII symbols as punctuation, including those that Unicode calls
// symbols.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '~' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return unicode.IsPunct(r)
}
