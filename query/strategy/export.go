package strategy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Dialects are the languages that Export prints.
var Dialects = []string{"pubmed", "ovid"}

// Export prints a formula as a search in one of the Dialects, and what that cannot express. The
// text is empty if nothing of the formula can be expressed.
func Export(n query.Node, dialect string) (text string, lost []string) {
	w := &writer{pubmed: dialect == "pubmed"}
	return w.node(n, false), w.lost
}

type writer struct {
	pubmed bool
	lost   []string
}

func (w *writer) lose(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.lost, text) {
		w.lost = append(w.lost, text)
	}
}

// op prints an operator: Ovid has them in lower case.
func (w *writer) op(name string) string {
	if w.pubmed {
		return " " + name + " "
	}
	return " " + strings.ToLower(name) + " "
}

// join prints parts, without those that are empty.
func (w *writer) join(texts []string, op string, grouped bool) string {
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	text := strings.Join(texts, w.op(op))
	if grouped && len(texts) > 1 {
		return "(" + text + ")"
	}
	return text
}

func (w *writer) node(n query.Node, grouped bool) string {
	each := func(parts []query.Node) (texts []string) {
		for _, part := range parts {
			texts = append(texts, w.node(part, true))
		}
		return texts
	}
	switch n := n.(type) {
	case *query.Atom:
		if n.Kind != query.Text {
			w.lose("%s: an example has no words", n)
			return ""
		}
		w.lose("%s: words are searched as they are, not by meaning", n)
		return w.pattern("text", &query.Pattern{Words: n.Text})
	case *query.Predicate:
		return w.predicate(n)
	case *query.Not:
		w.lose("NOT without anything before it: %s", n)
	case *query.And:
		var wanted, refused []string
		for _, part := range n.Parts {
			if not, ok := part.(*query.Not); ok {
				refused = append(refused, w.node(not.X, true))
			} else {
				wanted = append(wanted, w.node(part, true))
			}
		}
		text := w.join(wanted, "AND", len(refused) > 0)
		if refused := w.join(refused, "OR", true); refused != "" && text == "" {
			w.lose("NOT without anything before it: %s", n)
		} else if refused != "" {
			text += w.op("NOT") + refused
		}
		if grouped && len(n.Parts) > 1 {
			return "(" + text + ")"
		}
		return text
	case *query.Or:
		return w.join(each(n.Parts), "OR", grouped)
	case *query.AtLeast:
		if ways := n.Ways(); ways != nil {
			return w.join(each(ways), "OR", grouped)
		}
		w.lose("%s: too many combinations", n)
	}
	return ""
}

// predicate prints a pattern, a heading or a year.
func (w *writer) predicate(n *query.Predicate) string {
	if n.OnText() && query.IsTextField(n.Field) {
		if p, err := n.Pattern(); err == nil {
			return w.pattern(n.Field, p)
		}
	}
	year, err := strconv.Atoi(n.Value)
	switch {
	case n.Field == "mesh" && (n.Op == query.Equal || n.Op == query.Match):
		if p, err := n.Pattern(); err == nil {
			return w.headings(p)
		}
	case n.Field == "year" && err == nil && w.pubmed:
		from, to := year, year
		switch n.Op {
		case query.Greater:
			from, to = year+1, 3000
		case query.GreaterEqual:
			to = 3000
		case query.Less:
			from, to = 1000, year-1
		case query.LessEqual:
			from = 1000
		}
		return fmt.Sprintf("%d:%d[dp]", from, to)
	}
	w.lose("%s: there is no such field", n)
	return ""
}

// headings prints alternatives of MeSH headings.
func (w *writer) headings(p *query.Pattern) string {
	if p.Words == "" {
		if p.Within > 0 {
			w.lose("%s: headings have no proximity", p)
			return ""
		}
		var texts []string
		for _, part := range p.Parts {
			texts = append(texts, w.headings(part))
		}
		return w.join(texts, "OR", true)
	}
	words := strings.Trim(p.Words, `"`)
	if w.pubmed {
		return `"` + words + `"[MeSH Terms]`
	}
	return "exp " + words + "/"
}

// pattern prints a pattern with its field.
func (w *writer) pattern(field string, p *query.Pattern) string {
	if !w.pubmed {
		text := w.ovid(p, p.Words == "")
		return text + map[string]string{"text": ".ti,ab.", "title": ".ti.", "abstract": ".ab."}[field]
	}
	tag := "[tiab]"
	switch field {
	case "title":
		tag = "[ti]"
	case "abstract":
		w.lose("abstract: PubMed searches titles too")
	}
	if p.Words != "" {
		return w.words(p.Words) + tag
	}
	if p.Within == 0 {
		var texts []string
		for _, part := range p.Parts {
			texts = append(texts, w.pattern(field, part))
		}
		return w.join(texts, "OR", true)
	}
	// PubMed has proximity of plain words, in any order, and counts the words between them.
	a, b := p.Parts[0].Words, p.Parts[1].Words
	if p.Ordered {
		w.lose("%s: the order", p)
	}
	if plain := a + " " + b; a != "" && b != "" && !strings.ContainsAny(plain, `*?"`) && len(strings.Fields(plain)) == 2 {
		return fmt.Sprintf(`"%s"%s:~%d]`, plain, strings.TrimSuffix(tag, "]"), p.Within-1)
	}
	w.lose("%s: PubMed knows the distance of two plain words only; exported as AND", p)
	return w.join([]string{w.pattern(field, p.Parts[0]), w.pattern(field, p.Parts[1])}, "AND", true)
}

// words prints words for PubMed, which knows truncation at the end of a word.
func (w *writer) words(text string) string {
	words := strings.Fields(strings.ReplaceAll(text, `"`, " "))
	for i, word := range words {
		if !query.IsTruncated(word) {
			words[i] = strings.NewReplacer("*", "", "?", "").Replace(word)
			continue
		}
		if at := strings.IndexAny(word, "*?"); at < len(word)-1 {
			w.lose("%s: PubMed truncates words at the end only", word)
			words[i] = word[:at] + "*"
		}
		if len(words[i]) < 5 {
			w.lose("%s: PubMed truncates after four letters or more", word)
		}
	}
	if text = strings.Join(words, " "); len(words) > 1 {
		return `"` + text + `"`
	}
	return text
}

// ovid prints a pattern without its field.
func (w *writer) ovid(p *query.Pattern, grouped bool) string {
	if p.Words != "" {
		words := strings.Fields(strings.ReplaceAll(p.Words, `"`, " "))
		for i, word := range words {
			if !query.IsTruncated(word) {
				words[i] = strings.NewReplacer("*", "", "?", "").Replace(word)
			}
			if slices.Contains([]string{"and", "or", "not"}, strings.ToLower(word)) {
				return `"` + strings.Join(words, " ") + `"`
			}
		}
		return strings.Join(words, " ")
	}
	var texts []string
	for _, part := range p.Parts {
		texts = append(texts, w.ovid(part, true))
	}
	op := "OR"
	if p.Within > 0 {
		op = fmt.Sprintf("ADJ%d", p.Within)
		if p.Ordered && p.Within == 1 {
			op = "ADJ"
		} else if p.Ordered {
			w.lose("%s: the order", p)
		}
	}
	return w.join(texts, op, grouped)
}
