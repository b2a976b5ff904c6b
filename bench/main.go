//go:build linux

// Command bench prints the figures of bench/PERFORMANCE.md and doc/engines.md that a Go
// benchmark cannot measure.
//
//	go run ./bench scan      the kernels of vec compared with OpenBLAS
//	go run ./bench latency   the steps of a search, mode by mode
//	go run ./bench engines   searches of attached tables beside plain statements
//	go run ./bench soak      a server under load, killed again and again; nothing may be lost
package main

import (
	"context"
	"errors"
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
	commands := map[string]func(context.Context, []string) error{"scan": scan, "latency": latency, "engines": engines, "soak": soak}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New("expected scan, latency, engines or soak")
	}
	return commands[args[0]](ctx, args[1:])
}
