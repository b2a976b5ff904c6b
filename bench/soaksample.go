//go:build linux

package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// soakSample is a measurement of the server at one moment.
type soakSample struct {
	Seconds, MB, Descriptors float64
	Documents, Deleted       int
	Kills, Backups, Batches  int64
}

func (s *soaking) sample(ctx context.Context) soakSample {
	p := soakSample{Seconds: time.Since(s.began).Seconds(), Kills: s.kills.Load(), Backups: s.backups.Load(), Batches: s.batches.Load()}
	s.mu.Lock()
	pid := s.server.Process.Pid
	s.mu.Unlock()
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
		if _, after, ok := strings.Cut(string(status), "VmRSS:"); ok {
			var kB float64
			if _, err := fmt.Sscan(after, &kB); err == nil {
				p.MB = kB / 1024
			}
		}
	}
	if open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
		p.Descriptors = float64(len(open))
	}
	var c struct{ Documents, Deleted int }
	if _, err := s.call(ctx, http.MethodGet, "/v1/collections/soak", nil, &c); err == nil {
		p.Documents, p.Deleted = c.Documents, c.Deleted
	}
	return p
}

// meanOf is the mean of memory and descriptors.
func meanOf(samples []soakSample) (m soakSample) {
	for _, p := range samples {
		m.MB += p.MB / float64(len(samples))
		m.Descriptors += p.Descriptors / float64(len(samples))
	}
	return m
}

func writeSamples(path string, samples []soakSample) error {
	var b strings.Builder
	b.WriteString("seconds,mb,descriptors,documents,deleted,kills,backups,batches\n")
	for _, p := range samples {
		fmt.Fprintf(&b, "%.0f,%.1f,%.0f,%d,%d,%d,%d,%d\n", p.Seconds, p.MB, p.Descriptors, p.Documents, p.Deleted, p.Kills, p.Backups, p.Batches)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
