//go:build linux

package main

import (
	"fmt"
	"io"
	"strings"
)

func printEngines(w io.Writer, all []engineFigures) {
	head(w, "engine", "documents", "stored in, s", "documents/s", "on disk, MB", "memory, MB", "load of the machine before, after")
	for _, e := range all {
		fmt.Fprintf(w, "| %s | %d | %.1f | %.0f | %s | %s | %.1f, %.1f |\n", e.Server, e.Documents,
			e.LoadS, float64(e.Documents)/e.LoadS, orDash(float64(e.Disk)/1e6, 0), orDash(float64(e.Memory)/1e6, 0), e.Load[0], e.Load[1])
	}
	head(w, "engine, documents", "mode", "overlap of the first 10, 100 with exact", "of the first 100 with the same mode embedded",
		"size", "encode", "engine", "gather", "calculus", "read", "all", "processor: server, client")
	for _, e := range all {
		for _, m := range e.Modes {
			s, gather := &m.Steps, e.Together
			switch {
			case m.Mode == "exact":
				gather = "in one scan"
			case gather == "":
				gather = m.Steps.Gather.cell()
			}
			fmt.Fprintf(w, "| %s, %d | %s | %.3f, %.3f | %.3f | %s | %s | %s | %s | %s | %s | %s | %s, %.1f |\n", e.Server, e.Documents, m.Mode,
				m.Overlap10, m.Overlap100, m.Same100, s.Size.cell(), s.Encode.cell(), s.Engine.cell(), gather, s.Calculus.cell(), s.Read.cell(), s.All.cell(),
				orDash(m.ServerCPU, 1), m.ClientCPU)
		}
	}
	e := all[len(all)-1]
	fmt.Fprintf(w, "\n%s. %d searches of each kind one after the other, k = %d, %d candidates. Steps and processor time are ms per search, steps as median / 95th percentile.\n",
		e.Corpus, e.Modes[0].Searches, results, poolSize)
}

func head(w io.Writer, columns ...string) {
	fmt.Fprintf(w, "\n| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

// cell formats the median and the 95th percentile.
func (s spread) cell() string { return fmt.Sprintf("%.2f / %.2f", s.P50, s.P95) }

// orDash formats a number, or a dash if it is 0.
func orDash(x float64, digits int) string {
	if x == 0 {
		return "–"
	}
	return fmt.Sprintf("%.*f", digits, x)
}
