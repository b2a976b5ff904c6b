//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
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

func inMS(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// loadAverage returns the machine's load over the last minute.
func loadAverage() float64 {
	data, _ := os.ReadFile("/proc/loadavg")
	var load float64
	_, _ = fmt.Sscan(string(data), &load) // 0 if unknown
	return load
}

// processor returns the processor time of processes.
func processor(pids []int) (all time.Duration) {
	const tick = 10 * time.Millisecond // USER_HZ is 100 wherever Go runs
	for _, pid := range pids {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		// The second field is a name in brackets, and may hold anything.
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		if len(fields) < 13 {
			continue // it has ended
		}
		user, _ := strconv.ParseInt(fields[11], 10, 64)
		system, _ := strconv.ParseInt(fields[12], 10, 64)
		all += time.Duration(user+system) * tick
	}
	return all
}

// own returns the processor time of this process.
func own() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
