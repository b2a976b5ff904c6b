// Package strategy reads search strategies of PubMed and Ovid as formulas, and prints formulas as
// such strategies. Both report what the other language cannot express.
package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// MaxBytes is the largest strategy that Import reads.
const MaxBytes = 1 << 20

// Strategy is an imported search strategy.
type Strategy struct {
	Lines []Line `json:"lines"`
}

// Line is a line of a strategy.
type Line struct {
	Number int        `json:"number"`
	Text   string     `json:"text"`
	Node   query.Node `json:"-"`              // nil if nothing of the line could be carried over
	Lost   []string   `json:"lost,omitempty"` // what could not, or not exactly

	tree *tree
}

// Formula returns the last line, which is the result of a strategy.
func (s *Strategy) Formula() query.Node { return s.Lines[len(s.Lines)-1].Node }

// tree is a line before its fields are known: (a or b).ti,ab. names the field after the words.
type tree struct {
	op      string // or, and, not, near, group, or empty for words
	parts   []*tree
	words   string
	field   string
	within  int
	ordered bool
	guessed bool // words that stand for a heading or a publication type
}

var (
	numbered  = regexp.MustCompile(`^\s*#?(\d{1,3})(?:[.:)]\s*|\s+)(.+)$`)
	tagOf     = regexp.MustCompile(`\[[A-Za-z][^\][]*\]`)
	spaced    = regexp.MustCompile(`\.((?:[a-z]{2}, *)+[a-z]{2})\.`)
	token     = regexp.MustCompile(`[()]|"[^"]*"|\[[^\]]*\]|[^\s()"[\]]+`)
	suffix    = regexp.MustCompile(`^(.*)\.((?:[a-z]{2})(?:,[a-z]{2})*)\.?$`)
	heading   = regexp.MustCompile(`^(.*)/(?:[a-z]{2}(?:, ?[a-z]{2})*)?$`)
	lineList  = regexp.MustCompile(`^(?i)(or|and)/([\d,-]+)$`)
	nearWords = regexp.MustCompile(`^(?i)(adj|near|next|pre|w)/?(\d*)$`)
	limited   = regexp.MustCompile(`[*$]\d+$`)
	hits      = regexp.MustCompile(`\s+\(\d[\d,]*\)$`)
	lineLimit = regexp.MustCompile(`^(?i)limit\s+(\d+)\s+to\s+(.+)$`)
)

// fields are the parts of documents that the fields of PubMed and Ovid stand for, and headings and
// publication types, which are searched as words. Others are not carried over.
var fields = map[string]string{
	"ti": "title", "title": "title", "ab": "abstract", "abstract": "abstract",
	"text": "text", "tw": "text", "tiab": "text", "title/abstract": "text", "text word": "text", "all fields": "text", "all": "text", "mp": "text", "af": "text",
	"kw": "text", "kf": "text", "ot": "text", "nm": "text",
	"mh": "heading", "mesh": "heading", "mesh terms": "heading", "mesh:noexp": "heading", "majr": "heading", "mesh major topic": "heading", "sh": "heading", "hw": "heading",
	"pt": "type", "publication type": "type",
}

// checkTags are headings that say nothing about a topic. As words they would do harm: texts about
// people do not say so.
var checkTags = []string{"animal", "animals", "human", "humans", "male", "female", "adult", "child", "aged", "middle aged", "adolescent", "infant"}

