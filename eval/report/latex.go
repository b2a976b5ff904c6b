package report

import (
	"io"
	"strconv"
	"strings"
)

// latex writes a table of the package booktabs.
func (t *table) latex(out io.Writer) error {
	var w strings.Builder
	w.WriteString("\\begin{table}[ht]\n\\centering\\small\n\\caption{" + escapeLaTeX(t.caption) + "}\n")
	if t.label != "" {
		w.WriteString("\\label{" + t.label + "}\n")
	}
	w.WriteString("\\begin{tabular}{@{}" + strings.Repeat("l", t.left) + strings.Repeat("r", len(t.head)-t.left) + "@{}}\n\\toprule\n")
	print := func(cells []cell) {
		for i, c := range cells {
			if i > 0 {
				w.WriteString(" & ")
			}
			if c.best {
				w.WriteString("\\textbf{" + escapeLaTeX(c.text) + "}")
			} else {
				w.WriteString(escapeLaTeX(c.text))
			}
		}
		w.WriteString(" \\\\\n")
	}
	print(words(t.head...))
	w.WriteString("\\midrule\n")
	for i, row := range t.rows {
		if row.rule && i > 0 {
			w.WriteString("\\midrule\n")
		}
		if row.cells == nil {
			w.WriteString("\\multicolumn{" + strconv.Itoa(len(t.head)) + "}{@{}l}{\\textit{" + escapeLaTeX(row.title) + "}} \\\\\n")
			continue
		}
		print(row.cells)
	}
	w.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, n := range t.notes {
		w.WriteString("\n\\par\\footnotesize " + escapeLaTeX(n) + "\n")
	}
	w.WriteString("\\end{table}\n")
	_, err := io.WriteString(out, w.String())
	return err
}

var latexSigns = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`,
	"∧", `\ensuremath{\land}`, "∨", `\ensuremath{\lor}`, "¬", `\ensuremath{\neg}`, "Δ", `\ensuremath{\Delta}`,
	"∪", `\ensuremath{\cup}`, "−", `\ensuremath{-}`, "…", `\dots{}`, "–", "--",
)

func escapeLaTeX(s string) string { return latexSigns.Replace(clean(s)) }
