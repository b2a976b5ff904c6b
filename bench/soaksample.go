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

// soakSample is what is seen of the server at one moment.
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

// drawSoak is a plot of the samples over time, one line below the other.
func drawSoak(samples []soakSample) string {
	const width, panel, margin = 720, 120, 60
	series := []struct {
		name, colour string
		of           func(soakSample) float64
	}{
		{"MB resident", "#1f77b4", func(p soakSample) float64 { return p.MB }},
		{"descriptors", "#ff7f0e", func(p soakSample) float64 { return p.Descriptors }},
		{"deleted documents", "#2ca02c", func(p soakSample) float64 { return float64(p.Deleted) }},
		{"kills", "#d62728", func(p soakSample) float64 { return float64(p.Kills) }},
	}
	height := panel*len(series) + margin
	last := 1.0
	for _, p := range samples {
		last = max(last, p.Seconds)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for i, s := range series {
		top, bottom, most := float64(i*panel+24), float64((i+1)*panel), 1.0
		for _, p := range samples {
			most = max(most, s.of(p))
		}
		var path []string
		for _, p := range samples {
			path = append(path, fmt.Sprintf("%.1f,%.1f", margin+(width-2*margin)*p.Seconds/last, bottom-(bottom-top)*s.of(p)/most))
		}
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.0f</text><text x="%d" y="%.1f" text-anchor="end">0</text>`+"\n",
			margin, width-margin, bottom, bottom, margin-6, top+4, most, margin-6, bottom)
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/><text x="%d" y="%.1f" fill="%s">%s</text>`+"\n", strings.Join(path, " "), s.colour, margin+6, top-6, s.colour, s.name)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%.0f seconds</text></svg>`+"\n", width/2, height-24, last)
	return b.String()
}
