package query

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// textFields are the fields that are parts of a document rather than metadata: its title and
// its text together, the title alone, and the text alone.
var textFields = []string{"text", "title", "abstract"}

// IsTextField reports whether predicates on a field look for words in the text of documents.
func IsTextField(name string) bool { return slices.Contains(textFields, name) }

// OnText reports whether a predicate looks for words, rather than comparing a value.
func (n *Predicate) OnText() bool { return n.Op == Match || IsTextField(n.Field) }

// HasPatterns reports whether a filter, which may be nil, looks for words.
func HasPatterns(filter Node) bool {
	for leaf := range Leaves(filter) {
		if p, ok := leaf.(*Predicate); ok && p.OnText() {
			return true
		}
	}
	return false
}

// Pattern is what a predicate on a text looks for: adjacent words, alternatives, or two
// patterns near each other.
type Pattern struct {
	Words   string     // adjacent words, some perhaps truncated; empty if there are Parts
	Parts   []*Pattern // the alternatives or, if Within is not 0, both sides
	Within  int        // the greatest distance between the sides; that of adjacent words is 1
	Ordered bool       // the first side comes first
}

// MaxWithin is the greatest distance that a pattern can allow.
const MaxWithin = 100

// Pattern returns what a predicate on a text looks for. It returns a *SyntaxError if the value
// is not a pattern.
func (n *Predicate) Pattern() (*Pattern, error) {
	if n.Op != Match {
		return &Pattern{Words: n.Value}, nil
	}
	if n.pattern != nil {
		return n.pattern, nil
	}
	parsed, err := Parse("f:(" + n.Value + ")")
	if err != nil {
		return nil, err
	}
	p, ok := parsed.(*Predicate)
	if !ok || p.pattern == nil {
		return nil, &SyntaxError{Query: n.Value, Msg: "this is not a pattern of words, OR, NEAR/5 and PRE/5"}
	}
	return p.pattern, nil
}

// String prints the pattern as it stands between the parentheses of field:(…).
func (p *Pattern) String() string {
	switch {
	case p.Words != "" && areBareWords(p.Words, true):
		return p.Words
	case p.Words != "":
		return quote(p.Words)
	case p.Within == 0:
		texts := make([]string, len(p.Parts))
		for i, part := range p.Parts {
			texts[i] = part.String()
		}
		return strings.Join(texts, " OR ")
	}
	operator := "NEAR"
	if p.Ordered {
		operator = "PRE"
	}
	side := func(p *Pattern, grouped bool) string {
		if p.Words == "" && (p.Within == 0 || grouped) {
			return "(" + p.String() + ")"
		}
		return p.String()
	}
	return fmt.Sprintf("%s %s/%d %s", side(p.Parts[0], false), operator, p.Within, side(p.Parts[1], true))
}

// words iterates over the words of a pattern.
func (p *Pattern) words(yield func(string)) {
	for _, word := range strings.Fields(p.Words) {
		yield(word)
	}
	for _, part := range p.Parts {
		part.words(yield)
	}
}

// RankedByWords returns a formula without atoms as one that ranks by the words of its patterns,
// truncated ones as far as they are known, or nil if it has no pattern that is wanted.
func (f *Formula) RankedByWords() *Formula {
	const most = 32 // more say no more about the topic
	var words []string
	for leaf, nots := range Leaves(f.Filter) {
		p, ok := leaf.(*Predicate)
		if !ok || nots%2 == 1 || !p.OnText() {
			continue
		}
		if pattern, err := p.Pattern(); err == nil {
			pattern.words(func(word string) {
				if word = strings.NewReplacer("*", "", "?", "").Replace(word); len(words) < most && !slices.Contains(words, word) {
					words = append(words, word)
				}
			})
		}
	}
	if words == nil {
		return nil
	}
	root := &Atom{Text: strings.Join(words, " "), Pos: f.Filter.Span()}
	return &Formula{Root: root, Filter: f.Filter, Terms: termsOf(root)}
}

// PatternOn returns the predicate that looks for a pattern in a field.
func PatternOn(field string, p *Pattern, at Span) *Predicate {
	if p.Words != "" && IsTextField(field) {
		return &Predicate{Field: field, Value: p.Words, Pos: at}
	}
	return &Predicate{Field: field, Op: Match, Value: p.String(), Pos: at, pattern: p}
}

// AnyPattern returns the pattern of alternatives, each once.
func AnyPattern(parts ...*Pattern) *Pattern {
	var flat []*Pattern
	seen := map[string]bool{}
	for _, p := range parts {
		each := []*Pattern{p}
		if p.Words == "" && p.Within == 0 {
			each = p.Parts
		}
		for _, p := range each {
			if text := p.String(); !seen[text] {
				seen[text] = true
				flat = append(flat, p)
			}
		}
	}
	if len(flat) == 1 {
		return flat[0]
	}
	return &Pattern{Parts: flat}
}

// proximity matches the operators of proximity. With a slash or a number they are hardly ever
// text, so they count in lower case too.
var proximity = regexp.MustCompile(`^(?i:(near/|adj/?|w/)|(pre/))([0-9]{1,4})$`)

