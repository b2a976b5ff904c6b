package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
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
	switch *f.Regex {
	case `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`:
		return gpt2Words{}, nil
	case `'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`:
		return clipWords{}, nil
	case `<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`:
		return clipWords{special: []string{"<|startoftext|>", "<|endoftext|>"}}, nil
	case `\s+`:
		return whiteRun{}, nil
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

// whiteRun matches a run of white space.
type whiteRun struct{}

func (whiteRun) find(text []byte, from int) (start, end int) {
	at := bytes.IndexFunc(text[from:], isWhite)
	if at < 0 {
		return -1, -1
	}
	return from + at, len(text) - len(bytes.TrimLeftFunc(text[from+at:], isWhite))
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

// compile accepts expressions of literals, sets, groups, alternatives and repetitions.
func compile(expr string) (pattern, error) {
	if err := portable(expr); err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnsupported, err)
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

// category matches \p{…} with a general category, which both spell alike.
var category = regexp.MustCompile(`^[pP]\{[A-Z][a-z]?\}`)

// portable rejects syntax that Go interprets differently from the reference: \s, \d, \w
// and the like, which match only ASCII in Go, nested sets, flags, and {,n}.
func portable(expr string) error {
	set := false
	for i := 0; i < len(expr); i++ {
		rest := expr[i:]
		var odd string
		switch {
		case expr[i] == '\\' && i+1 < len(expr):
			i++
			if c := expr[i]; isAlphanumeric(c) && !strings.ContainsRune("nrt", rune(c)) && !category.MatchString(expr[i:]) {
				odd = rest[:2]
			}
		case strings.HasPrefix(rest, "(?"), strings.HasPrefix(rest, "{,"), strings.HasPrefix(rest, "&&"),
			strings.HasPrefix(rest, "[]"), strings.HasPrefix(rest, "[^]"):
			odd = rest[:2]
		case expr[i] == '[' && set:
			odd = "[ in a set"
		case expr[i] == '[':
			set = true
		case expr[i] == ']':
			set = false
		}
		if odd != "" {
			return fmt.Errorf("%s: %w", odd, errUnsupported)
		}
	}
	return nil
}

func isLetter(r rune) bool { return unicode.Is(unicode.L, r) }
func isNumber(r rune) bool { return unicode.Is(unicode.N, r) }
