//go:build linux

package main

import (
	"math"
	"slices"
	"time"
)

// engineFigures are those of one engine with one number of documents.
type engineFigures struct {
	Engine    string
	Server    string // what runs, in words
	Documents int
	Corpus    string
	Together  string     // how candidates and similarities come, where not one after the other
	Load      [2]float64 // of the machine, before and after
	LoadS     float64    // seconds to store the documents, indexes included
	Disk      int64      // bytes; 0: in memory, or not known
	Memory    int64      // bytes that the documents add to the server; 0: not known
	Modes     []modeFigures
}

// modeFigures are those of one mode.
type modeFigures struct {
	Mode     string
	Searches int // that were measured
	// Overlap10 and Overlap100 are with the first of the embedded collection's mode
	// exact, Same100 with its own first of the same mode.
	Overlap10, Overlap100, Same100 float64
	Steps                          steps
	ServerCPU                      float64 // ms a search, of the embedded collection inside its calls; 0: not known
	ClientCPU                      float64 // ms a search
}

// steps are what a search took, in ms.
type steps struct {
	Size     spread // how much the store says it holds
	Encode   spread
	Engine   spread // the store's search
	Gather   spread // similarities, where the store can tell them from the search
	Calculus spread // the one vector, where a mode has one, and the ranking
	Read     spread // the documents
	All      spread // with snippets
}

// spread is how measurements lie.
type spread struct{ P50, P95, P99 float64 }

// spreadOf sorts measurements, in ms.
func spreadOf(ms []float64) spread {
	slices.Sort(ms)
	return spread{percentile(ms, 0.50), percentile(ms, 0.95), percentile(ms, 0.99)}
}

// percentile is the smallest of sorted values that a share p of them does not exceed.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

func inMS(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// median of measurements, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
