// Package strategy reads search strategies of PubMed and Ovid as formulas, and prints formulas as
// such strategies. Both report what the other language cannot express.
package strategy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// MaxBytes is the largest strategy that Import reads, and maxFormula the largest formula of a line.
const MaxBytes, maxFormula = 1 << 20, 1 << 16

// Line is a line of a strategy.
type Line struct {
	Number int        `json:"number"`
	Text   string     `json:"text"`
	Node   query.Node `json:"-"`              // nil if nothing of the line could be carried over
	Lost   []string   `json:"lost,omitempty"` // what could not, or not exactly

	strict query.Node // without headings and publication types, for NOT
}

var (
	numbered  = regexp.MustCompile(`^#?(\d{1,3})(?:[.:)]\s*|\s+)(.+?)(?:\s+\(\d[\d,]*\))?$`) // without the number of hits
	spaced    = regexp.MustCompile(`\.((?:[a-z]{2}, *)+[a-z]{2})\.`)
	token     = regexp.MustCompile(`[()]|"[^"]*"|\[[^\]]*\]|[^\s()"[\]]+`)
	tag       = regexp.MustCompile(`\[([A-Za-z][^\]:]*(?::[a-z]+)?)(?::~(\d{1,4}))?\]`)
	suffix    = regexp.MustCompile(`^(.*)\.((?:[a-z]{2})(?:,[a-z]{2})*)\.?$`)
	heading   = regexp.MustCompile(`^(.*)/(?:[a-z]{2},?)?$`)
	lineList  = regexp.MustCompile(`^(?i)(or|and)/([\d,-]+)$`)
	nearWords = regexp.MustCompile(`^(?i)(?:(adj|near)/?|(next|pre)/?|w/)(\d*)$`)
	limited   = regexp.MustCompile(`[*$]\d+$`)
	lineLimit = regexp.MustCompile(`^(?i)(?:limit\s+(\d+)\s+to\s+(.+)|remove duplicates from\s+(\d+)|from\s+(\d+)\s+keep\s.+|(\d+)\s+use\s+\w+)$`)
	ruler     = regexp.MustCompile(`^[-*=_]{3,}$`)
	history   = regexp.MustCompile(`^(?:Search: *)?(.*?)((?: *\b(?:Filters|Sort by): .*)?)$`) // a query in PubMed's history
)

// fields are the parts of documents that the fields of PubMed and Ovid stand for, and headings and
// publication types, which are searched as words. Others are not carried over.
var fields = map[string]string{
	"ti": "title", "title": "title", "ab": "abstract", "abstract": "abstract",
	"tw": "text", "tiab": "text", "title/abstract": "text", "text word": "text", "all fields": "text", "all": "text", "mp": "text", "af": "text",
	"kw": "text", "kf": "text", "ot": "text", "nm": "text", "other term": "text", "supplementary concept": "text",
	"mh": "heading", "mesh": "heading", "mesh terms": "heading", "majr": "heading", "mesh major topic": "heading", "hw": "heading", "sh": "heading",
	"mh:noexp": "heading", "mesh:noexp": "heading", "mesh terms:noexp": "heading", "majr:noexp": "heading",
	"pt": "publication type", "publication type": "publication type",
}

// foreign are fields of Ovid that are not carried over. The list tells .la. from the end of U.S.
var foreign = []string{"fs", "xs", "la", "au", "jn", "jw", "so", "in", "rn", "ps", "px", "yr", "dp"}

// checkTags are headings that say nothing about a topic. As words they would do harm: texts about
// people do not say so.
var checkTags = []string{"animal", "animals", "human", "humans", "male", "female", "adult", "child", "aged", "middle aged", "adolescent", "infant"}

