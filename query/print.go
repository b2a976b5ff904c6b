package query

import (
	"strconv"
	"strings"
)

func (n *Atom) String() string {
	text := n.Text
	switch n.Kind {
	case Like:
		text = "like:" + value(text)
	case Image:
		text = "image:" + value(text)
	default:
		if !isBare(text) {
			text = quote(text)
		}
	}
	if w := n.Importance(); w != 1 {
		text += "^" + strconv.FormatFloat(w, 'g', -1, 64)
	}
	return text
}

func (n *Predicate) String() string {
	text := n.Value
	if !isPlain(text) || strings.ContainsAny(text[:1], "<>=!/") {
		text = quote(text)
	}
	if n.Op != Equal {
		text = n.Op.String() + text
	}
	return n.Field + ":" + text
}

func (n *Not) String() string { return "NOT " + bracket(n.X, true) }

func (n *And) String() string {
	return join(n.Parts, " AND ", func(part Node) bool { return isAnd(part) || isOr(part) })
}

func (n *Or) String() string {
	return join(n.Parts, " OR ", isOr)
}

func isAnd(n Node) bool { _, ok := n.(*And); return ok }
func isOr(n Node) bool  { _, ok := n.(*Or); return ok }

// join prints parts, in parentheses where they would otherwise be read as
// something else.
func join(parts []Node, sep string, parenthesize func(Node) bool) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = bracket(part, parenthesize(part))
	}
	return strings.Join(texts, sep)
}

// bracket puts a list in parentheses when asked to; nothing else needs them.
func bracket(n Node, wanted bool) string {
	if wanted && (isAnd(n) || isOr(n)) {
		return "(" + n.String() + ")"
	}
	return n.String()
}

// value prints the value of like: or image:.
func value(s string) string {
	if isPlain(s) && !strings.HasPrefix(s, "//") {
		return s
	}
	return quote(s)
}

// isPlain reports whether s is read as one value without quotes.
func isPlain(s string) bool {
	return s != "" && strings.IndexFunc(s, endsWord) < 0
}

// isBare reports whether text, written without quotes, is read as this one
// atom: words with single spaces between them, of which none is an operator,
// starts with - or +, or looks like name:value.
func isBare(text string) bool {
	for word := range strings.SplitSeq(text, " ") {
		if !isPlain(word) || word[0] == '-' || word[0] == '+' {
			return false
		}
		if l := (lexer{text: word}); l.lexeme().Kind != TokenWords {
			return false
		}
	}
	return true
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
