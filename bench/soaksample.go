//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
)

// soakSample is the memory and the descriptors of the server at one moment.
type soakSample struct{ MB, Descriptors float64 }

func (s *soaking) sample() (p soakSample) {
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
	return p
}

func meanOf(samples []soakSample) (m soakSample) {
	for _, p := range samples {
		m.MB += p.MB / float64(len(samples))
		m.Descriptors += p.Descriptors / float64(len(samples))
	}
	return m
}
