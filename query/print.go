package query

import (
	"strconv"
	"strings"
)

func (n *Atom) String() string      { return printed(n, false) }
func (n *Predicate) String() string { return printed(n, false) }
func (n *Not) String() string       { return printed(n, false) }
func (n *And) String() string       { return printed(n, false) }
func (n *Or) String() string        { return printed(n, false) }
func (n *AtLeast) String() string   { return printed(n, false) }

// printed prints a node. In a list, within the parentheses of k OF, a comma must be
// quoted.
func printed(n Node, listed bool) string {
	switch n := n.(type) {
	case *Atom:
		return n.printed(listed)
	case *Predicate:
		return n.printed(listed)
	case *Not:
		return "NOT " + bracket(n.X, true, listed)
	case *And:
		return join(n.Parts, " AND ", listed, func(n Node) bool { return isAnd(n) || isOr(n) })
	case *Or:
		return join(n.Parts, " OR ", listed, isOr)
	case *AtLeast:
		return strconv.Itoa(n.K) + " OF (" + join(n.Parts, ", ", true, func(Node) bool { return false }) + ")"
	}
	return ""
}

func (n *Atom) printed(listed bool) string {
	text := n.Text
	switch {
	case n.Kind != Text:
		text = prefixes[n.Kind] + ":" + value(text, listed)
	case !isBare(text, listed):
		text = quote(text)
	}
	if w := n.Importance(); w != 1 {
		text += "^" + strconv.FormatFloat(w, 'g', -1, 64)
	}
	return text
}

func (n *Predicate) printed(listed bool) string {
	text := n.Value
	if n.Op == Match {
		return n.Field + ":(" + text + ")"
	}
	switch isOdd := !isPlain(text, listed) || strings.ContainsAny(text[:1], "<>=!/"); {
	case n.Op == Glob && isOdd:
		text = "=" + text
	case isOdd || isGlob(n.Field, n.Op, text):
		text = quote(text)
	}
	if n.Op != Equal && n.Op != Glob {
		text = n.Op.String() + text
	}
	return n.Field + ":" + text
}

// isGlob reports whether a value without quotes is a glob. Words of the text have truncation.
func isGlob(field string, op Comparison, value string) bool {
	return op == Equal && !IsTextField(field) && strings.Contains(value, "*")
}

func isAnd(n Node) bool { _, ok := n.(*And); return ok }
func isOr(n Node) bool  { _, ok := n.(*Or); return ok }

func isAtLeast(n Node) bool { _, ok := n.(*AtLeast); return ok }

// join prints parts, in parentheses where they would otherwise be parsed differently.
func join(parts []Node, sep string, listed bool, parenthesize func(Node) bool) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = bracket(part, parenthesize(part), listed)
	}
	return strings.Join(texts, sep)
}

// bracket prints a node, in parentheses if that is wanted for a list.
func bracket(n Node, wanted, listed bool) string {
	if wanted && (isAnd(n) || isOr(n)) {
		return "(" + printed(n, listed) + ")"
	}
	return printed(n, listed)
}

// value prints the value of like:, example: or image:.
func value(s string, listed bool) string {
	if isPlain(s, listed) && !strings.HasPrefix(s, "//") {
		return s
	}
	return quote(s)
}

// isPlain reports whether s is parsed as one value without quotes.
func isPlain(s string, listed bool) bool {
	return s != "" && strings.IndexFunc(s, endsWord) < 0 && !(listed && strings.Contains(s, ","))
}

// isBare reports whether text, written without quotes, is parsed as this one atom: words
// separated by single spaces, none of which is an operator, starts with - or +, or looks
// like name:value; and none is truncated.
func isBare(text string, listed bool) bool { return areBareWords(text, listed) && !hasTruncated(text) }

func areBareWords(text string, listed bool) bool {
	for word := range strings.SplitSeq(text, " ") {
		if !isPlain(word, listed) || word[0] == '-' || word[0] == '+' {
			return false
		}
		if l := (lexer{text: word}); l.lexeme().Kind != TokenWords {
			return false
		}
	}
	return true
}

var quoteEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(s string) string { return `"` + quoteEscapes.Replace(s) + `"` }
