package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// plan says how the results came about: how a sentence was read, how documents were found
// and ranked, what was encoded and how long each step took.
func (p *printer) plan() {
	r := p.result
	line := func(label, text string) {
		if text != "" {
			p.lines("", fmt.Sprintf("  %-9s ", label), strings.Repeat(" ", 12), termsafe.Text(text))
		}
	}
	label := "read as"
	for _, note := range r.Understood {
		line(label, note)
		label = ""
	}
	line("mode", strings.TrimSuffix(fmt.Sprintf("%s: %s", r.Mode, r.Reason), ": "))
	line("ranked", fmt.Sprintf("%d of %d documents", r.Ranked, r.Documents))
	if r.Proof != nil {
		line("proof", r.Proof.Says)
	}
	label = "encoded"
	for _, s := range r.Strings {
		line(label, s)
		label = ""
	}
	line("by", r.Encoder+", "+r.Fusion+" fusion")
	line("profile", strings.TrimSuffix(r.Profile+": "+r.Refined, ": "))
	t := r.Timings
	line("took", fmt.Sprintf("%.2f ms: encode %.2f, find %.2f, rank %.2f, compare %.2f, read %.2f, explain %.2f",
		ms(t.Total()), ms(t.Encode), ms(t.Find), ms(t.Rank), ms(t.Compare), ms(t.Read), ms(t.Explain)))
	fmt.Fprintln(p)
}

// ms is a time in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
