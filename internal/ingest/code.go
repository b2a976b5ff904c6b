package ingest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/nsfl-go/nsfl/passage"
)

// Patterns of generated code.
var (
	generated = regexp.MustCompile(`(?mi)^[\s/*#;<!-]*(code generated .*do not edit|@generated|(this file (is|was|has been) )?(auto-?|automatically )generated)`)
	license   = regexp.MustCompile(`(?i)copyright|spdx-license|licensed under|all rights reserved`)
	directive = regexp.MustCompile(`^\s*(?:go:|nolint|noqa|eslint|pylint|type: ignore|@ts-|prettier-|clang-|\+build|cgo |line |-\*-|vim:)`)
)

// read makes a document of source code: its comments, declarations and names. Declarations
// become headings, and the comment before a declaration goes below its heading.
func (l *language) read(b *budget, content []byte) (draft, error) {
	source := strings.ReplaceAll(string(content), "\r\n", "\n")
	if strings.HasPrefix(source, "#!") { // interpreter line
		_, source, _ = strings.Cut(source, "\n")
		source = "\n" + source
	}
	if err := checkCode(source); err != nil {
		return draft{}, err
	}
	c := coder{language: l, budget: b, lexed: l.lex(b, source)}
	for number := 1; number <= len(c.code) && b.spend(0, 0); number++ {
		c.line(number)
	}
	c.flushComment()
	c.flushNames()
	return draft{blocks: c.blocks, metadata: map[string]any{"language": l.name}}, b.err
}

func checkCode(source string) error {
	const longLine, head = 1000, 4000
	if generated.MatchString(source[:min(len(source), head)]) {
		return unusable(Generated, "it says that a program has written it")
	}
	long := 0
	for line := range strings.SplitSeq(source, "\n") {
		if len(line) > longLine {
			long += len(line)
		}
	}
	if 2*long > len(source) {
		return unusable(Generated, "most of it stands in lines of more than %d characters: a program has written it", longLine)
	}
	return nil
}

// coder turns a source file into blocks, one line at a time.
type coder struct {
	*language
	lexed
	budget *budget
	blocks []passage.Block

	comment []remark // lines of the current comment
	names   []string // since the last declaration
	begin   int      // line of the first name; 0 if there is none
	seen    map[string]bool
}

func (c *coder) line(number int) {
	code := c.code[number-1]
	declared := c.isDeclared(code)
	if declared {
		c.declared(number, code)
	}
	for len(c.remarks) > 0 && c.remarks[0].line == number {
		r := c.remarks[0]
		c.remarks = c.remarks[1:]
		goesOn := len(c.comment) > 0 && r.alone && !r.doc && r.line == c.lastLine()+1
		if !goesOn {
			c.flushComment()
		}
		if c.comment = append(c.comment, r); !r.alone || r.doc {
			c.flushComment()
		}
	}
	if !declared && strings.TrimSpace(code) != "" {
		c.flushComment() // the comment describes this line, not a declaration
		c.addNames(number, code)
	}
	for len(c.said) > 0 && c.said[0].line <= number {
		if text := passage.OneLine(c.said[0].text); isText(text) && len(text) < 500 {
			c.add(number, "“"+text+"”")
		}
		c.said = c.said[1:]
	}
}

// lastLine returns the last line of the current comment.
func (c *coder) lastLine() int {
	last := c.comment[len(c.comment)-1]
	return last.line + strings.Count(last.text, "\n")
}

func (c *coder) isDeclared(code string) bool {
	return c.declare.MatchString(code) && !notDeclared.MatchString(code)
}

