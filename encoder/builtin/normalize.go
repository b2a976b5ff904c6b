package builtin

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// buffers are reused from chunk to chunk.
type buffers struct{ clean, apart, out []byte }

// normalize does to a text without spaces what BERT's uncased models expect:
// control characters go, CJK characters stand alone, accents go, capitals
// become small. Bytes that are not UTF-8 read as U+FFFD, which goes as well.
// Categories are those of Go's Unicode; the reference has older tables and keeps
// accents of scripts that were added since. The result is valid until the next
// call.
func (b *buffers) normalize(chunk string) []byte {
	if text, ok := b.ascii(chunk); ok {
		return text
	}
	b.clean = b.clean[:0]
	for _, r := range chunk {
		switch {
		case r == utf8.RuneError || isControl(r):
		case isChinese(r):
			b.clean = append(b.clean, ' ')
			b.clean = utf8.AppendRune(b.clean, r)
			b.clean = append(b.clean, ' ')
		default:
			b.clean = utf8.AppendRune(b.clean, r)
		}
	}
	b.apart = norm.NFD.Append(b.apart[:0], b.clean...)
	b.out = b.out[:0]
	for i := 0; i < len(b.apart); {
		r, size := utf8.DecodeRune(b.apart[i:])
		i += size
		if !unicode.Is(unicode.Mn, r) {
			b.out = utf8.AppendRune(b.out, unicode.ToLower(r))
		}
	}
	return b.out
}

// ascii is normalize for texts of ASCII alone, which most are.
func (b *buffers) ascii(chunk string) (text []byte, ok bool) {
	b.out = b.out[:0]
	for i := range len(chunk) {
		c := chunk[i]
		switch {
		case c >= utf8.RuneSelf:
			return nil, false
		case 'A' <= c && c <= 'Z':
			b.out = append(b.out, c+'a'-'A')
		case c > ' ' && c != 0x7f:
			b.out = append(b.out, c)
		}
	}
	return b.out, true
}

// isSpace is Unicode's White_Space, but for the control characters in it other
// than tab, line feed and carriage return: those are dropped.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\r', ' ':
		return true
	case '\v', '\f', 0x85:
		return false
	}
	return unicode.Is(unicode.White_Space, r)
}

// isControl says which characters are dropped; spaces never reach it. What
// Unicode has not assigned stays.
func isControl(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) }

// isPunctuation says which characters are words of their own: Unicode's, and
// all signs of ASCII.
func isPunctuation(r rune) bool {
	switch {
	case r < '0', '9' < r && r < 'A', 'Z' < r && r < 'a', 'z' < r && r < 0x7f:
		return r > ' '
	case r < utf8.RuneSelf:
		return false
	}
	return unicode.Is(unicode.P, r)
}

// isChinese says which characters stand alone: the ideographs, as BERT lists
// them.
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
