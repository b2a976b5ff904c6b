package pdf

import (
	"bytes"
	"strconv"
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

func (l *lexer) hex() string {
	l.at++
	var out []byte
	high, half := byte(0), false
	for ; l.at < len(l.s) && l.s[l.at] != '>'; l.at++ {
		v, err := strconv.ParseUint(string(l.s[l.at]), 16, 8)
		if err != nil {
			continue
		}
		if half = !half; half {
			high = byte(v) << 4
		} else {
			out = append(out, high|byte(v))
		}
	}
	if l.at < len(l.s) {
		l.at++
	}
	if half {
		out = append(out, high)
	}
	return string(out)
}
