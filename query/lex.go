package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TokenKind is the kind of a token.
type TokenKind uint8

const (
	TokenEnd TokenKind = iota // end of the text; omitted by Tokens
	TokenBlank
	TokenOpen
	TokenClose
	TokenAnd
	TokenOr
	TokenOf    // 2 OF, before the parenthesis of a list
	TokenComma // between the parts of a list
	TokenNot   // NOT or a leading -
	TokenPlus
	TokenWords // adjacent bare words
	TokenQuoted
	TokenPredicate
	TokenItem      // like:, example: or image:
	TokenField     // title: before the parentheses of a pattern
	TokenTruncated // adjacent bare words, one of them truncated
	TokenNear      // NEAR/5 or PRE/5
	TokenWeight
	TokenError // an unbalanced quote, or an operator of another language
)

var tokenNames = [...]string{
	TokenEnd: "end", TokenBlank: "blank", TokenOpen: "paren", TokenClose: "paren",
	TokenAnd: "operator", TokenOr: "operator", TokenOf: "operator", TokenComma: "operator", TokenNot: "not", TokenPlus: "operator",
	TokenWords: "atom", TokenQuoted: "quoted", TokenPredicate: "predicate",
	TokenItem: "item", TokenField: "predicate", TokenTruncated: "predicate", TokenNear: "operator", TokenWeight: "weight", TokenError: "error",
}

// String returns the name that editors use for highlighting.
func (k TokenKind) String() string { return tokenNames[k] }

// Token is a token of a query. The fields that are set, in addition to kind and span,
// depend on the kind.
type Token struct {
	Kind TokenKind
	Span
	Text    string     // within quotes, or the value after a colon
	Field   string     // of a predicate
	Op      Comparison // of a predicate
	Weight  float64
	Count   int  // before OF, or the distance of NEAR/5
	Ordered bool // of PRE/5
	Item    Kind // of an atom other than words
}

// Tokens splits any text into tokens that cover it completely. They are those that Parse
// reads, but continue after an error, since an editor highlights incomplete input: a
// token with an error inside, such as an invalid weight, keeps its kind.
func Tokens(text string) []Token {
	tokens, _ := lex(text)
	var out []Token
	end := 0
	for _, t := range tokens {
		if end < t.Start {
			out = append(out, Token{Kind: TokenBlank, Span: Span{end, t.Start}})
		}
		if t.Kind != TokenEnd {
			out = append(out, t)
		}
		end = t.End
	}
	return out
}

// lex splits a query into tokens; the last is TokenEnd. It returns the first error.
func lex(text string) ([]Token, error) {
	l := lexer{text: text}
	var tokens []Token
	for {
		t := l.next()
		tokens = append(tokens, t)
		if t.Kind == TokenEnd {
			return tokens, l.err
		}
	}
}

type lexer struct {
	text string
	off  int
	err  error  // the first error
	open []bool // open parentheses; true for those of a list
	list bool   // a list is about to open
}

// listed reports whether a list is open, in which a comma ends a word.
func (l *lexer) listed() bool { return slices.Contains(l.open, true) }

// fail records an error; the lexer continues.
func (l *lexer) fail(off int, format string, args ...any) {
	if l.err == nil {
		l.err = &SyntaxError{Query: l.text, Off: off, Msg: fmt.Sprintf(format, args...)}
	}
}

// peek returns the rune at off, or -1 at the end.
func (l *lexer) peek() rune {
	if l.off >= len(l.text) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(l.text[l.off:])
	return r
}

// skip advances past the rune at off.
func (l *lexer) skip() {
	_, size := utf8.DecodeRuneInString(l.text[l.off:])
	l.off += size
}

// endsWord reports whether r ends a bare word, as does the end of the text (-1).
func endsWord(r rune) bool {
	return r < 0 || unicode.IsSpace(r) || strings.ContainsRune("()^\"“”", r)
}

// skipWord advances to the end of a bare word and returns it.
func (l *lexer) skipWord() string {
	start := l.off
	for listed := l.listed(); !endsWord(l.peek()) && !(listed && l.peek() == ','); {
		l.skip()
	}
	return l.text[start:l.off]
}

// next reads a token. Adjacent words form one token.
func (l *lexer) next() Token {
	t := l.lexeme()
	for t.Kind == TokenWords {
		ahead := *l
		more := ahead.lexeme()
		if more.Kind != TokenWords {
			break
		}
		t.End, *l = more.End, ahead
	}
	if t.Kind == TokenWords && hasTruncated(l.text[t.Start:t.End]) {
		t.Kind = TokenTruncated
	}
	return t
}

// lexeme reads a token, or the first of adjacent words.
func (l *lexer) lexeme() Token {
	l.blank()
	t := Token{Span: Span{Start: l.off}}
	switch r := l.peek(); r {
	case -1:
	case '(':
		l.single(&t, TokenOpen)
		l.open = append(l.open[:len(l.open):len(l.open)], l.list)
		l.list = false
	case ')':
		l.single(&t, TokenClose)
		l.open = l.open[:max(0, len(l.open)-1)]
	case ',':
		if l.listed() {
			l.single(&t, TokenComma)
		} else {
			l.word(&t)
		}
	case '-':
		l.single(&t, TokenNot)
	case '+':
		l.single(&t, TokenPlus)
	case '^':
		l.single(&t, TokenWeight)
		l.weight(&t)
	case '"', '“':
		t.Kind = TokenQuoted
		l.quoted(&t)
	case '”':
		l.fail(t.Start, "found a closing quote that nothing opens; write \\” inside “ ” or remove it")
		l.single(&t, TokenError)
	default:
		l.word(&t)
	}
	t.End = l.off
	return t
}

