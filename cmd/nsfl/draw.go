package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/nsfl-go/nsfl/logic"
)

// printExplanation explains a score, with deltas as signed bars.
func printExplanation(w *terminal, x *logic.Explanation, indent string) {
	w.lines("", indent, indent, x.Sentence)
	for _, d := range x.Deltas {
		if d.Used {
			name := w.fit(fmt.Sprintf("Δ %s | %s", d.Of, d.Given), len(indent)+len("    +0.000  ")+2*barWidth+1)
			fmt.Fprintf(w, "%s  %s  %+.3f  %s\n", indent, name, d.Value, signedBar(d.Value))
		}
	}
	for _, part := range x.Parts {
		printExplanation(w, part, indent+"  ")
	}
}

// bar draws v between low and top as a bar of width cells, in eighths of a cell.
func bar(v, low, top float64, width int) string {
	if top <= low {
		return ""
	}
	eighths := int(math.Round((v - low) / (top - low) * float64(8*width)))
	out := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return out
}

// barWidth is the number of cells on each side of a signedBar.
const barWidth = 8

// signedBar draws a delta to the left or the right of a line, a cell for each
// 0.05.
func signedBar(v float64) string {
	const unit = 0.05
	n := min(barWidth, int(math.Round(math.Abs(v)/unit)))
	if v < 0 {
		return strings.Repeat(" ", barWidth-n) + strings.Repeat("▒", n) + "│"
	}
	return strings.Repeat(" ", barWidth) + "│" + strings.Repeat("█", n)
}
