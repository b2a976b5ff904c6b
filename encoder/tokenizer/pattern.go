package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// pattern finds matches in a text.
type pattern interface {
	// find returns the first match at or after from, a character boundary. A match is never
	// empty. start is -1 if there is none.
	find(text []byte, from int) (start, end int)
}

// readPattern parses {"String": …} or {"Regex": …}.
//
// The reference's regular expressions support all of Unicode and lookahead. Go's do not,
// so the ones that models use are implemented by hand here, and others are accepted only
// if they mean the same in both.
func readPattern(raw json.RawMessage) (pattern, error) {
	var f struct{ String, Regex *string }
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	switch {
	case f.String != nil && f.Regex == nil && *f.String != "":
		return literal(*f.String), nil
	case f.Regex == nil || f.String != nil:
		return nil, errors.New("the pattern is neither a string nor a regular expression")
	}
	if p, ok := knownPatterns[*f.Regex]; ok {
		return p, nil
	}
	re, err := compile(*f.Regex)
	if err != nil {
		return nil, fmt.Errorf("the regular expression %q: %w", *f.Regex, err)
	}
	return re, nil
}

// literal matches a string.
type literal string

func (p literal) find(text []byte, from int) (start, end int) {
	at := bytes.Index(text[from:], []byte(p))
	if at < 0 {
		return -1, -1
	}
	return from + at, from + at + len(p)
}

// The reference's white space, letters and numbers.
const (
	spaces = `\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	mixed  = spaces + `\p{L}\p{N}`
)

// knownPatterns holds the expressions of models that Go's syntax does not express alike.
var knownPatterns = map[string]pattern{
	`\s+`: expression{regexp.MustCompile(`[` + spaces + `]+`)},
	`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`:                                   expression{clipWords("")},
	`<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`: expression{clipWords(`<\|startoftext\|>|<\|endoftext\|>|`)},
	`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`:                  gpt2Words,
}

func clipWords(special string) *regexp.Regexp {
	return regexp.MustCompile(special + `'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^` + mixed + `]+`)
}

// gpt2Words matches at every position.
var gpt2Words = unpaired{expression{regexp.MustCompile(`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^` + mixed + `]+|[` + spaces + `]+`)}}

// unpaired leaves the last of several white-space characters before a word to that word: \s+(?!\S).
type unpaired struct{ expression }

func (p unpaired) find(text []byte, from int) (start, end int) {
	start, end = p.expression.find(text, from)
	if end < 0 || end == len(text) {
		return start, end
	}
	if last, size := utf8.DecodeLastRune(text[start:end]); unicode.IsSpace(last) && end-size > start {
		end -= size
	}
	return start, end
}

// expression is a regular expression with the same meaning in Go and in the reference.
type expression struct{ *regexp.Regexp }

func (e expression) find(text []byte, from int) (start, end int) {
	at := e.FindIndex(text[from:])
	if at == nil {
		return -1, -1
	}
	return from + at[0], from + at[1]
}

// ambiguous matches a set within a set, an empty set, an intersection and {,n}, which Go and the
// reference read differently.
var ambiguous = regexp.MustCompile(`\[(?:[^\]\\]|\\.)*\[|\[\^?\]|&&|\{,`)

// compile accepts expressions of literals, sets, groups, alternatives and repetitions. Others
// may mean something else in Go: \s, for example, matches only ASCII.
func compile(expr string) (pattern, error) {
	tree, err := syntax.Parse(expr, syntax.ClassNL|syntax.OneLine|syntax.UnicodeGroups)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnsupported, err)
	}
	if odd := ambiguous.FindString(expr); odd != "" {
		return nil, fmt.Errorf("%s: %w", odd, errUnsupported)
	}
	if !plainTree(tree) {
		return nil, fmt.Errorf("has more than literals, sets, alternatives and repetitions: %w", errUnsupported)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnsupported, err)
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("matches nothing at all: %w", errUnsupported)
	}
	return expression{re}, nil
}

func plainTree(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpCapture, syntax.OpStar, syntax.OpPlus, syntax.OpQuest,
		syntax.OpRepeat, syntax.OpConcat, syntax.OpAlternate:
	default:
		return false
	}
	for _, sub := range re.Sub {
		if !plainTree(sub) {
			return false
		}
	}
	return true
}
