package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/termsafe"
)

// plan prints how the search was done: how a sentence was read, the mode, the encoded strings
// and the time of each step.
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

// ms returns a duration in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
