package ingest

import "strings"

// remark is a comment with its first line.
type remark struct {
	line  int
	text  string
	alone bool // no code before it on its line
	doc   bool // a string that documents the declaration before it
}

// lexed holds the parts of a source file.
type lexed struct {
	code    []string // code of each line, with "" in place of strings
	remarks []remark
	said    []remark // strings that are text
}

// lex splits source code into comments, strings and code. It never fails: a wrong guess loses
// at most one line, or one multi-line string.
func (l *language) lex(b *budget, s string) lexed {
	var out lexed
	var code strings.Builder
	number := 1
	// skip ends the lines that end within a piece.
	skip := func(piece string) {
		for range strings.Count(piece, "\n") {
			b.spend(1, 0)
			out.code = append(out.code, code.String())
			code.Reset()
			number++
		}
	}
	blank := func() bool { return strings.TrimSpace(code.String()) == "" }
	for i := 0; i < len(s) && b.err == nil; {
		rest := s[i:]
		if begin, end, ok := l.blockAt(rest); ok {
			n := strings.Index(rest[len(begin):], end)
			text, all := rest[len(begin):], rest
			if n >= 0 {
				text, all = text[:n], rest[:len(begin)+n+len(end)]
			}
			b.spend(1, 0)
			out.remarks = append(out.remarks, remark{line: number + strings.Count(begin, "\n"), text: text, alone: blank()})
			skip(all)
			i += len(all)
			continue
		}
		if mark := l.lineAt(rest, s[:i]); mark != "" {
			text, _, _ := strings.Cut(rest, "\n")
			out.remarks = append(out.remarks, remark{line: number, text: strings.TrimLeft(text[len(mark):], mark[:1]+"!"), alone: blank()})
			i += len(text)
			continue
		}
		if quote := l.quoteAt(rest); quote != "" {
			text, n := stringAt(rest, quote)
			b.spend(1, 0)
			r := remark{line: number, text: text, alone: blank()}
			if r.doc = l.docs && len(quote) == 3 && r.alone; r.doc {
				out.remarks = append(out.remarks, r)
			} else {
				out.said = append(out.said, r)
				code.WriteString(`""`)
			}
			skip(rest[:n])
			i += n
			continue
		}
		if skip(rest[:1]); rest[0] != '\n' {
			code.WriteByte(rest[0])
		}
		if l.char && rest[0] == '\'' {
			i += charLength(rest)
			continue
		}
		i++
	}
	skip("\n")
	return out
}

func (l *language) blockAt(rest string) (begin, end string, ok bool) {
	for _, b := range l.block {
		if strings.HasPrefix(rest, b[0]) {
			return b[0], b[1], true
		}
	}
	return "", "", false
}

// lineAt returns the prefix of a line comment that begins here. # counts only at the start of
// a word.
func (l *language) lineAt(rest, before string) string {
	for _, mark := range l.line {
		if strings.HasPrefix(rest, mark) && (mark != "#" || before == "" || strings.ContainsAny(before[len(before)-1:], " \t\n;")) {
			return mark
		}
	}
	return ""
}

func (l *language) quoteAt(rest string) string {
	for _, q := range l.quotes {
		if strings.HasPrefix(rest, q) {
			return q
		}
	}
	return ""
}

// stringAt returns the text of a string and its length in bytes, including the quotes.
func stringAt(rest, quote string) (string, int) {
	long := len(quote) == 3 || quote == "`"
	for i := len(quote); i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], quote):
			return rest[len(quote):i], i + len(quote)
		case rest[i] == '\\' && quote != "`":
			if i++; i < len(rest) && rest[i] == '\n' && !long {
				return rest[len(quote):i], i
			}
		case rest[i] == '\n' && !long:
			return rest[len(quote):i], i
		}
	}
	return rest[len(quote):], len(rest)
}

// charLength returns the length of 'x', or 1 if ' begins something else, such as a lifetime.
func charLength(rest string) int {
	const longest = 12 // '\u{10ffff}'
	for i := 1; i < min(len(rest), longest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '\'':
			return i + 1
		case '\n':
			return 1
		}
	}
	return 1
}
