// Package testserver helps to start engine servers for tests: it finds their
// installation, waits until they are ready, and keeps the end of their output. It does
// not know which servers exist. No product code imports it.
package testserver

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Installed returns the path of a server: the value of an environment variable, or a name
// in .cache of the folder with go.mod, at or above the current folder.
func Installed(variable, name string) (string, error) {
	if path := os.Getenv(variable); path != "" {
		return filepath.Abs(path)
	}
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			break
		}
	}
	return filepath.Join(dir, ".cache", name), err
}

// FreePort returns an unused port of this machine.
func FreePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close() //nolint:errcheck // nothing was written
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}

// Wait waits until a server is ready, has exited, or has taken too long. Errors include
// its output.
func Wait(ctx context.Context, ended <-chan struct{}, said func() string, ready func(context.Context) bool) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ready(ctx) {
		select {
		case <-tick.C:
		case <-ended:
			return fmt.Errorf("it has ended:\n%s", said())
		case <-ctx.Done():
			return fmt.Errorf("%w; its output:\n%s", ctx.Err(), said())
		}
	}
	return nil
}

// Answers reports whether a server answers a request with 200.
func Answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	return response.Body.Close() == nil && response.StatusCode == http.StatusOK
}

// Tail is a writer that keeps the end of its input.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *Tail) Write(p []byte) (int, error) {
	const kept = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-kept):]...)
	return len(p), nil
}

func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.text))
}
