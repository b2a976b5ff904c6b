package server

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a stretch of a query, for colouring.
type Token struct {
	Start int    `json:"start" doc:"in bytes"`
	End   int    `json:"end"`
	Kind  string `json:"kind" enum:"atom,quoted,operator,not,paren,predicate,like,image,weight,error"`
}

// scan cuts a query into tokens. Unlike the parser it goes on behind a mistake,
// since an editor colours what is being typed; where the parser accepts a query,
// both see the same leaves (a test holds them together).
func scan(text string) []Token {
	s := scanner{text: text, tokens: []Token{}}
	for s.off < len(s.text) {
		if unicode.IsSpace(s.peek()) {
			s.skip()
			continue
		}
		start := s.off
		kind := s.next()
		// Words side by side are one atom.
		if last := len(s.tokens) - 1; kind == "atom" && last >= 0 && s.tokens[last].Kind == "atom" {
			s.tokens[last].End = s.off
			continue
		}
		s.tokens = append(s.tokens, Token{start, s.off, kind})
	}
	return s.tokens
}

type scanner struct {
	text   string
	off    int
	tokens []Token
}

func (s *scanner) peek() rune {
	if s.off >= len(s.text) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.off:])
	return r
}

func (s *scanner) skip() {
	_, size := utf8.DecodeRuneInString(s.text[s.off:])
	s.off += size
}

// next moves past a token and tells its kind.
func (s *scanner) next() string {
	switch r := s.peek(); r {
	case '(', ')':
		s.skip()
		return "paren"
	case '-':
		s.skip()
		return "not"
	case '+':
		s.skip()
		return "operator"
	case '^':
		s.skip()
		s.word()
		return "weight"
	case '"', '“':
		if !s.quoted() {
			return "error"
		}
		return "quoted"
	case '”':
		s.skip()
		return "error"
	}
	start := s.off
	for r := s.peek(); !endsWord(r); r = s.peek() {
		if r == ':' && isField(s.text[start:s.off]) && s.startsValue() {
			return s.named(s.text[start:s.off])
		}
		s.skip()
	}
	switch s.text[start:s.off] {
	case "AND", "OR":
		return "operator"
	case "NOT":
		return "not"
	case "&&", "||", "!":
		return "error"
	}
	return "atom"
}

func endsWord(r rune) bool {
	return r < 0 || unicode.IsSpace(r) || strings.ContainsRune("()^\"“”", r)
}

// word moves to the end of a bare word.
func (s *scanner) word() {
	for !endsWord(s.peek()) {
		s.skip()
	}
}

// quoted moves past a quoted text; it is false where the quote is not closed.
func (s *scanner) quoted() bool {
	closing := '"'
	if s.peek() == '“' {
		closing = '”'
	}
	s.skip()
	for s.off < len(s.text) {
		r := s.peek()
		s.skip()
		if r == '\\' {
			s.skip()
		}
		if r == closing {
			return true
		}
	}
	return false
}

// isField reports whether s can name a field of the metadata.
func isField(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '.' && r != '-' && !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// startsValue reports whether a value follows the colon at off: "Star Wars: a
// new hope" and "http://x" are text.
func (s *scanner) startsValue() bool {
	rest := s.text[s.off+1:]
	r, size := utf8.DecodeRuneInString(rest)
	return size > 0 && (r == '"' || r == '“' || !endsWord(r)) && !strings.HasPrefix(rest, "//")
}

// named moves past the colon and the value behind a name.
func (s *scanner) named(name string) string {
	s.skip()
	kind := name
	if name != "like" && name != "image" {
		kind = "predicate"
		for _, comparison := range []string{"<=", ">=", "<", ">", "="} {
			if strings.HasPrefix(s.text[s.off:], comparison) {
				s.off += len(comparison)
				break
			}
		}
	}
	if r := s.peek(); r != '"' && r != '“' {
		s.word()
	} else if !s.quoted() {
		return "error"
	}
	return kind
}
