//go:build linux

package main

import (
	"math"
	"slices"
	"time"
)

// engineFigures are the figures of an engine.
type engineFigures struct {
	Engine    string
	Server    string // description of the server
	Documents int
	Corpus    string
	Together  string     // how candidates and similarities are computed, if in one step
	Load      [2]float64 // of the machine, before and after
	LoadS     float64    // seconds to store the documents, indexes included
	Disk      int64      // bytes; 0: in memory, or not known
	Memory    int64      // bytes that the documents add to the server; 0: not known
	Modes     []modeFigures
}

// modeFigures are the figures of a mode.
type modeFigures struct {
	Mode     string
	Searches int // number of measured searches
	// Overlap10 and Overlap100 compare with mode exact of the embedded collection, Same100
	// with the same mode of it.
	Overlap10, Overlap100, Same100 float64
	Steps                          steps
	ServerCPU                      float64 // ms per search; for the embedded collection, the time inside its calls; 0: not known
	ClientCPU                      float64 // ms per search
}

// steps are the durations of the steps of a search, in ms.
type steps struct {
	Size     spread // asking the store for its size
	Encode   spread
	Engine   spread // the store's search
	Gather   spread // similarities, if they are a separate step
	Calculus spread // the query vector, if the mode has one, and the ranking
	Read     spread // the documents
	All      spread // the whole search, with snippets
}

// spread has percentiles of measurements.
type spread struct{ P50, P95, P99 float64 }

// spreadOf sorts measurements, in ms.
func spreadOf(ms []float64) spread {
	slices.Sort(ms)
	return spread{percentile(ms, 0.50), percentile(ms, 0.95), percentile(ms, 0.99)}
}

// percentile returns the smallest of sorted values that is at least as large as a share p.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

func inMS(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
