//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/retry"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

// soaking is a server under a mixed load: writes, deletes, searches, backups,
// restores, compactions, scrubs and, in the first half, kills. In the second half its
// memory and its descriptors should not grow.
type soaking struct {
	dir, binary, port string
	began             time.Time
	half              time.Duration

	mu     sync.Mutex // held for reading the process and for starting another
	server *exec.Cmd

	writers                                     []*soakWriter
	kills, backups, restores, searches, batches atomic.Int64
}

// soak runs the load for a while. It fails if a document was lost or memory grows.
func soak(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("soak", flag.ExitOnError)
	length := f.Duration("time", 30*time.Minute, "how long; kills come in the first half")
	every := f.Duration("kill", 45*time.Second, "how often the server is killed")
	_ = f.Parse(args) // it exits
	dir, err := os.MkdirTemp("", "nsfl-soak-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &soaking{dir: dir, half: *length / 2, binary: filepath.Join(dir, "nsfl")}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", s.binary, "./cmd/nsfl").CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, out)
	}
	if err := os.Mkdir(s.root(), 0o700); err != nil {
		return err
	}
	if s.port, err = testserver.FreePort(); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	defer s.end(syscall.SIGKILL)
	if _, err := s.call(ctx, http.MethodPost, "/v1/collections", map[string]string{"name": "soak"}, nil); err != nil {
		return err
	}
	s.began = time.Now()
	samples, err := s.run(ctx, *length, *every)
	if err != nil {
		return err
	}
	return s.judge(ctx, samples)
}

func (s *soaking) root() string { return filepath.Join(s.dir, "collections") }

// start starts the server and waits until it answers.
func (s *soaking) start(ctx context.Context) error {
	said := &testserver.Tail{}
	c := exec.Command(s.binary, "serve", "--listen", "127.0.0.1:"+s.port, "--log", "off", "--collections", s.root(),
		"--backup-to", filepath.Join(s.dir, "backups"), "--backup-every", "1m", "--backup-keep", "5",
		"--scrub-every", "30s", "--compact-documents", "50", "--compact-percent", "10")
	c.Stderr = said
	if err := c.Start(); err != nil {
		return err
	}
	s.server = c
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	return testserver.Wait(ctx, ended, said.String, func(ctx context.Context) bool {
		return testserver.Answers(ctx, "http://127.0.0.1:"+s.port+"/readyz")
	})
}

func (s *soaking) end(signal os.Signal) {
	_ = s.server.Process.Signal(signal) // it may have ended
	for s.server.Process.Signal(syscall.Signal(0)) == nil {
		time.Sleep(10 * time.Millisecond)
	}
}

// run runs the load and samples the server every second.
func (s *soaking) run(ctx context.Context, length, every time.Duration) (samples []soakSample, err error) {
	ctx, stop := context.WithTimeout(ctx, length)
	defer stop()
	all, ctx := errgroup.WithContext(ctx)
	do := func(f func(context.Context) error) {
		all.Go(func() error {
			if err := f(ctx); ctx.Err() == nil {
				return err
			}
			return nil
		})
	}
	for i := range 3 {
		w := &soakWriter{soaking: s, name: string(rune('a' + i)), random: rand.New(rand.NewPCG(uint64(i), 17)), held: map[string][]string{}}
		s.writers = append(s.writers, w)
		do(w.write)
	}
	do(s.search)
	do(s.search)
	do(s.keep)
	do(func(ctx context.Context) error { return s.killNowAndThen(ctx, every) })
	for retry.Sleep(ctx, time.Second) == nil {
		samples = append(samples, s.sample())
	}
	return samples, all.Wait()
}

// killNowAndThen kills the server in the first half of the time.
func (s *soaking) killNowAndThen(ctx context.Context, every time.Duration) error {
	for time.Since(s.began) < s.half {
		if err := retry.Sleep(ctx, every); err != nil {
			return nil //nolint:nilerr // the time is over
		}
		s.mu.Lock()
		s.end(syscall.SIGKILL)
		s.kills.Add(1)
		err := s.start(ctx)
		s.mu.Unlock()
		if err != nil {
			return fmt.Errorf("starting again after kill %d: %w", s.kills.Load(), err)
		}
	}
	return nil
}

// search searches continuously, except while the server is starting.
func (s *soaking) search(ctx context.Context) error {
	for ctx.Err() == nil {
		status, err := s.call(ctx, http.MethodPost, "/v1/collections/soak/search", map[string]any{"query": "number AND NOT version", "k": 5}, nil)
		if err != nil && status != 0 && status != http.StatusTooManyRequests {
			return err
		}
		s.searches.Add(1)
		_ = retry.Sleep(ctx, 50*time.Millisecond)
	}
	return nil
}

