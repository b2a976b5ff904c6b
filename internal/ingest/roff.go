package ingest

import (
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// The macros for the title of a manual page and for its sections.
var (
	roffTitle   = regexp.MustCompile(`(?m)^[.'](?:TH|Dd|Dt)[ \t]`)
	roffSection = regexp.MustCompile(`(?m)^[.']S[Hh][ \t]`)
)

// isRoff reports whether a text is the source of a manual page.
func isRoff(text []byte) bool {
	const near = 32 << 10 // comments and definitions come first
	head := text[:min(near, len(text))]
	return roffTitle.Match(head) && roffSection.Match(head)
}

// roffReader reads the source of a manual page. It knows the usual macros and escapes, and
// drops others; it does not execute macros that the page defines.
type roffReader struct {
	budget *budget
	blocks []passage.Block
	prose  []string // lines of the present paragraph
	code   []string // lines of the present example
	begin  int      // line of either
	number int      // the present line

	literal bool   // within an example
	until   string // skip everything before this line
	table   bool
	layout  bool   // within the description of a table's columns, which ends with a full stop
	name    string // of the page, which .Nm without arguments repeats
}

func readRoff(b *budget, text []byte) []passage.Block {
	r := roffReader{budget: b}
	for line := range passage.Lines(string(text)) {
		if r.number++; !b.spend(1, len(line)) {
			return nil
		}
		r.line(line)
	}
	r.flush()
	return r.blocks
}

func (r *roffReader) line(line string) {
	switch {
	case r.until != "":
		if strings.TrimSpace(line) == r.until {
			r.until = ""
		}
	case r.layout:
		r.layout = line != ".TE" && !strings.HasSuffix(strings.TrimSpace(line), ".")
	case line == "" || line[0] != '.' && line[0] != '\'':
		r.text(line)
	default:
		fields := strings.Fields(line[1:])
		if len(fields) > 0 && !strings.HasPrefix(fields[0], `\`) {
			r.request(fields[0], strings.TrimLeft(strings.TrimLeft(line[1:], " \t")[len(fields[0]):], " \t"))
		}
	}
}

// text adds a line of text.
func (r *roffReader) text(line string) {
	if line = unescape(line); r.table {
		line = strings.NewReplacer("T{", "", "T}", "", "\t", " | ").Replace(line)
	}
	if strings.TrimSpace(line) == "" {
		if !r.literal {
			r.flush()
		}
		return
	}
	if len(r.prose)+len(r.code) == 0 {
		r.begin = r.number
	}
	if r.literal || r.table {
		r.code = append(r.code, line)
		return
	}
	r.prose = append(r.prose, line)
}

func (r *roffReader) request(name, rest string) {
	switch name {
	case "SH", "Sh", "SS", "Ss":
		r.literal = false
		r.flush()
		if s := passage.OneLine(strings.Join(arguments(rest), " ")); s != "" {
			level := 2
			if name[1]|0x20 == 's' {
				level = 3
			}
			r.blocks = append(r.blocks, passage.Block{Kind: passage.Heading, Rows: []string{s}, Level: level, Line: r.number})
		}
	case "PP", "P", "LP", "Pp", "sp", "TP", "HP", "TQ", "Lp":
		r.flush()
	case "IP", "It":
		r.flush()
		tag := arguments(rest)
		if name == "IP" {
			tag = tag[:min(1, len(tag))] // the second argument is an indentation
		}
		r.text(strings.ReplaceAll(inline(tag, r.name), "•", "-"))
	case "nf", "EX", "Bd":
		r.flush()
		r.literal = true
	case "fi", "EE", "Ed":
		r.flush()
		r.literal = false
	case "TS", "TE":
		r.flush()
		r.table = name == "TS"
		r.layout = r.table
	case "de", "de1", "ig", "am":
		r.until = ".."
	case "if", "ie", "el":
		r.condition(name, rest)
	case "B", "I", "SM", "SB", "Nd", "UR", "MT", "SY", "OP":
		s := strings.Join(arguments(rest), " ")
		switch name {
		case "Nd":
			s = "- " + s
		case "OP":
			s = "[" + s + "]"
		}
		r.text(s)
	case "BR", "RB", "BI", "IB", "IR", "RI":
		r.text(strings.Join(arguments(rest), ""))
	case "Nm":
		if all := arguments(rest); r.name == "" && len(all) > 0 {
			r.name = all[0]
		}
		r.text(inline(append([]string{"Nm"}, arguments(rest)...), r.name))
	default:
		if _, known := mdoc[name]; known {
			r.text(inline(append([]string{name}, arguments(rest)...), r.name))
		}
	}
}

// condition reads what follows a condition if it holds for a terminal.
func (r *roffReader) condition(name, rest string) {
	holds := name != "el" && strings.HasPrefix(rest, "n")
	switch opens := strings.Contains(rest, `\{`); {
	case opens && !holds && !strings.Contains(rest, `\}`):
		r.until = `.\}`
	case !opens && holds:
		r.line(strings.TrimLeft(rest[1:], " \t"))
	}
}

// flush ends the present paragraph or example.
func (r *roffReader) flush() {
	if s := passage.OneLine(strings.Join(r.prose, " ")); s != "" {
		b := passage.Block{Kind: passage.Prose, Rows: []string{s}, Line: r.begin}
		if strings.HasPrefix(s, "- ") {
			b.Kind = passage.Rows
		}
		r.blocks = append(r.blocks, b)
	}
	for _, b := range passage.Code(strings.Join(r.code, "\n")) {
		b.Line = r.begin
		r.blocks = append(r.blocks, b)
	}
	r.prose, r.code = nil, nil
}

// arguments splits the arguments of a macro, which may be quoted, and replaces escapes.
func arguments(s string) (all []string) {
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		var one string
		if s[0] == '"' {
			one, s, _ = strings.Cut(s[1:], `"`)
		} else {
			end := 0
			for end < len(s) && s[end] != ' ' && s[end] != '\t' {
				if s[end] == '\\' { // an escaped space is part of the argument
					end++
				}
				end++
			}
			end = min(end, len(s))
			one, s = s[:end], s[end:]
		}
		if strings.HasPrefix(one, `\"`) { // a comment
			break
		}
		all = append(all, unescape(one))
	}
	return all
}

