package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/nsfl-go/nsfl/logic"
)

// What a person sees of scores: a table with bars, and deltas as signed bars.

func printScores(w io.Writer, formula string, docs []*scored) {
	fmt.Fprintf(w, "%s\n\n", formula)
	top, low := float64(docs[0].Score), math.Min(0, float64(docs[len(docs)-1].Score))
	for _, d := range docs {
		moved := ""
		if d.Baseline > 0 {
			moved = fmt.Sprintf("   plain search: %d", d.Baseline)
		}
		share := 0.0
		if top > low {
			share = (float64(d.Score) - low) / (top - low)
		}
		fmt.Fprintf(w, "%3d  %+.3f  %-20s  %s%s\n", d.Rank, d.Score, bar(share, 20), d.ID, moved)
		if d.Explanation != nil {
			printExplanation(w, d.Explanation, "       ")
		}
	}
}

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

// bar is a share of width cells, in eighths of a cell.
func bar(share float64, width int) string {
	eighths := int(math.Round(math.Min(1, math.Max(0, share)) * float64(8*width)))
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