func (l *lexer) single(t *Token, kind TokenKind) {
	t.Kind = kind
	l.skip()
}

// word reads a bare word, an operator or name:value.
func (l *lexer) word(t *Token) {
	word := l.skipWord()
	if name, rest, _ := strings.Cut(word, ":"); rest == "" && name != word && IsField(name) && l.peek() == '(' {
		t.Kind, t.Field = TokenField, name
		return
	}
	if l.nearness(t, word) {
		return
	}
	if name, _, ok := strings.Cut(word, ":"); ok && isName(name) && l.startsValue(t.Start+len(name)+1) {
		l.off = t.Start + len(name) + 1
		l.named(t, name)
		return
	}
	if l.counts(word) {
		t.Kind, l.list = TokenOf, true
		t.Count, _ = strconv.Atoi(word)
		return
	}
	switch t.Kind = TokenWords; word {
	case "AND":
		t.Kind = TokenAnd
	case "OR":
		t.Kind = TokenOr
	case "NOT":
		t.Kind = TokenNot
	case "&&", "||", "!":
		t.Kind = TokenError
		l.fail(t.Start, "%s is not an operator here; write AND, OR or NOT, or quote it if it is text", word)
	}
}

// counts reports whether a word is a number followed by OF and a parenthesis, and
// advances past OF. Otherwise both are plain words, as in 12 OF 20.
func (l *lexer) counts(word string) bool {
	if strings.Trim(word, "0123456789") != "" || len(word) > 3 {
		return false
	}
	ahead := *l
	ahead.blank()
	if ahead.skipWord() != "OF" {
		return false
	}
	end := ahead.off
	if ahead.blank(); ahead.peek() != '(' {
		return false
	}
	l.off = end
	return true
}

// blank skips white space.
func (l *lexer) blank() {
	for r := l.peek(); r >= 0 && unicode.IsSpace(r); r = l.peek() {
		l.skip()
	}
}

// IsField reports whether name is a valid field for a predicate: it consists of letters,
// digits, _, . and -, starts with a letter or _, and is not the prefix of an atom (like,
// example or image).
func IsField(name string) bool { return isName(name) && kindOf(name) == Text }

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '.' && r != '-' && !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// kindOf returns the kind of atom with the prefix name, or Text if there is none.
func kindOf(name string) Kind { return Kind(max(0, slices.Index(prefixes[:], name))) }

// startsValue reports whether the value of name:value can start at off. "Star Wars: a new
// hope" and "http://x" are text, not predicates.
func (l *lexer) startsValue(off int) bool {
	rest := l.text[off:]
	r, size := utf8.DecodeRuneInString(rest)
	return size > 0 && (r == '"' || r == '“' || !endsWord(r)) && !strings.HasPrefix(rest, "//") && !(r == ',' && l.listed())
}

// named reads the comparison and the value after name:
func (l *lexer) named(t *Token, name string) {
	t.Kind, t.Item = TokenItem, kindOf(name)
	if t.Item == Text {
		t.Kind, t.Field = TokenPredicate, name
		l.comparison(t)
	}
	if r := l.peek(); r == '"' || r == '“' {
		l.quoted(t)
	} else if t.Text = l.skipWord(); t.Text == "" {
		l.fail(l.off, "expected a value after %s", l.text[t.Start:l.off])
	}
}

func (l *lexer) comparison(t *Token) {
	rest := l.text[l.off:]
	if strings.HasPrefix(rest, "!=") {
		l.fail(l.off, "!= is not a comparison; write NOT %s:value", t.Field)
	}
	for _, op := range []Comparison{LessEqual, GreaterEqual, Less, Greater, Equal} {
		if strings.HasPrefix(rest, op.String()) {
			t.Op = op
			l.off += len(op.String())
			return
		}
	}
}

// quoted reads a quoted text; \" and \\ stand for themselves.
func (l *lexer) quoted(t *Token) {
	start := l.off
	closing := '"'
	if l.peek() == '“' {
		closing = '”'
	}
	l.skip()
	var b strings.Builder
	for r := l.peek(); r != closing; r = l.peek() {
		if r == '\\' {
			l.skip()
			if r = l.peek(); r != '"' && r != '\\' && r != '“' && r != '”' {
				l.fail(l.off-1, "unknown escape; expected \\\" or \\\\")
			}
		}
		if r < 0 {
			l.fail(start, "this quote is never closed; expected %c", closing)
			t.Kind = TokenError
			return
		}
		b.WriteRune(r)
		l.skip()
	}
	l.skip()
	if t.Text = b.String(); strings.TrimSpace(t.Text) == "" {
		l.fail(start, "expected text between the quotes")
	}
}

// MaxWeight is the largest weight an atom may have.
const MaxWeight = 100

// weight reads the number after ^.
func (l *lexer) weight(t *Token) {
	text := l.skipWord()
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || !(w > 0 && w <= MaxWeight) {
		l.fail(t.Start+1, "expected a weight above 0 and at most %d after ^, found %q", MaxWeight, text)
	}
	t.Weight = w
}
