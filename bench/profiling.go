//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime/pprof"
)

// profiling writes a profile of the processor until it is stopped.
func profiling(file string) (stop func(), err error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		if err := f.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
	}, nil
}