// mdoc maps macros that may stand within a line to what surrounds each of their arguments, as
// before|after; a mark after the bar encloses all of them.
var mdoc = map[string]string{
	"Fl": "-", "Ar": "", "Cm": "", "Pa": "", "Va": "", "Em": "", "Sy": "", "Li": "", "Ic": "", "Ev": "", "Dv": "", "Er": "", "Ql": "",
	"Fa": "", "Ft": "", "Fd": "", "Vt": "", "Tn": "", "Ad": "", "An": "", "Lk": "", "Mt": "", "Nm": "", "No": "", "Ns": "", "Xr": "", "Fn": "",
	"Op": "|[]", "Oo": "", "Oc": "", "Dq": "|“”", "Qq": "|\"\"", "Sq": "|‘’", "Pq": "|()", "Aq": "|<>", "Bq": "|[]", "Bx": "", "Ux": "", "Fx": "", "In": "|<>",
}

// inline renders the words of a line with mdoc macros among them.
func inline(words []string, name string) string {
	var out []string
	var ends, before string
	for i := 0; i < len(words); i++ {
		w := words[i]
		style, macro := mdoc[w]
		_, around, encloses := strings.Cut(style, "|")
		switch next := words[i+1:]; {
		case !macro:
			out = append(out, before+w)
		case encloses:
			open := []rune(around)
			out = append(out, string(open[0]))
			ends = string(open[1]) + ends
		case w == "Nm" && name != "" && (len(next) == 0 || len(next[0]) < 2):
			out = append(out, name)
		case w == "Xr" && len(next) > 1:
			out = append(out, next[0]+"("+next[1]+")")
			i += 2
		case w == "Fn" && len(next) > 0:
			out = append(out, next[0]+"("+strings.Join(next[1:], ", ")+")")
			i = len(words)
		default:
			before = style
		}
	}
	s := strings.Join(out, " ")
	for _, mark := range []string{"[ ", "( ", "< ", "“ ", "‘ "} {
		s = strings.ReplaceAll(s, mark, strings.TrimSpace(mark))
	}
	for _, mark := range []string{" ,", " .", " ;", " :", " )", " ]"} {
		s = strings.ReplaceAll(s, mark, mark[1:])
	}
	return s + ends
}

// glyphs maps the names of special characters. Others are dropped.
var glyphs = map[string]string{
	"aq": "'", "dq": `"`, "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "bu": "•", "em": "—", "en": "–", "hy": "-", "mi": "−", "ti": "~",
	"ha": "^", "ga": "`", "rs": `\`, "co": "©", "rg": "®", "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "<-": "←", "mu": "×", "de": "°",
	"pl": "+", "eq": "=", "sl": "/", "at": "@", "sh": "#", "Do": "$", "ba": "|", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "<",
	"ra": ">", "Aq": "'", "+-": "±", "ss": "ß", ":a": "ä", ":o": "ö", ":u": "ü", "'e": "é", "`e": "è", "'a": "á", "'o": "ó", "~n": "ñ", ",c": "ç",
}

// unescape replaces the escapes of a line.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			b.WriteString(strings.TrimSuffix(s, `\`))
			return b.String()
		}
		b.WriteString(s[:i])
		escape := s[i+1]
		s = s[i+2:]
		switch escape {
		case '"', '#': // a comment
			return b.String()
		case '-':
			b.WriteByte('-')
		case 'e', '\\':
			b.WriteByte('\\')
		case ' ', '~', '0':
			b.WriteByte(' ')
		case 't':
			b.WriteByte('\t')
		case '(':
			b.WriteString(glyphs[s[:min(2, len(s))]])
			s = s[min(2, len(s)):]
		case '[':
			var name string
			name, s, _ = strings.Cut(s, "]")
			b.WriteString(glyphs[name])
		case '*', 'f', 'n', 'F', 'm', 'M', 'k', 'g', 's', 'V', 'Y':
			var name string
			if name, s = escapeName(s); escape == '*' {
				b.WriteString(glyphs[name])
			}
		case 'h', 'v', 'w', 'o', 'l', 'L', 'D', 'b', 'N', 'S', 'x', 'X', 'A', 'B', 'C', 'R', 'H', 'Z':
			if s != "" { // delimited by whatever follows
				_, s, _ = strings.Cut(s[1:], s[:1])
			}
		case '&', ')', '|', '^', '/', ',', '%', ':', 'c', 'd', 'u', 'r', 'p', '{', '}', 'a', 'z', '!', '?':
		default:
			b.WriteByte(escape)
		}
	}
}

// escapeName cuts the name of a font, string or register: one character, two after a
// parenthesis, or all within brackets. A size may have a sign.
func escapeName(s string) (name, rest string) {
	s = strings.TrimLeft(s, "+-")
	switch {
	case strings.HasPrefix(s, "["):
		name, rest, _ = strings.Cut(s[1:], "]")
		return name, rest
	case strings.HasPrefix(s, "("):
		n := min(3, len(s))
		return s[1:n], s[n:]
	}
	n := min(1, len(s))
	return s[:n], s[n:]
}
