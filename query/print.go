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
		return "NOT " + bracket(n.X, true, listed, false)
	case *And:
		return n.printed(listed)
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
	if !isPlain(text, listed) || hasStar(n.Field, n.Op, text) || strings.ContainsAny(text[:1], "<>=!/") {
		text = quote(text)
	}
	if n.Op != Equal {
		text = n.Op.String() + text
	}
	return n.Field + ":" + text
}

// printed prints the parts, and predicates that a prefix stands for as the prefix.
func (n *And) printed(listed bool) string {
	var texts []string
	for i := 0; i < len(n.Parts); i++ {
		if text := prefixAt(n.Parts, i, listed); text != "" {
			texts = append(texts, text)
			i++
			continue
		}
		texts = append(texts, bracket(n.Parts[i], true, listed, true))
	}
	return strings.Join(texts, " AND ")
}

func isAnd(n Node) bool { _, ok := n.(*And); return ok }
func isOr(n Node) bool  { _, ok := n.(*Or); return ok }

func isAtLeast(n Node) bool { _, ok := n.(*AtLeast); return ok }

// join prints parts, in parentheses where they would otherwise be parsed differently.
func join(parts []Node, sep string, listed bool, parenthesize func(Node) bool) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = bracket(part, parenthesize(part), listed, false)
	}
	return strings.Join(texts, sep)
}

// bracket adds parentheses to a list if wanted; other nodes need none. A prefix needs none
// either, except that in a conjunction it would become a part of that.
func bracket(n Node, wanted, listed, inAnd bool) string {
	and, ok := n.(*And)
	isPrefix := ok && len(and.Parts) == 2 && prefixAt(and.Parts, 0, listed) != ""
	switch {
	case isPrefix && inAnd:
		return "(" + join(and.Parts, " AND ", listed, isOr) + ")"
	case wanted && !isPrefix && (ok || isOr(n)):
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
