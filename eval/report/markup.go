package report

import (
	"strings"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

func (t *Table) markdown(w *strings.Builder) {
	if t.Caption != "" {
		w.WriteString(escapeMarkdown(t.Caption) + "\n\n")
	}
	print := func(cells []cell) {
		w.WriteString("|")
		for _, c := range cells {
			s := escapeMarkdown(c.Text)
			if c.Best {
				s = "**" + s + "**"
			}
			w.WriteString(strings.ReplaceAll(" "+s+" |", "  ", " "))
		}
		w.WriteString("\n")
	}
	if len(t.Rows) > 0 {
		print(words(t.Head...))
		w.WriteString("|" + strings.Repeat("---|", t.Left) + strings.Repeat("---:|", len(t.Head)-t.Left) + "\n")
	}
	for _, row := range t.Rows {
		if row.Cells == nil {
			w.WriteString("| *" + escapeMarkdown(row.Title) + "* " + strings.Repeat("|", len(t.Head)) + "\n")
			continue
		}
		print(row.Cells)
	}
	for _, n := range t.Notes {
		w.WriteString("\n" + escapeMarkdown(n) + "\n")
	}
}

var markdownSigns = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`)

func escapeMarkdown(s string) string { return markdownSigns.Replace(termsafe.Line(s)) }