// keep makes backups and restores the newest one, in addition to the schedule.
func (s *soaking) keep(ctx context.Context) error {
	for n := 0; ctx.Err() == nil; n++ {
		var made struct {
			ID        string
			Documents int
		}
		status, err := s.call(ctx, http.MethodPost, "/v1/collections/soak/backups", nil, &made)
		switch {
		case err == nil:
			s.backups.Add(1)
		case status != 0 && status != http.StatusTooManyRequests:
			return err
		}
		if n%3 == 0 && err == nil {
			if err := s.restore(ctx, made.ID, made.Documents, fmt.Sprint("restored-", n)); err != nil {
				return err
			}
		}
		_ = retry.Sleep(ctx, 5*time.Second)
	}
	return nil
}

// restore restores a backup, and deletes the collection again.
func (s *soaking) restore(ctx context.Context, id string, documents int, name string) error {
	var c struct{ Documents int }
	status, err := s.call(ctx, http.MethodPost, "/v1/restore", map[string]string{"backup": id, "name": name}, &c)
	if err != nil {
		if status == 0 || status == http.StatusTooManyRequests {
			return nil
		}
		return err
	}
	if c.Documents != documents {
		return fmt.Errorf("backup %s of %d documents was restored with %d", id, documents, c.Documents)
	}
	s.restores.Add(1)
	if status, err = s.call(ctx, http.MethodDelete, "/v1/collections/"+name, nil, nil); err != nil && status != 0 {
		return err
	}
	return nil
}

// call sends a request. The status is 0 if the server did not answer.
func (s *soaking) call(ctx context.Context, method, path string, in, out any) (status int, err error) {
	var body []byte
	if in != nil {
		if body, err = json.Marshal(in); err != nil {
			return 0, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1:"+s.port+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	content, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return 0, err
	case response.StatusCode >= 300:
		return response.StatusCode, fmt.Errorf("%s %s: %d: %s", method, path, response.StatusCode, content)
	case out != nil:
		return response.StatusCode, json.Unmarshal(content, out)
	}
	return response.StatusCode, nil
}

// judge verifies the collection and prints the result.
func (s *soaking) judge(ctx context.Context, samples []soakSample) error {
	documents, err := s.compare(ctx)
	if err != nil {
		return err
	}
	s.end(syscall.SIGTERM)
	report, err := index.Verify(ctx, filepath.Join(s.root(), "soak"))
	if err != nil {
		return err
	}
	if len(report.Damage) > 0 {
		return fmt.Errorf("the collection is damaged: %v", report.Damage)
	}
	third := max(1, len(samples)/6) // of the second half
	early, late := meanOf(samples[len(samples)-3*third:len(samples)-2*third]), meanOf(samples[len(samples)-third:])
	fmt.Printf("%d batches, %d searches, %d backups, %d restores, %d kills; %d documents as acknowledged, lost: 0\n",
		s.batches.Load(), s.searches.Load(), s.backups.Load(), s.restores.Load(), s.kills.Load(), documents)
	fmt.Printf("after the last kill: %.0f MB and %.0f descriptors, in the end %.0f MB and %.0f\n", early.MB, early.Descriptors, late.MB, late.Descriptors)
	if late.MB > 1.5*early.MB+50 || late.Descriptors > early.Descriptors+30 {
		return errors.New("memory or descriptors grow")
	}
	return nil
}

// compare compares the documents of the server with those it has acknowledged.
func (s *soaking) compare(ctx context.Context) (documents int, err error) {
	stored := map[string]string{}
	for next := ""; ; {
		var page struct {
			Documents []struct{ ID, Text string }
			Next      string
		}
		if _, err := s.call(ctx, http.MethodGet, "/v1/collections/soak/documents?limit=500&after="+next, nil, &page); err != nil {
			return 0, err
		}
		for _, d := range page.Documents {
			stored[d.ID] = d.Text
		}
		if next = page.Next; next == "" {
			break
		}
	}
	var lost []string
	for _, w := range s.writers {
		lost = append(lost, w.missing(stored)...)
	}
	if len(lost) > 0 {
		return 0, fmt.Errorf("%d documents are not as acknowledged: %s", len(lost), strings.Join(lost[:min(10, len(lost))], "; "))
	}
	return len(stored), nil
}
