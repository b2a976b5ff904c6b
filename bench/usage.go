//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// loadAverage returns the machine's load over the last minute.
func loadAverage() float64 {
	data, _ := os.ReadFile("/proc/loadavg")
	var load float64
	_, _ = fmt.Sscan(string(data), &load) // 0 if unknown
	return load
}

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

// memory returns the bytes of memory of processes. Shared pages count once.
func memory(pids []int) (all int64) {
	for _, pid := range pids {
		all += numberIn(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss:") << 10
	}
	return all
}

// numberIn returns the first number after a name at the start of a line, or 0.
func numberIn(file, name string) int64 {
	data, _ := os.ReadFile(file)
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), name); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n
		}
	}
	return 0
}

// disk returns the size of the files in a folder.
func disk(dir string) (all int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // a server may remove files meanwhile
		}
		if info, err := d.Info(); err == nil {
			all += info.Size()
		}
		return nil
	})
	return all
}