// Import reads a strategy: numbered lines that refer to each other, or one query of any number of
// lines.
func Import(text string) (*Strategy, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("the strategy has %d bytes, at most %d are read", len(text), MaxBytes)
	}
	text = strings.NewReplacer("“", `"`, "”", `"`, "\r", "").Replace(text)
	s := &Strategy{}
	var before []string
	for text := range strings.SplitSeq(text, "\n") {
		text = strings.TrimSpace(text)
		found := numbered.FindStringSubmatch(text)
		switch {
		case text == "":
		case found != nil && found[1] == strconv.Itoa(len(s.Lines)+1):
			s.Lines = append(s.Lines, Line{Number: len(s.Lines) + 1, Text: hits.ReplaceAllString(found[2], "")})
		case len(s.Lines) > 0:
			s.Lines[len(s.Lines)-1].Text += " " + text
		default:
			before = append(before, text)
		}
	}
	switch {
	case len(s.Lines) == 0 && before == nil:
		return nil, fmt.Errorf("the strategy is empty")
	case len(s.Lines) == 0:
		s.Lines = []Line{{Number: 1, Text: strings.Join(before, " ")}}
	case before != nil:
		s.Lines[0].Lost = []string{"text before line 1: " + strings.Join(before, " ")}
	}
	pubmed := slices.ContainsFunc(tagOf.FindAllString(text, -1), func(tag string) bool {
		name, _, _ := strings.Cut(strings.ToLower(strings.Trim(tag, "[]")), ":~")
		return fields[name] != ""
	})
	for i := range s.Lines {
		line := &s.Lines[i]
		p := &reader{line: line, earlier: s.Lines[:i], pubmed: pubmed}
		p.tokens = token.FindAllString(spaced.ReplaceAllStringFunc(line.Text, func(s string) string { return strings.ReplaceAll(s, " ", "") }), -1)
		if limit := lineLimit.FindStringSubmatch(line.Text); limit != nil {
			p.lose("limit to %s", limit[2])
			p.tokens = limit[1:2]
		}
		var err error
		if line.tree, err = p.expression(0); err == nil && len(p.tokens) > 0 {
			err = fmt.Errorf("found %s without what belongs before it", p.tokens[0])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d, %q: %w", line.Number, line.Text, err)
		}
		line.tree = p.resolve(line.tree, "", false)
		line.Node = p.node(line.tree)
	}
	return s, nil
}

// reader reads a line.
type reader struct {
	line    *Line
	earlier []Line
	tokens  []string
	pubmed  bool
}

func (p *reader) lose(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.line.Lost, text) {
		p.line.Lost = append(p.line.Lost, text)
	}
}

// operator returns the operator that a token is, with the distance of proximity. PubMed has
// operators in capitals only.
func (p *reader) operator(t string) (op string, within int, ordered bool) {
	if found := nearWords.FindStringSubmatch(t); found != nil && (found[2] != "" || !p.pubmed && !strings.EqualFold(found[1], "w") && !strings.EqualFold(found[1], "pre")) {
		kind := strings.ToLower(found[1])
		within, _ = strconv.Atoi(found[2])
		if found[2] == "" {
			within = map[string]int{"near": 6}[kind]
		}
		return "near", min(max(within, 1), query.MaxWithin), kind == "next" || kind == "pre" || kind == "adj" && found[2] == ""
	}
	if op = strings.ToLower(t); slices.Contains([]string{"and", "or", "not"}, op) && (!p.pubmed || t == strings.ToUpper(t)) {
		return op, 0, false
	}
	return "", 0, false
}

// expression reads operands from left to right, as PubMed does; proximity binds tighter.
func (p *reader) expression(depth int) (*tree, error) {
	if depth > query.MaxDepth {
		return nil, fmt.Errorf("parentheses are nested more than %d deep", query.MaxDepth)
	}
	left, err := p.near(depth)
	for err == nil && len(p.tokens) > 0 && p.tokens[0] != ")" {
		op, _, _ := p.operator(p.tokens[0])
		if op == "" {
			op = "and" // PubMed joins terms by AND
		} else {
			p.tokens = p.tokens[1:]
		}
		var right *tree
		if right, err = p.near(depth); err != nil {
			break
		}
		chain := slices.Contains([]string{"and", "or", "not"}, left.op)
		if chain && left.op != op {
			p.lose("%s and %s without parentheses: read from left to right", strings.ToUpper(left.op), strings.ToUpper(op))
		}
		if chain && left.op == op && op != "not" {
			left = &tree{op: op, parts: append(slices.Clone(left.parts), right)}
		} else {
			left = &tree{op: op, parts: []*tree{left, right}}
		}
	}
	return left, err
}

func (p *reader) near(depth int) (*tree, error) {
	left, err := p.primary(depth)
	for err == nil && len(p.tokens) > 0 {
		op, within, ordered := p.operator(p.tokens[0])
		if op != "near" {
			break
		}
		p.tokens = p.tokens[1:]
		var right *tree
		if right, err = p.primary(depth); err == nil {
			left = &tree{op: op, parts: []*tree{left, right}, within: within, ordered: ordered}
		}
	}
	return left, err
}

