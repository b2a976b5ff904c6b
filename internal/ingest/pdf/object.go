package pdf

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
)

// An object is nil, a bool, a float64, a string, a name, a ref, a dict, an array or a
// stream; in contents it may also be an operator.
type (
	name     string
	operator string
	ref      int // object number; generations are ignored, since the last object wins
	dict     map[name]any
	array    []any
	stream   struct {
		dict
		raw []byte
		of  ref // the object itself
	}
)

var (
	errEnd    = errors.New("the end")
	errSyntax = errors.New("malformed")
)

// lexer parses objects.
type lexer struct {
	s     []byte
	at    int
	count int // of objects in the present one
}

const maxElements = 1 << 18 // objects within one object

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

func (l *lexer) space() {
	for l.at < len(l.s) {
		switch c := l.s[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.s) && l.s[l.at] != '\n' && l.s[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// object reads the next object, nested at most depth levels.
func (l *lexer) object(depth int) (any, error) {
	l.space()
	if l.at >= len(l.s) {
		return nil, errEnd
	}
	if l.count++; depth <= 0 || l.count > maxElements {
		return nil, errSyntax
	}
	switch c := l.s[l.at]; {
	case c == '/':
		return l.name(), nil
	case c == '(':
		return l.literal(), nil
	case c == '<' && l.at+1 < len(l.s) && l.s[l.at+1] == '<':
		return l.dictionary(depth)
	case c == '<':
		return l.hex(), nil
	case c == '[':
		l.at++
		return l.list("]", depth)
	case c == '+' || c == '-' || c == '.' || c >= '0' && c <= '9':
		return l.number(), nil
	case isDelimiter(c):
		l.at++
		return operator(string(rune(c))), nil
	}
	switch word := l.word(); word {
	case "true", "false":
		return word == "true", nil
	case "null":
		return nil, nil
	default:
		return operator(word), nil
	}
}

func (l *lexer) word() string {
	begin := l.at
	for l.at < len(l.s) && !isSpace(l.s[l.at]) && !isDelimiter(l.s[l.at]) {
		l.at++
	}
	return string(l.s[begin:l.at])
}

func (l *lexer) name() name {
	l.at++
	word := l.word()
	if !bytes.Contains([]byte(word), []byte("#")) {
		return name(word)
	}
	var out []byte
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) {
			if v, err := strconv.ParseUint(word[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(v))
				i += 2
				continue
			}
		}
		out = append(out, word[i])
	}
	return name(out)
}

// number reads a number, or a reference, which starts with two numbers.
func (l *lexer) number() any {
	word := l.word()
	if word == "" { // a stray sign
		l.at++
		return 0.0
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil || n != n {
		return 0.0
	}
	after := l.at
	if isCount(word) {
		l.space()
		if isCount(l.word()) {
			l.space()
			if l.at < len(l.s) && l.s[l.at] == 'R' && (l.at+1 == len(l.s) || isSpace(l.s[l.at+1]) || isDelimiter(l.s[l.at+1])) {
				l.at++
				return ref(n)
			}
		}
	}
	l.at = after
	return n
}

func isCount(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) < 10
}

func (l *lexer) list(end operator, depth int) (array, error) {
	out := array{}
	for {
		v, err := l.object(depth - 1)
		if err != nil {
			return out, err
		}
		if v == end {
			return out, nil
		}
		if _, stray := v.(operator); !stray {
			out = append(out, v)
		}
	}
}

func (l *lexer) dictionary(depth int) (dict, error) {
	l.at += 2
	out := dict{}
	for {
		key, err := l.object(depth - 1)
		if err != nil {
			return out, err
		}
		if key == operator(">") {
			if l.at < len(l.s) && l.s[l.at] == '>' {
				l.at++
			}
			return out, nil
		}
		k, ok := key.(name)
		if !ok {
			continue
		}
		v, err := l.object(depth - 1)
		if err != nil {
			return out, err
		}
		if v == operator(">") { // a key without a value
			l.at--
			continue
		}
		out[k] = v
	}
}

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
