package query

import (
	"strings"
	"unicode/utf8"
)

// prefixOf returns the two predicates that field:prefix* stands for: the strings from the
// prefix up to the next string that does not start with it. Stores thus need no operator for
// prefixes. It returns nil if there is no such string.
func prefixOf(field, prefix string, at Span) []Node {
	r, size := utf8.DecodeLastRuneInString(prefix)
	if size == 0 || r == utf8.RuneError || r == utf8.MaxRune {
		return nil
	}
	if r++; r == 0xD800 { // surrogates are not characters
		r = 0xE000
	}
	next := prefix[:len(prefix)-size] + string(r)
	return []Node{
		&Predicate{Field: field, Op: GreaterEqual, Value: prefix, Pos: at},
		&Predicate{Field: field, Op: Less, Value: next, Pos: at},
	}
}

// isPrefix reports whether the predicate token t is field:prefix*.
func (p *parser) isPrefix(t Token) bool {
	return p.isGlob(t) && len(t.Text) > 1 && strings.IndexByte(t.Text, '*') == len(t.Text)-1
}

// isGlob reports whether the predicate token t has a * that is not part of a quoted value.
// Words of the text have no prefixes.
func (p *parser) isGlob(t Token) bool {
	return hasStar(t.Field, t.Op, t.Text) && !strings.ContainsAny(p.text[t.Start:t.End], `"“”`)
}

func hasStar(field string, op Comparison, value string) bool {
	return op == Equal && !IsTextField(field) && strings.Contains(value, "*")
}

// spliced flattens the parts that a prefix became into the list that contains it.
func spliced(parts []Node) (out []Node) {
	for _, part := range parts {
		if and, ok := part.(*And); ok && len(and.Parts) == 2 && and.Parts[0].Span() == and.Parts[1].Span() {
			out = append(out, and.Parts...)
			continue
		}
		out = append(out, part)
	}
	return out
}

// prefixAt returns field:prefix* if the parts at i and i+1 are what it stands for, and an empty
// string otherwise.
func prefixAt(parts []Node, i int, listed bool) string {
	if i+1 >= len(parts) {
		return ""
	}
	from, ok := parts[i].(*Predicate)
	if !ok || from.Op != GreaterEqual {
		return ""
	}
	text := from.Value + "*"
	if IsTextField(from.Field) || !isPlain(text, listed) || strings.ContainsAny(text[:1], "<>=!/") {
		return ""
	}
	both := prefixOf(from.Field, from.Value, from.Pos)
	if both == nil || !Same(both[1], parts[i+1]) {
		return ""
	}
	return from.Field + ":" + text
}