// primary reads a group, a reference to lines, a heading or words, with the field after it.
func (p *reader) primary(depth int) (*tree, error) {
	if len(p.tokens) == 0 {
		return nil, fmt.Errorf("it ends where words are expected")
	}
	first := p.tokens[0]
	op, _, _ := p.operator(first)
	switch {
	case first == "(":
		p.tokens = p.tokens[1:]
		inner, err := p.expression(depth + 1)
		if err != nil {
			return nil, err
		}
		if len(p.tokens) == 0 {
			return nil, fmt.Errorf("a ( is never closed")
		}
		p.tokens = p.tokens[1:]
		group := &tree{op: "group", parts: []*tree{inner}}
		if len(p.tokens) > 0 && strings.HasPrefix(p.tokens[0], ".") {
			group.field = strings.Trim(p.tokens[0], ".")
			p.tokens = p.tokens[1:]
		}
		return group, nil
	case op != "" || first == ")":
		return nil, fmt.Errorf("found %s where words are expected", first)
	}
	if list := lineList.FindStringSubmatch(first); list != nil {
		p.tokens = p.tokens[1:]
		return p.lines(strings.ToLower(list[1]), list[2])
	}
	var words []string
	t := &tree{}
	for len(p.tokens) > 0 && t.field == "" {
		next := p.tokens[0]
		if op, _, _ := p.operator(next); op != "" || next == "(" || next == ")" {
			break
		}
		p.tokens = p.tokens[1:]
		if strings.HasPrefix(next, "[") && !p.pubmed { // Ovid explains subheadings so
			continue
		} else if tag := strings.ToLower(strings.Trim(next, "[]")); strings.HasPrefix(next, "[") {
			name, distance, _ := strings.Cut(strings.ReplaceAll(tag, " terms:", ":"), ":~")
			if n, err := strconv.Atoi(distance); err == nil { // words between, in any order
				t.within = min(max(n, 0)+1, query.MaxWithin)
			}
			t.field = name
		} else if found := suffix.FindStringSubmatch(next); found != nil && known(found[2]) {
			words, t.field = append(words, found[1]), found[2]
		} else if found := heading.FindStringSubmatch(next); found != nil && !p.pubmed && (strings.HasSuffix(next, "/") || isHeading(append(words, next)[0])) {
			words, t.field = append(words, found[1]), "sh"
		} else {
			words = append(words, next)
		}
	}
	t.words = strings.TrimSpace(strings.Join(words, " "))
	if n, err := strconv.Atoi(strings.TrimLeft(t.words, "#sS")); err == nil && t.field == "" && n >= 1 && n <= len(p.earlier) {
		return p.lines("or", strconv.Itoa(n))
	}
	if t.words == "" {
		return nil, fmt.Errorf("found the field %s without words", t.field)
	}
	return t, nil
}

// isHeading reports whether words that start so may be a heading with a subheading, as in
// Stroke/dt; and/or is none.
func isHeading(first string) bool {
	return first == "exp" || strings.ToLower(first) != first || strings.HasPrefix(first, "*")
}

// known reports whether all codes are fields of Ovid, so that U.S. is text.
func known(codes string) bool {
	return !slices.ContainsFunc(strings.Split(codes, ","), func(code string) bool {
		return fields[code] == "" && !slices.Contains([]string{"fs", "xs", "la", "au", "jn", "jw", "so", "in", "rn", "ps", "px", "yr", "dp"}, code)
	})
}

// lines returns the lines of a list such as 1-3,5.
func (p *reader) lines(op, list string) (*tree, error) {
	t := &tree{op: op}
	for part := range strings.SplitSeq(strings.Trim(list, ",-"), ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if isRange && err == nil {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 1 || last < first || last > len(p.earlier) {
			return nil, fmt.Errorf("there are no lines %s before it", part)
		}
		for i := first; i <= last; i++ {
			t.parts = append(t.parts, &tree{op: "group", parts: []*tree{p.earlier[i-1].tree}})
		}
	}
	if len(t.parts) == 1 {
		return t.parts[0], nil
	}
	return t, nil
}
