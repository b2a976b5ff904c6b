package fusion

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// contextual phrases a term in words, like the QUEST dataset:
//
//	A AND B                 A that are also B
//	A AND B AND C           A that are also both B and C
//	A AND B AND C AND D     A that are also B, C, and D
//	A AND NOT B             A that are not B
//	A AND B AND NOT C       A that are also B but not C
//	A AND NOT B AND NOT C   A that are not B or C
//	A OR B, A OR B OR C     A or B; A, B, or C
//	A AND (B OR C)          A that are also either B or C
//	A AND NOT (B AND C)     A that are not both B and C
//	(A AND B) OR C          A that are also B, or C
func contextual(n query.Node) string {
	switch n := n.(type) {
	case *query.Atom:
		return n.Text
	case *query.Not:
		return "not " + inner(n.X)
	case *query.And:
		return conjunction(n)
	case *query.Or:
		return disjunction(n)
	case *query.AtLeast:
		return fmt.Sprintf("at least %d of %s", n.K, series(each(n.Parts, inner), "and"))
	}
	panic("fusion: a predicate is not a term: " + n.String())
}

func conjunction(and *query.And) string {
	c := query.ReadConjunction(and)
	var b strings.Builder
	if len(c.Pos) > 0 {
		b.WriteString(contextual(c.Pos[0]))
	}
	if others := each(c.Pos[min(1, len(c.Pos)):], inner); len(others) > 0 {
		b.WriteString(" that are also ")
		if len(others) == 2 {
			b.WriteString("both ")
		}
		b.WriteString(series(others, "and"))
	}
	if unwanted := each(c.Neg, inner); len(unwanted) > 0 {
		switch len(c.Pos) {
		case 0:
			b.WriteString("not ")
		case 1:
			b.WriteString(" that are not ")
		default:
			b.WriteString(" but not ")
		}
		b.WriteString(series(unwanted, "or"))
	}
	return b.String()
}

func disjunction(or *query.Or) string {
	texts := each(or.Parts, contextual)
	if !query.AreAtoms(or.Parts) { // "A that are also B or C" would read as B or C
		return strings.Join(texts, ", or ")
	}
	return series(texts, "or")
}

// inner phrases a part inside a sentence.
func inner(n query.Node) string {
	switch n := n.(type) {
	case *query.Or:
		return "either " + disjunction(n)
	case *query.And:
		if c := query.ReadConjunction(n); len(c.Neg) == 0 && len(c.Pos) == 2 {
			return "both " + series(each(c.Pos, inner), "and")
		}
	}
	return contextual(n)
}

// series joins items as English does: "a", "a or b", "a, b, or c".
func series(items []string, conjunction string) string {
	switch len(items) {
	case 1:
		return items[0]
	case 2:
		return items[0] + " " + conjunction + " " + items[1]
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + ", " + conjunction + " " + items[last]
}
