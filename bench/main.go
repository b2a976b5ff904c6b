//go:build linux

// Command bench prints the figures of bench/PERFORMANCE.md and doc/engines.md that
// need more than a Go benchmark: a peer beside the kernels, how a collection grows,
// engines beside each other.
//
//	go run ./bench scan      kernels against OpenBLAS, in turn
//	go run ./bench growth    a collection from 10,000 documents on
//	go run ./bench latency   a search taken apart, mode by mode
//	go run ./bench words     how documents are found by words: a scan, an inverted file, FTS5
//	go run ./bench load      a server under twice the load it can hold
//	go run ./bench engines   the same searches on every engine, taken apart
//	go run ./bench indexing  binaries that index the same real folder, in turn
//	go run ./bench soak      a server under everything at once, and kills; nothing is lost
//	go run ./bench pushdown  formulas over a table with pgvector: scored here, or by one statement
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	verbs := map[string]func(context.Context, []string) error{"scan": scan, "growth": growth, "latency": latency, "words": compareFinders, "load": load, "engines": engines, "indexing": indexing, "soak": soak, "pushdown": pushdowns}
	if len(args) == 0 || verbs[args[0]] == nil {
		return fmt.Errorf("expected scan, growth, latency, words, load, engines, indexing, soak or pushdown")
	}
	return verbs[args[0]](ctx, args[1:])
}
