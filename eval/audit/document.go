package audit

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// document is what all formats for people write.
type document struct {
	title    string
	sections []section
}

type section struct {
	title  string
	blocks []block
}

// block is a paragraph, a list or a table.
type block interface{ block() }

type (
	paragraph string
	list      []string
	table     struct {
		head []string
		left int // columns from the left that hold words; all others hold figures
		rows [][]string
	}
)

func (paragraph) block() {}
func (list) block()      {}
func (*table) block()    {}

func (d *document) add(title string, blocks ...block) {
	d.sections = append(d.sections, section{title, blocks})
}

func paragraphs(texts []string) (out []block) {
	for _, t := range texts {
		out = append(out, paragraph(t))
	}
	return out
}

// width is how many columns a paragraph has in a terminal.
const width = 110

func (d *document) text(out io.Writer) error {
	var w strings.Builder
	w.WriteString(clean(d.title) + "\n")
	for _, s := range d.sections {
		if s.title != "" {
			w.WriteString("\n" + s.title + "\n" + strings.Repeat("─", utf8.RuneCountInString(s.title)) + "\n")
		}
		for i, b := range s.blocks {
			if i > 0 || s.title == "" {
				w.WriteString("\n")
			}
			switch b := b.(type) {
			case paragraph:
				w.WriteString(fold(string(b), ""))
			case list:
				for _, item := range b {
					w.WriteString(fold(item, "- "))
				}
			case *table:
				b.text(&w)
			}
		}
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// text writes aligned columns.
func (t *table) text(w *strings.Builder) {
	widths := make([]int, len(t.head))
	rows := append([][]string{t.head}, t.rows...)
	for _, row := range rows {
		for c, s := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(clean(s)))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for c, s := range row {
			s = clean(s)
			space := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(s))
			if c < t.left {
				line.WriteString(s + space + "  ")
			} else {
				line.WriteString(space + s + "  ")
			}
		}
		w.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// clean takes out what could move a cursor, and ends no line: labels are read from
// files of others.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
}

// fold breaks a text at spaces; what stands before it indents the rest.
func fold(s, before string) string {
	var b strings.Builder
	b.WriteString(before)
	indent, used := strings.Repeat(" ", len(before)), len(before)
	for i, word := range strings.Fields(clean(s)) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteString("\n" + indent)
			used = len(before)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String() + "\n"
}

func (d *document) markdown(out io.Writer) error {
	var w strings.Builder
	w.WriteString("# " + escape(d.title) + "\n")
	for _, s := range d.sections {
		if s.title != "" {
			w.WriteString("\n## " + escape(s.title) + "\n")
		}
		for _, b := range s.blocks {
			w.WriteString("\n")
			switch b := b.(type) {
			case paragraph:
				w.WriteString(escape(string(b)) + "\n")
			case list:
				for _, item := range b {
					w.WriteString("- " + escape(item) + "\n")
				}
			case *table:
				b.markdown(&w)
			}
		}
	}
	_, err := io.WriteString(out, w.String())
	return err
}

func (t *table) markdown(w *strings.Builder) {
	row := func(cells []string) {
		for _, c := range cells {
			fmt.Fprintf(w, "| %s ", escape(c))
		}
		w.WriteString("|\n")
	}
	row(t.head)
	w.WriteString("|" + strings.Repeat("---|", t.left) + strings.Repeat("---:|", len(t.head)-t.left) + "\n")
	for _, cells := range t.rows {
		row(cells)
	}
}

var markdownSigns = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`)

func escape(s string) string { return markdownSigns.Replace(clean(s)) }
