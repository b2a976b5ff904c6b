package ingest

import (
	"cmp"
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
		r.text(strings.ReplaceAll(inline(tag), "•", "-"))
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
	case "B", "I", "SM", "SB", "UR", "MT", "SY":
		r.text(strings.Join(arguments(rest), " "))
	case "OP":
		r.text("[" + strings.Join(arguments(rest), " ") + "]")
	case "BR", "RB", "BI", "IB", "IR", "RI":
		r.text(strings.Join(arguments(rest), ""))
	case "Nd":
		r.text("- " + inline(arguments(rest)))
	case "Nm":
		s := inline(arguments(rest))
		r.name = cmp.Or(r.name, s)
		r.text(cmp.Or(s, r.name))
	default:
		if s := inline(append([]string{name}, arguments(rest)...)); mdoc[name] && s != "" {
			r.text(s)
		}
	}
}

// condition reads the rest of a conditional line if the condition holds for a terminal.
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

// mdoc lists the macros of mdoc that may stand within a line.
var mdoc = setOf(strings.Fields(`Ad An Aq Ar Bq Bx Cm Dq Dv Em Er Ev Fa Fd Fl Fn Ft Fx Ic In Li Lk Mt Nd Nm No Ns Oc Oo Op
	Pa Pq Ql Qq Sq Sy Tn Ux Va Vt Xr`)...)

// inline renders the words of a line of mdoc: the macros are dropped, but Fl is a dash.
func inline(words []string) string {
	var out []string
	before := ""
	for _, w := range words {
		switch {
		case w == "Fl":
			before = "-"
		case mdoc[w]:
			before = ""
		default:
			out, before = append(out, before+w), ""
		}
	}
	return punctuation.Replace(strings.Join(out, " "))
}

var punctuation = strings.NewReplacer(" ,", ",", " .", ".", " ;", ";", " :", ":", " )", ")")

// glyphs maps the names of special characters. Others are dropped.
var glyphs = map[string]string{
	"aq": "'", "dq": `"`, "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "bu": "•", "em": "—", "en": "–", "hy": "-", "mi": "−", "ti": "~",
	"ha": "^", "ga": "`", "rs": `\`, "co": "©", "rg": "®", "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "<-": "←", "mu": "×", "de": "°",
	"pl": "+", "eq": "=", "sl": "/", "at": "@", "sh": "#", "Do": "$", "ba": "|", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "<",
	"ra": ">", "Aq": "'", "+-": "±", "ss": "ß", ":a": "ä", ":o": "ö", ":u": "ü", "'e": "é", "`e": "è", "'a": "á", "'o": "ó", "~n": "ñ", ",c": "ç",
}

// roffEscape matches an escape: a comment, a character by its name, a font, string, register or
// size by its name, a drawing function, or any other by one character.
var roffEscape = regexp.MustCompile(`\\(?:["#].*|\((..?)|\[([^\]]*)\]|([*fnFmMkgsVY])[-+]*(?:\[([^\]]*)\]|\((..?)|(.))|[hvwolLDbNSxXABCRHZ](?:'[^']*'|.)|(.)|$)`)

// unescape replaces the escapes of a line.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return roffEscape.ReplaceAllStringFunc(s, func(escape string) string {
		found := roffEscape.FindStringSubmatch(escape)
		if name := found[1] + found[2]; name != "" || found[3] == "*" {
			return glyphs[name+found[4]+found[5]+found[6]]
		}
		switch one := found[7]; one {
		case "e":
			return `\`
		case "~", "0":
			return " "
		case "t":
			return "\t"
		case "&", ")", "|", "^", "/", ",", "%", ":", "c", "d", "u", "r", "p", "{", "}", "a", "z", "!", "?":
			return ""
		default:
			return one
		}
	})
}

// nameSection matches the heading NAME of a formatted manual page, near its beginning, and the
// lines of the section.
var nameSection = regexp.MustCompile(`(?m)^NAME[ \t]*\r?\n((?:[ \t]*\S.*\r?\n?){1,4})`)

// readText reads plain text and manual pages. The title of a manual page is its section NAME.
func readText(b *budget, text []byte) (draft, error) {
	var d draft
	if isRoff(text) {
		d.blocks = readRoff(b, text)
		if len(d.blocks) > 1 && strings.EqualFold(d.blocks[0].Rows[0], "NAME") {
			if d.title = manTitle(d.blocks[1].Rows[0]); d.title != "" {
				d.blocks = d.blocks[2:]
			}
		}
	} else {
		const near = 4000
		if m := nameSection.FindSubmatch(text[:min(near, len(text))]); m != nil {
			d.title = manTitle(string(m[1]))
		}
		d.blocks = b.blocks(string(text))
	}
	if d.title != "" {
		d.metadata = map[string]any{"type": "man"}
	}
	return d, b.err
}

// manTitle returns the line under NAME of a manual page, such as "socket - create an endpoint",
// with only the first of many names, or an empty string if it is another text.
func manTitle(section string) string {
	const most = 200
	title := passage.OneLine(section)
	name, what, ok := strings.Cut(title, " - ")
	if len(title) > most {
		name, _, _ = strings.Cut(name, ",")
		title = name + " - " + what
	}
	if !ok || name == "" || what == "" || len(title) > most {
		return ""
	}
	return title
}
