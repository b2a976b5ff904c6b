package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/nsfl-go/nsfl/logic"
)

// printScores is what a person sees of scores: a table with bars.
func printScores(w io.Writer, formula string, docs []*scored) {
	fmt.Fprintf(w, "%s\n\n", formula)
	top, low := float64(docs[0].Score), min(0, float64(docs[len(docs)-1].Score))
	for _, d := range docs {
		moved := ""
		if d.Baseline > 0 {
			moved = fmt.Sprintf("   plain search: %d", d.Baseline)
		}
		fmt.Fprintf(w, "%3d  %+.3f  %-20s  %s%s\n", d.Rank, d.Score, bar(float64(d.Score), low, top, 20), d.ID, moved)
		if d.Explanation != nil {
			printExplanation(w, d.Explanation, "       ")
		}
	}
}

// printExplanation says how a score came about, with deltas as signed bars.
func printExplanation(w io.Writer, x *logic.Explanation, indent string) {
	fmt.Fprintf(w, "%s%s\n", indent, x.Sentence)
	for _, d := range x.Deltas {
		if d.Used {
			fmt.Fprintf(w, "%s  Δ %s | %s  %+.3f  %s\n", indent, d.Of, d.Given, d.Value, signedBar(d.Value))
		}
	}
	for _, part := range x.Parts {
		printExplanation(w, part, indent+"  ")
	}
}

// bar is where v lies between low and top, of width cells, in eighths of a cell.
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

// signedBar draws a delta to the left or the right of a line, a cell for each
// 0.05.
func signedBar(v float64) string {
	const width, unit = 8, 0.05
	n := min(width, int(math.Round(math.Abs(v)/unit)))
	if v < 0 {
		return strings.Repeat(" ", width-n) + strings.Repeat("▒", n) + "│"
	}
	return strings.Repeat(" ", width) + "│" + strings.Repeat("█", n)
}