// nearness reads an operator of proximity.
func (l *lexer) nearness(t *Token, word string) bool {
	found := proximity.FindStringSubmatch(word)
	if found == nil {
		return false
	}
	t.Kind, t.Ordered = TokenNear, found[2] != ""
	if t.Count, _ = strconv.Atoi(found[3]); t.Count < 1 || t.Count > MaxWithin {
		l.fail(t.Start, "%s is not a distance between 1 and %d words; adjacent words have distance 1", word, MaxWithin)
	}
	return true
}

// IsTruncated reports whether a word has a place for other letters: thromb* stands for all
// words that start so, and ? inside a word for one letter or none, as in wom?n and colo?r. There
// are two letters before a *, so that 5* and M*A*S*H are text.
func IsTruncated(word string) bool {
	letters, truncated := 0, false
	runes := []rune(word)
	for i, r := range runes {
		switch {
		case r == '*' && letters >= 2 && runes[i-1] != '*':
			truncated = true
		case r == '?' && letters > 0 && i+1 < len(runes) && unicode.IsLetter(runes[i+1]):
			truncated = true
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r) || i > 0 && strings.ContainsRune("-'’", r):
		default:
			return false
		}
	}
	return truncated
}

// hasTruncated reports whether one of the words of a text is truncated.
func hasTruncated(text string) bool { return slices.ContainsFunc(strings.Fields(text), IsTruncated) }

// tagged reads the parentheses after field:. Words inside are patterns of that field.
func (p *parser) tagged(tag Token) (Node, error) {
	if p.field != "" {
		return nil, p.inField(tag)
	}
	p.field = tag.Field
	n, err := p.group(p.take())
	p.field = ""
	if err != nil {
		return nil, err
	}
	if one, ok := n.(*Predicate); ok {
		one.Pos = Span{tag.Start, p.tokens[p.at-1].End}
	}
	for range Leaves(n) {
		if err := p.leaf(tag); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (p *parser) inField(t Token) error {
	return p.fail(t, "%s:( ) takes words, AND, OR, NOT and NEAR/5; found %s, which belongs outside it", p.field, p.text[t.Start:t.End])
}

// words returns the predicate of words inside field:( ).
func (p *parser) words(t Token, text string) (Node, error) {
	if p.patterns++; p.patterns > MaxWords {
		return nil, p.fail(t, "the query has more than %d patterns", MaxWords)
	}
	return PatternOn(p.field, &Pattern{Words: strings.Join(strings.Fields(text), " ")}, t.Span), nil
}

// anyOf joins alternatives. Those inside field:( ) are one predicate if all are patterns.
func (p *parser) anyOf(parts []Node, span Span) Node {
	or := &Or{Parts: parts, Pos: span}
	if p.field == "" {
		return or
	}
	field := p.field
	if pattern, bad := PatternOf(or, &field); bad == nil {
		return PatternOn(field, pattern, span)
	}
	return or
}

// near reads operands joined by operators of proximity, from left to right.
func (p *parser) near(after string) (Node, error) {
	left, err := p.primary(after)
	for err == nil && p.peek().Kind == TokenNear {
		t := p.take()
		var right Node
		if right, err = p.primary(p.text[t.Start:t.End]); err != nil {
			break
		}
		field := p.field
		pattern := &Pattern{Within: t.Count, Ordered: t.Ordered}
		for _, side := range []Node{left, right} {
			part, bad := PatternOf(side, &field)
			if bad != nil {
				return nil, &SyntaxError{Query: p.text, Off: bad.Span().Start, Msg: fmt.Sprintf("%s joins words, phrases and alternatives of them in one text field; found %s", p.text[t.Start:t.End], bad)}
			}
			pattern.Parts = append(pattern.Parts, part)
			if p.field == "" { // both sides become one predicate
				for range Leaves(side) {
					p.leaves--
				}
			}
		}
		if p.field == "" {
			p.leaves++
		}
		left = PatternOn(field, pattern, Span{left.Span().Start, right.Span().End})
	}
	return left, err
}

// PatternOf returns a node as a pattern of one field. All of its predicates are on one field, which is
// stored in field if that is empty. It returns the first part that is no pattern as bad.
func PatternOf(n Node, field *string) (p *Pattern, bad Node) {
	switch n := n.(type) {
	case *Atom:
		if *field == "" {
			*field = textFields[0]
		}
		if n.Kind == Text && n.Weight == 0 && *field == textFields[0] {
			return &Pattern{Words: strings.Join(strings.Fields(n.Text), " ")}, nil
		}
	case *Predicate:
		if *field == "" {
			*field = n.Field
		}
		if p, err := n.Pattern(); n.OnText() && (n.Op == Equal || n.Op == Match) && n.Field == *field && err == nil {
			return p, nil
		}
	case *Or:
		parts := make([]*Pattern, len(n.Parts))
		for i, part := range n.Parts {
			if parts[i], bad = PatternOf(part, field); bad != nil {
				return nil, bad
			}
		}
		return AnyPattern(parts...), nil
	}
	return nil, n
}