// Import reads a strategy: numbered lines that refer to each other, or one query of any number of
// lines. The formula of the last line is that of the strategy.
func Import(text string) ([]Line, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("the strategy has %d bytes, at most %d are read", len(text), MaxBytes)
	}
	text = strings.NewReplacer("“", `"`, "”", `"`, "\r", "").Replace(text)
	lines := []Line{{}} // the first is the text before line 1
	for text := range strings.SplitSeq(text, "\n") {
		last := &lines[len(lines)-1]
		text = strings.TrimSpace(text)
		if ruler.MatchString(text) {
			continue
		}
		if found := numbered.FindStringSubmatch(text); found != nil && found[1] == strconv.Itoa(len(lines)) {
			lines = append(lines, Line{Number: len(lines), Text: found[2]})
		} else {
			last.Text = strings.TrimSpace(last.Text + " " + text)
		}
	}
	switch before := lines[0].Text; {
	case len(lines) == 1 && before == "":
		return nil, errors.New("the strategy is empty")
	case len(lines) == 1:
		lines[0].Number = 1
	default:
		if lines = lines[1:]; before != "" {
			lines[0].Lost = []string{"text before line 1: " + before}
		}
	}
	pubmed := slices.ContainsFunc(tag.FindAllStringSubmatch(text, -1), func(found []string) bool { return fields[strings.ToLower(found[1])] != "" })
	for i := range lines {
		line := &lines[i]
		var err error
		if line.strict, err = (&reader{line: &Line{Text: line.Text}, earlier: lines[:i], pubmed: pubmed, strict: true}).read(); err == nil {
			line.Node, err = (&reader{line: line, earlier: lines[:i], pubmed: pubmed}).read()
		}
		if err == nil && line.Node != nil && len(line.Node.String()) > maxFormula { // lines may repeat each other
			err = fmt.Errorf("its formula has more than %d bytes", maxFormula)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d, %.200q: %w", line.Number, line.Text, err)
		}
	}
	return lines, nil
}

// reader reads a line. Its methods return nil for what is not carried over.
type reader struct {
	line    *Line
	earlier []Line
	tokens  []string
	pubmed  bool
	strict  bool // leave out headings and publication types
	depth   int
}

func (p *reader) lose(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.line.Lost, text) {
		p.line.Lost = append(p.line.Lost, text)
	}
}

func (p *reader) read() (query.Node, error) {
	text := p.line.Text
	if found := history.FindStringSubmatch(text); p.pubmed && found != nil {
		if text = found[1]; found[2] != "" {
			p.lose("%s", strings.TrimSpace(found[2]))
		}
	}
	p.tokens = token.FindAllString(spaced.ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, " ", "") }), -1)
	if !p.pubmed { // Ovid explains subheadings in brackets
		p.tokens = slices.DeleteFunc(p.tokens, func(t string) bool { return t[0] == '[' })
	}
	if limit := lineLimit.FindStringSubmatch(p.line.Text); limit != nil {
		if p.tokens = []string{limit[1] + limit[3] + limit[4] + limit[5]}; limit[2] != "" {
			p.lose("limit to %s", limit[2])
		} else {
			p.lose("%s: read as line %s", p.line.Text, p.tokens[0])
		}
	}
	n, err := p.expression("")
	if err == nil && len(p.tokens) > 0 {
		err = fmt.Errorf("found %s without what belongs before it", p.tokens[0])
	}
	return n, err
}

