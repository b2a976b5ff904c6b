package pdf

import (
	"bytes"
	"encoding/hex"
	"strings"
)

func (l *lexer) literal() string {
	var out []byte
	depth := 0
	for ; l.at < len(l.s); l.at++ {
		switch c := l.s[l.at]; c {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				l.at++
				return string(out)
			}
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, l.s[l.at])
	}
	return string(out)
}

// escape decodes the sequence after a backslash, and stops at its last byte.
func (l *lexer) escape(out []byte) []byte {
	if l.at++; l.at >= len(l.s) {
		return out
	}
	c := l.s[l.at]
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
		return append(out, "\n\r\t\b\f"[i])
	}
	switch {
	case c == '\r' && l.at+1 < len(l.s) && l.s[l.at+1] == '\n':
		l.at++
		return out
	case c == '\r' || c == '\n':
		return out
	case c < '0' || c > '7':
		return append(out, c)
	}
	v, n := 0, 0
	for ; n < 3 && l.at < len(l.s) && l.s[l.at] >= '0' && l.s[l.at] <= '7'; n++ {
		v = v<<3 | int(l.s[l.at]-'0')
		l.at++
	}
	l.at--
	return append(out, byte(v))
}

// hex reads a string in hexadecimal; a missing last digit is 0.
func (l *lexer) hex() string {
	rest := l.s[l.at+1:]
	end := bytes.IndexByte(rest, '>')
	if l.at += end + 2; end < 0 {
		end, l.at = len(rest), len(l.s)
	}
	digits := bytes.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789abcdefABCDEF", r) {
			return r
		}
		return -1
	}, rest[:end])
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	out, _ := hex.DecodeString(string(digits)) // all are digits
	return string(out)
}
