package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// markdown writes a pipe table.
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

// latex writes a table for the package booktabs.
func (t *Table) latex(w *strings.Builder) {
	fmt.Fprintf(w, "\\begin{table}[ht]\n\\centering\\small\n\\caption{%s}\n\\label{%s}\n", escapeLaTeX(t.Caption), t.Label)
	w.WriteString("\\begin{tabular}{@{}" + strings.Repeat("l", t.Left) + strings.Repeat("r", len(t.Head)-t.Left) + "@{}}\n\\toprule\n")
	print := func(cells []cell) {
		var texts []string
		for _, c := range cells {
			s := escapeLaTeX(c.Text)
			if c.Best {
				s = "\\textbf{" + s + "}"
			}
			texts = append(texts, s)
		}
		w.WriteString(strings.Join(texts, " & ") + " \\\\\n")
	}
	print(words(t.Head...))
	w.WriteString("\\midrule\n")
	for i, row := range t.Rows {
		if row.Rule && i > 0 {
			w.WriteString("\\midrule\n")
		}
		if row.Cells == nil {
			fmt.Fprintf(w, "\\multicolumn{%d}{@{}l}{\\textit{%s}} \\\\\n", len(t.Head), escapeLaTeX(row.Title))
			continue
		}
		print(row.Cells)
	}
	w.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, n := range t.Notes {
		w.WriteString("\n\\par\\footnotesize " + escapeLaTeX(n) + "\n")
	}
	w.WriteString("\\end{table}\n")
}

var latexSigns = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`,
	"∧", `\ensuremath{\land}`, "∨", `\ensuremath{\lor}`, "¬", `\ensuremath{\neg}`, "Δ", `\ensuremath{\Delta}`,
	"∪", `\ensuremath{\cup}`, "−", `\ensuremath{-}`, "…", `\dots{}`, "–", "--",
)

func escapeLaTeX(s string) string { return latexSigns.Replace(termsafe.Line(s)) }

// csv writes the header and the rows. A title above rows becomes a field of each row.
func (t *Table) csv(out io.Writer) error {
	titled := slices.ContainsFunc(t.Rows, func(l line) bool { return l.Cells == nil })
	fields := func(title string, texts []string) []string {
		if titled {
			texts = append([]string{title}, texts...)
		}
		return texts
	}
	rows, title := [][]string{fields("of", t.Head)}, ""
	for _, row := range t.Rows {
		if row.Cells == nil {
			title = row.Title
			continue
		}
		var texts []string
		for _, c := range row.Cells {
			texts = append(texts, strings.ReplaceAll(c.Text, "−", "-"))
		}
		rows = append(rows, fields(title, texts))
	}
	return csv.NewWriter(out).WriteAll(rows)
}
