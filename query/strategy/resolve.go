package strategy

import (
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// resolve returns a tree, which may have been resolved before, with the fields of documents, and without the parts that cannot be
// carried over; nil if nothing is left.
func (p *reader) resolve(t *tree, field string, negated bool) *tree {
	if t == nil {
		return nil
	}
	if t.field != "" {
		field = t.field
	}
	if t.op == "" {
		out := p.term(t, field)
		if negated && out != nil && out.guessed {
			p.lose("NOT %s: it would exclude texts that only mention it", t.words)
			return nil
		}
		return out
	}
	var parts []*tree
	for i, part := range t.parts {
		x := p.resolve(part, field, negated || t.op == "not" && i > 0)
		switch {
		case x != nil:
			parts = append(parts, x)
		case t.op == "not" && i == 0: // there is nothing to subtract from
			return nil
		}
	}
	if len(parts) == 0 {
		return nil
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &tree{op: t.op, parts: parts, within: t.within, ordered: t.ordered}
}

// term resolves words with a field.
func (p *reader) term(t *tree, field string) *tree {
	var into []string
	for _, code := range strings.Split(field, ",") {
		to := fields[code]
		if p.pubmed && code == "sh" { // a subheading, in Ovid a heading
			to = ""
		}
		switch {
		case field == "":
			to = "text"
			if p.pubmed {
				p.lose("%s has no field: searched in title and text, without PubMed's translation of terms", t.words)
			}
		case to == "":
			p.lose("%s: nothing corresponds to the field %s", t.words, code)
			continue
		}
		into = append(into, to)
	}
	words := strings.Trim(t.words, " ")
	if slices.Contains(into, "heading") {
		if words = headingWords(words); slices.Contains(checkTags, strings.ToLower(words)) {
			p.lose("%s: a check tag, which texts do not mention", t.words)
			return nil
		}
		narrower := ""
		if strings.HasPrefix(t.words, "exp ") || p.pubmed && !strings.Contains(field, "noexp") {
			narrower = ", without narrower headings"
		}
		p.lose("%s: the heading is searched as words%s", t.words, narrower)
	}
	if slices.Contains(into, "type") {
		p.lose("%s: the publication type is searched as words", t.words)
	}
	if len(into) == 0 {
		return nil
	}
	out := &tree{words: p.truncations(words), field: into[0], guessed: t.guessed || slices.Contains(into, "heading") || slices.Contains(into, "type")}
	if slices.ContainsFunc(into, func(to string) bool { return to != into[0] }) || into[0] == "heading" || into[0] == "type" {
		out.field = "text"
	}
	if t.within > 0 { // "a b"[tiab:~3]
		var near *tree
		for word := range strings.FieldsSeq(out.words) {
			next := &tree{words: word, field: out.field}
			if near != nil {
				next = &tree{op: "near", parts: []*tree{near, next}, within: t.within}
			}
			near = next
		}
		return near
	}
	if p.pubmed && field == "" && !strings.Contains(t.words, `"`) && strings.Contains(out.words, " ") {
		all := &tree{op: "and"}
		for word := range strings.FieldsSeq(out.words) {
			all.parts = append(all.parts, &tree{words: word, field: out.field})
		}
		return all
	}
	if out.words == "" {
		return nil
	}
	return out
}

// headingWords returns a heading as texts have it: Anemia, Sickle Cell is sickle cell anemia.
func headingWords(words string) string {
	words = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(words, "exp "), "*"), `" `)
	if last, first, ok := strings.Cut(words, ","); ok && !strings.Contains(first, ",") {
		return strings.TrimSpace(first) + " " + last
	}
	return words
}

// truncations writes truncated words as formulas do.
func (p *reader) truncations(text string) string {
	words := strings.Fields(strings.NewReplacer(`"`, " ", ",", " ", ";", " ").Replace(text))
	for i, word := range words {
		if limited.MatchString(word) {
			p.lose("%s: the number of letters after the truncation", word)
			word = limited.ReplaceAllString(word, "*")
		}
		word = strings.ReplaceAll(word, "$", "*")
		if rest, ok := strings.CutSuffix(word, ":"); ok {
			word = rest + "*"
		}
		if strings.Contains(word, "#") {
			p.lose("%s: # stands for one letter, ? for one or none", word)
			word = strings.ReplaceAll(word, "#", "?")
		}
		if rest, ok := strings.CutSuffix(word, "?"); ok {
			p.lose("%s: ? at the end is carried over as *", word)
			word = rest + "*"
		}
		if strings.ContainsAny(word, "*?") && !query.IsTruncated(word) {
			p.lose("%s: the truncation is after too few letters", word)
			word = strings.NewReplacer("*", "", "?", "").Replace(word)
		}
		words[i] = word
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// pattern returns a tree as one pattern of a field, if it is one.
func (t *tree) pattern(field *string) *query.Pattern {
	switch {
	case t.op == "":
		if *field == "" {
			*field = t.field
		}
		if t.field != *field {
			return nil
		}
		return &query.Pattern{Words: t.words}
	case t.op == "and" || t.op == "not":
		return nil
	}
	var parts []*query.Pattern
	for _, part := range t.parts {
		x := part.pattern(field)
		if x == nil {
			return nil
		}
		parts = append(parts, x)
	}
	if t.op == "near" {
		return &query.Pattern{Parts: parts, Within: t.within, Ordered: t.ordered}
	}
	return query.AnyPattern(parts...)
}

// node returns the formula of a resolved tree.
func (p *reader) node(t *tree) query.Node {
	if t == nil {
		return nil
	}
	field := ""
	if pattern := t.pattern(&field); pattern != nil {
		return query.PatternOn(field, pattern, query.Span{})
	}
	var parts []query.Node
	if t.op == "or" { // the patterns of each field are one
		at := map[string]int{}
		for _, part := range t.parts {
			field := ""
			pattern := part.pattern(&field)
			if pattern == nil {
				parts = append(parts, p.node(part))
			} else if i, ok := at[field]; ok {
				before, _ := parts[i].(*query.Predicate).Pattern()
				parts[i] = query.PatternOn(field, query.AnyPattern(before, pattern), query.Span{})
			} else {
				at[field] = len(parts)
				parts = append(parts, query.PatternOn(field, pattern, query.Span{}))
			}
		}
		return query.AnyOf(parts...)
	}
	for _, part := range t.parts {
		parts = append(parts, p.node(part))
	}
	switch t.op {
	case "not":
		return query.AllOf(parts[0], &query.Not{X: parts[1]})
	case "near":
		p.lose("proximity of formulas: carried over as AND")
	}
	return query.AllOf(parts...)
}