func (c *coder) declared(number int, code string) {
	c.flushNames()
	if len(c.comment) > 0 && c.lastLine() < number-1 {
		c.flushComment()
	}
	level := 1
	if strings.TrimLeft(code, " \t") != code {
		level = 2
	}
	signature := code
	for i := number; i < min(len(c.code), number+4) && strings.Count(signature, "(") > strings.Count(signature, ")"); i++ {
		signature += " " + c.code[i]
	}
	const longest = 200
	signature = strings.TrimRight(passage.OneLine(signature), " {:=")
	if len(signature) > longest {
		signature = strings.ToValidUTF8(signature[:longest], "") + " …"
	}
	c.blocks = append(c.blocks, passage.Block{Kind: passage.Heading, Rows: []string{signature}, Level: level, Line: number})
	c.flushComment() // the comment right before the declaration
	c.addNames(number, code)
}

// flushComment adds the text of the current comment.
func (c *coder) flushComment() {
	if len(c.comment) == 0 {
		return
	}
	begin := c.comment[0].line
	var lines []string
	for _, r := range c.comment {
		for line := range strings.SplitSeq(r.text, "\n") {
			line = strings.TrimPrefix(strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "*/#!<")), "-- ")
			if directive.MatchString(line) || !strings.ContainsFunc(line, unicode.IsLetter) {
				line = ""
			}
			lines = append(lines, line)
		}
	}
	c.comment = nil
	text := strings.Join(lines, "\n")
	if len(c.blocks) == 0 && license.MatchString(text) {
		return
	}
	for _, b := range c.budget.blocks(text) {
		b.Line += begin - 1
		c.blocks = append(c.blocks, b)
	}
}

var identifier = regexp.MustCompile(`[\p{L}_$][\p{L}\p{N}_$]*`)

// addNames records the names in a line of code; a name of several words is followed by its
// words.
func (c *coder) addNames(number int, code string) {
	for _, name := range identifier.FindAllString(code, -1) {
		words := wordsIn(name)
		switch {
		case len(words) > 1:
			c.add(number, name+" "+strings.ToLower(strings.Join(words, " ")))
		case len(name) > 3 && !keywords[strings.ToLower(name)]:
			c.add(number, name)
		}
	}
}

func (c *coder) add(number int, s string) {
	const most = 30 // names per declaration
	if c.begin == 0 {
		c.begin, c.seen = number, map[string]bool{}
	}
	if !c.seen[s] && len(c.names) < most {
		c.seen[s] = true
		c.names = append(c.names, s)
	}
}

func (c *coder) flushNames() {
	const together = 12 // names per row, which keeps long lists divisible
	if len(c.names) > 0 {
		var rows []string
		for names := range slices.Chunk(c.names, together) {
			rows = append(rows, strings.Join(names, ", "))
		}
		c.blocks = append(c.blocks, passage.Block{Kind: passage.Rows, Rows: rows, Line: c.begin})
	}
	c.names, c.begin = nil, 0
}

// wordsIn splits a name into words: maxRetries, MAX_RETRIES, HTTPServer.
func wordsIn(name string) []string {
	var words []string
	var now []rune
	runes := []rune(name)
	flush := func() {
		if len(now) > 0 {
			words = append(words, string(now))
		}
		now = nil
	}
	for i, r := range runes {
		switch {
		case r == '_' || r == '$':
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		}
		now = append(now, r)
	}
	flush()
	return words
}

// isText reports whether a string is meant for people: it has several words of letters.
func isText(s string) bool {
	words := 0
	for w := range strings.FieldsSeq(s) {
		if len(w) > 1 && strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz.,;:!?'()") == "" {
			words++
		}
	}
	return words > 2 && 2*words > len(strings.Fields(s))
}

var keywords = setOf(strings.Fields(`abstract assert async await bool boolean break byte case catch chan char class const constexpr continue debugger
	default defer delete double elif else elsif end enum error except export extends extern fallthrough false final finally float float32 float64 foreach
	from func function global goto immutable implements import include inline instanceof int8 int16 int32 int64 interface lambda local long match module
	mutable namespace native none null nullptr object override package pass private protected public raise range readonly register return self short signed
	sizeof static string struct super switch template then this throw throws trait true type typedef typeof typename uint8 uint16 uint32 uint64 union
	unless unsigned until using value virtual void volatile where while with yield println printf print append make`)...)

func setOf(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}
