package query

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokOpen
	tokClose
	tokAnd
	tokOr
	tokNot // NOT or a leading -
	tokPlus
	tokWord
	tokQuoted
	tokNamed // name:value, a predicate or a like: or image: atom
	tokWeight
)

// token is one lexeme. Which fields are set depends on its kind.
type token struct {
	kind   tokenKind
	span   Span
	text   string     // a word, a quoted text, the value of name:value
	name   string     // name:value
	op     Comparison // name:value
	number float64    // weight
}

// describe names a token in an error message.
func (t token) describe() string {
	switch t.kind {
	case tokEnd:
		return "the end of the query"
	case tokOpen:
		return "("
	case tokClose:
		return ")"
	case tokAnd:
		return "AND"
	case tokOr:
		return "OR"
	case tokNot:
		return "NOT"
	case tokPlus:
		return "+"
	case tokWeight:
		return "a weight"
	case tokNamed:
		return t.name + ":" + t.text
	}
	return strconv.Quote(t.text)
}

// lex cuts a query into tokens; the last is tokEnd.
func lex(text string) ([]token, error) {
	l := lexer{text: text}
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		l.tokens = append(l.tokens, t)
		if t.kind == tokEnd {
			return l.tokens, nil
		}
	}
}

type lexer struct {
	text   string
	off    int
	tokens []token
}

func (l *lexer) fail(off int, format string, args ...any) error {
	return &SyntaxError{Query: l.text, Off: off, Msg: fmt.Sprintf(format, args...)}
}

// peek is the rune at off, or -1 at the end.
func (l *lexer) peek() rune {
	if l.off >= len(l.text) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(l.text[l.off:])
	return r
}

// skip moves past the rune at off.
func (l *lexer) skip() {
	_, size := utf8.DecodeRuneInString(l.text[l.off:])
	l.off += size
}

// endsWord reports whether r cannot be inside a bare word. An end of text
// (-1) ends one too.
func endsWord(r rune) bool {
	return r < 0 || unicode.IsSpace(r) || strings.ContainsRune("()^\"“”", r)
}

func (l *lexer) next() (token, error) {
	for r := l.peek(); r >= 0 && unicode.IsSpace(r); r = l.peek() {
		l.skip()
	}
	start := l.off
	single := func(kind tokenKind) (token, error) {
		l.off++
		return token{kind: kind, span: Span{start, l.off}}, nil
	}
	switch l.peek() {
	case -1:
		return token{kind: tokEnd, span: Span{start, start}}, nil
	case '(':
		return single(tokOpen)
	case ')':
		return single(tokClose)
	case '-':
		return single(tokNot)
	case '+':
		return single(tokPlus)
	case '^':
		return l.weight()
	case '"', '“':
		text, err := l.quoted()
		return token{kind: tokQuoted, span: Span{start, l.off}, text: text}, err
	case '”':
		return token{}, l.fail(start, "found a closing quote that nothing opens; write \\” inside “ ” or remove it")
	}
	return l.word()
}

// word reads a bare word, an operator or name:value.
func (l *lexer) word() (token, error) {
	start := l.off
	for r := l.peek(); !endsWord(r); r = l.peek() {
		if r == ':' && isName(l.text[start:l.off]) && l.startsValue(l.off+1) {
			return l.named(start)
		}
		l.skip()
	}
	t := token{kind: tokWord, span: Span{start, l.off}, text: l.text[start:l.off]}
	switch t.text {
	case "AND":
		t.kind = tokAnd
	case "OR":
		t.kind = tokOr
	case "NOT":
		t.kind = tokNot
	case "&&", "||", "!":
		return t, l.fail(start, "%s is not an operator here; write AND, OR or NOT, or quote it if it is text", t.text)
	}
	return t, nil
}

// isName reports whether s can name a field: a letter or underscore, then
// letters, digits and _ . -
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '.' && r != '-' && !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// startsValue reports whether name:value can go on at off. "Star Wars: a new
// hope" and "http://x" are text, not predicates.
func (l *lexer) startsValue(off int) bool {
	rest := l.text[off:]
	r, size := utf8.DecodeRuneInString(rest)
	return size > 0 && (r == '"' || r == '“' || !endsWord(r)) && !strings.HasPrefix(rest, "//")
}

// named reads the comparison and the value of name:value; off is at the colon.
func (l *lexer) named(start int) (token, error) {
	t := token{kind: tokNamed, name: l.text[start:l.off]}
	l.off++
	if kindOf(t.name) == Text {
		if err := l.comparison(&t); err != nil {
			return t, err
		}
	}
	if r := l.peek(); r == '"' || r == '“' {
		text, err := l.quoted()
		if err != nil {
			return t, err
		}
		t.text = text
	} else {
		from := l.off
		for r := l.peek(); !endsWord(r); r = l.peek() {
			l.skip()
		}
		t.text = l.text[from:l.off]
	}
	if t.text == "" {
		return t, l.fail(l.off, "expected a value after %s", l.text[start:l.off])
	}
	t.span = Span{start, l.off}
	return t, nil
}

func (l *lexer) comparison(t *token) error {
	rest := l.text[l.off:]
	if strings.HasPrefix(rest, "!=") {
		return l.fail(l.off, "!= is not a comparison; write NOT %s:value", t.name)
	}
	for _, c := range []struct {
		text string
		op   Comparison
	}{{"<=", LessEqual}, {">=", GreaterEqual}, {"<", Less}, {">", Greater}, {"=", Equal}} {
		if strings.HasPrefix(rest, c.text) {
			t.op = c.op
			l.off += len(c.text)
			return nil
		}
	}
	return nil
}

// kindOf is the kind of atom that name: introduces, or Text when name: starts
// a predicate.
func kindOf(name string) Kind {
	switch name {
	case "like":
		return Like
	case "image":
		return Image
	}
	return Text
}

// quoted reads a quoted text; \" and \\ stand for themselves.
func (l *lexer) quoted() (string, error) {
	start := l.off
	closing := '"'
	if l.peek() == '“' {
		closing = '”'
	}
	l.skip()
	var b strings.Builder
	for {
		r := l.peek()
		switch {
		case r < 0:
			return "", l.fail(start, "this quote is never closed; expected %c", closing)
		case r == closing:
			l.skip()
			if strings.TrimSpace(b.String()) == "" {
				return "", l.fail(start, "expected text between the quotes")
			}
			return b.String(), nil
		case r == '\\':
			l.off++
			if r = l.peek(); r != '"' && r != '\\' && r != '“' && r != '”' {
				return "", l.fail(l.off-1, "unknown escape; expected \\\" or \\\\")
			}
		}
		b.WriteRune(r)
		l.skip()
	}
}

// MaxWeight is the largest weight an atom may have.
const MaxWeight = 100

func (l *lexer) weight() (token, error) {
	start := l.off
	l.off++
	from := l.off
	for r := l.peek(); !endsWord(r); r = l.peek() {
		l.skip()
	}
	w, err := strconv.ParseFloat(l.text[from:l.off], 64)
	if err != nil || !(w > 0 && w <= MaxWeight) {
		return token{}, l.fail(from, "expected a weight above 0 and at most %d after ^, found %q", MaxWeight, l.text[from:l.off])
	}
	return token{kind: tokWeight, span: Span{start, l.off}, number: w}, nil
}
