//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// progress prints a line to standard error.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format(time.TimeOnly)+" "+format+"\n", args...)
}

// head prints the first two lines of a table.
func head(w io.Writer, columns ...string) {
	fmt.Fprintf(w, "\n| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

// noisy returns a vector near v.
func noisy(v []float32, random *rand.Rand) []float32 {
	out := slices.Clone(v)
	for i := range out {
		out[i] += 0.02 * float32(random.NormFloat64())
	}
	return out
}

// upsert stores documents in batches.
func upsert(ctx context.Context, store engine.Collection, docs []engine.Document, batch int) error {
	for part := range slices.Chunk(docs, batch) {
		if err := store.Upsert(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func inMS(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