// next removes the next token.
func (p *reader) next() string {
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

// operator returns the operator that the next token is. PubMed has AND, OR and NOT in capitals.
func (p *reader) operator() string {
	if len(p.tokens) == 0 {
		return ""
	}
	t := p.tokens[0]
	if found := nearWords.FindStringSubmatch(t); found != nil && (found[3] != "" || !p.pubmed && found[1]+found[2] != "") {
		return "NEAR"
	}
	if op := strings.ToUpper(t); slices.Contains([]string{"AND", "OR", "NOT"}, op) && (!p.pubmed || t == op) {
		return op
	}
	return ""
}

// expression reads operands in a field from left to right, as PubMed does; proximity binds
// tighter. Operands without an operator are joined by AND.
func (p *reader) expression(field string) (query.Node, error) {
	if p.depth++; p.depth > query.MaxDepth {
		return nil, fmt.Errorf("parentheses are nested more than %d deep", query.MaxDepth)
	}
	defer func() { p.depth-- }()
	first, err := p.near(field)
	parts, before := []query.Node{first}, ""
	for err == nil && len(p.tokens) > 0 && p.tokens[0] != ")" {
		op := p.operator()
		if op == "" {
			op = "AND"
		} else {
			p.next()
		}
		if before != "" && before != op {
			p.lose("%s and %s without parentheses: read from left to right", before, op)
		}
		if before != op || op == "NOT" {
			parts = []query.Node{joined(before, parts)}
		}
		strict := p.strict
		p.strict = strict || op == "NOT"
		var n query.Node
		n, err = p.near(field)
		parts, before, p.strict = append(parts, n), op, strict
	}
	return joined(before, parts), err
}

// joined joins parts, without those that are nil. The alternatives in a field become one pattern.
func joined(op string, parts []query.Node) query.Node {
	if op == "NOT" && parts[0] != nil && parts[1] != nil {
		return query.AllOf(parts[0], &query.Not{X: parts[1]})
	}
	var out []query.Node
	at := map[string]int{}
	for _, part := range parts {
		field := ""
		switch pattern, bad := query.PatternOf(part, &field); {
		case part == nil:
			if op == "NOT" { // without the first there is nothing, without the second all of the first
				return parts[0]
			}
		case op != "OR" || bad != nil:
			out = append(out, part)
		case out == nil || at[field] == 0:
			out = append(out, part)
			at[field] = len(out)
		default:
			i := at[field] - 1
			before, _ := query.PatternOf(out[i], &field)
			out[i] = query.PatternOn(field, query.AnyPattern(before, pattern), query.Span{})
		}
	}
	if op == "OR" {
		return query.AnyOf(out...)
	}
	return query.AllOf(out...)
}

func (p *reader) near(field string) (query.Node, error) {
	left, err := p.operand(field)
	for err == nil && p.operator() == "NEAR" {
		found := nearWords.FindStringSubmatch(p.next())
		near := &query.Pattern{Ordered: found[2] != "" || strings.EqualFold(found[1], "adj") && found[3] == ""}
		if near.Within, _ = strconv.Atoi(found[3]); found[3] == "" && strings.EqualFold(found[1], "near") {
			near.Within = 6 // in the Cochrane Library
		}
		near.Within = min(max(near.Within, 1), query.MaxWithin)
		var right query.Node
		if right, err = p.operand(field); err != nil || left == nil || right == nil {
			left = joined("AND", []query.Node{left, right})
			continue
		}
		in := ""
		a, badLeft := query.PatternOf(left, &in)
		b, badRight := query.PatternOf(right, &in)
		if near.Parts = []*query.Pattern{a, b}; badLeft != nil || badRight != nil {
			p.lose("proximity of formulas: carried over as AND")
			left = query.AllOf(left, right)
		} else {
			left = query.PatternOn(in, near, query.Span{})
		}
	}
	return left, err
}

// operand reads a group, a reference to lines, a heading or words, with the field after it.
func (p *reader) operand(field string) (query.Node, error) {
	switch {
	case len(p.tokens) == 0:
		return nil, errors.New("it ends where words are expected")
	case p.tokens[0] == "(":
		return p.group(field)
	case p.tokens[0] == ")" || p.operator() != "":
		return nil, fmt.Errorf("found %s where words are expected", p.tokens[0])
	}
	if list := lineList.FindStringSubmatch(p.tokens[0]); list != nil {
		p.next()
		return p.lines(strings.ToUpper(list[1]), list[2])
	}
	var words []string
	own, within := "", 0
	for own == "" && len(p.tokens) > 0 && p.operator() == "" && p.tokens[0] != "(" && p.tokens[0] != ")" {
		t := p.next()
		if found := tag.FindStringSubmatch(t); found != nil {
			own = strings.ToLower(found[1])
			if between, err := strconv.Atoi(found[2]); err == nil {
				within = min(between+1, query.MaxWithin)
			}
		} else if found := suffix.FindStringSubmatch(t); found != nil && areFields(found[2]) {
			words, own = append(words, found[1]), found[2]
		} else if found := heading.FindStringSubmatch(t); found != nil && !p.pubmed && (strings.HasSuffix(t, "/") || mayBeHeading(append(words, t)[0])) {
			words, own = append(words, found[1]), "hw"
			for strings.HasSuffix(t, ",") && len(p.tokens) > 0 { // subheadings, as in Stroke/dt, th
				t = p.next()
			}
		} else {
			words = append(words, t)
		}
	}
	text := strings.TrimSpace(strings.Join(words, " "))
	if n := strings.TrimPrefix(text, "#"); own == "" && n != "" && strings.Trim(n, "0123456789") == "" && len(p.earlier) > 0 {
		return p.lines("OR", n)
	}
	if text == "" {
		return nil, fmt.Errorf("found the field %s without words", own)
	}
	if p.pubmed && own == "" && strings.EqualFold(text, "hasabstract") {
		p.lose("%s: a filter of PubMed", text)
		return nil, nil
	}
	if own == "" {
		own = field
	}
	return p.term(text, own, within), nil
}

// mayBeHeading tells Stroke/dt from and/or.
func mayBeHeading(first string) bool {
	return first == "exp" || strings.ToLower(first) != first || strings.HasPrefix(first, "*")
}

func areFields(codes string) bool {
	return !slices.ContainsFunc(strings.Split(codes, ","), func(code string) bool { return fields[code] == "" && !slices.Contains(foreign, code) })
}

// group reads a group. Its field stands after it.
func (p *reader) group(field string) (query.Node, error) {
	depth := 0
	end := slices.IndexFunc(p.tokens, func(t string) bool {
		depth += map[string]int{"(": 1, ")": -1}[t]
		return depth == 0
	})
	if end < 0 {
		return nil, errors.New("a ( is never closed")
	}
	hasField := false
	if end+1 < len(p.tokens) {
		if found := suffix.FindStringSubmatch(p.tokens[end+1]); found != nil && found[1] == "" && areFields(found[2]) {
			field, hasField = found[2], true
		}
	}
	p.next()
	n, err := p.expression(field)
	if err != nil {
		return nil, err
	}
	if p.next(); hasField { // after the parenthesis
		p.next()
	}
	return n, nil
}

// lines returns the lines of a list such as 1-3,5.
func (p *reader) lines(op, list string) (query.Node, error) {
	var parts []query.Node
	for part := range strings.SplitSeq(strings.Trim(list, ",-"), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first < 1 || last < first || last > len(p.earlier) {
			return nil, fmt.Errorf("there are no lines %s before it", part)
		}
		for _, line := range p.earlier[first-1 : last] {
			n := line.Node
			if p.strict {
				if n = line.strict; fmt.Sprint(n) != fmt.Sprint(line.Node) {
					p.lose("NOT line %d: without headings and publication types, which would exclude texts that only mention them", line.Number)
				}
			}
			parts = append(parts, n)
		}
	}
	return joined(op, parts), nil
}

// term returns words in a field.
func (p *reader) term(text, field string, within int) query.Node {
	into := map[string]bool{}
	for code := range strings.SplitSeq(field, ",") {
		to := fields[code]
		if p.pubmed && code == "sh" { // a subheading, in Ovid a heading
			to = ""
		}
		if field == "" {
			to = "text"
		}
		if to == "" {
			p.lose("%s: nothing corresponds to the field %s", text, code)
		} else {
			into[to] = true
		}
	}
	words := strings.Trim(text, " ")
	switch {
	case len(into) == 0:
		return nil
	case into["heading"]:
		if words = headingWords(text); slices.Contains(checkTags, strings.ToLower(words)) {
			p.lose("%s: a check tag, which texts do not mention", text)
			return nil
		}
		narrower := ""
		if strings.HasPrefix(text, "exp ") || p.pubmed && !strings.Contains(field, "noexp") {
			narrower = ", without narrower headings"
		}
		p.lose("%s: the heading is searched as words%s", text, narrower)
	case into["publication type"]:
		p.lose("%s: the publication type is searched as words", text)
	}
	if p.strict && (into["heading"] || into["publication type"]) {
		p.lose("NOT %s: it would exclude texts that only mention it", text)
		return nil
	}
	if p.pubmed && field == "" {
		p.lose("%s has no field: searched in title and text, without PubMed's translation of terms", text)
	}
	in := "text"
	if len(into) == 1 && into["title"] {
		in = "title"
	} else if len(into) == 1 && into["abstract"] {
		in = "abstract"
	}
	each := strings.Fields(p.truncated(words))
	separate := within > 0 || p.pubmed && field == "" && !strings.Contains(text, `"`)
	if len(each) == 0 {
		return nil
	}
	if !separate {
		each = []string{strings.Join(each, " ")}
	}
	var parts []query.Node
	near := &query.Pattern{Words: each[0]}
	for i, word := range each {
		parts = append(parts, query.PatternOn(in, &query.Pattern{Words: word}, query.Span{}))
		if i > 0 {
			near = &query.Pattern{Parts: []*query.Pattern{near, {Words: word}}, Within: within}
		}
	}
	if within > 0 { // "a b"[tiab:~3]
		return query.PatternOn(in, near, query.Span{})
	}
	return query.AllOf(parts...)
}

// headingWords returns a heading as texts have it: Anemia, Sickle Cell is sickle cell anemia.
func headingWords(words string) string {
	words = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(words, "exp "), "*"), `" `)
	if last, first, ok := strings.Cut(words, ","); ok && !strings.Contains(first, ",") {
		return strings.TrimSpace(first) + " " + last
	}
	return words
}

// truncated writes truncated words as formulas do.
func (p *reader) truncated(text string) string {
	words := strings.Fields(strings.NewReplacer(`"`, " ", ",", " ", ";", " ", "$", "*").Replace(text))
	for i, word := range words {
		old := word
		word = limited.ReplaceAllString(word, "*")
		if rest, ok := strings.CutSuffix(word, ":"); ok {
			word = rest + "*"
		} else if word = strings.ReplaceAll(word, "#", "?"); strings.HasSuffix(word, "?") {
			word = strings.TrimSuffix(word, "?") + "*"
		}
		if strings.ContainsAny(word, "*?") && !query.IsTruncated(word) {
			word = strings.NewReplacer("*", "", "?", "").Replace(word)
		}
		if words[i] = word; word != old && !strings.HasSuffix(old, ":") {
			p.lose("%s is carried over as %s", old, word)
		}
	}
	return strings.Join(words, " ")
}
