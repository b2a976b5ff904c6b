//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl"
)

// load puts twice the rate that a server can hold on it, from a second process
// (autocannon, from npm), while documents are written, and then looks whether
// anything but 429 came back and whether every acknowledged document is there.
func load(ctx context.Context, args []string) error {
	const seconds, tool = 60, ".cache/autocannon/node_modules/.bin/autocannon"
	f := flag.NewFlagSet("load", flag.ExitOnError)
	n := f.Int("n", 100_000, "documents")
	_ = f.Parse(args) // it exits
	if _, err := os.Stat(tool); err != nil {
		return fmt.Errorf("%w; get it with npm install --prefix .cache/autocannon autocannon", err)
	}
	dir, err := os.MkdirTemp("", "load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := startServer(ctx, dir, *n)
	if err != nil {
		return err
	}
	defer s.stop()
	calm, err := cannon(ctx, tool, s.url, 2, 0, 10)
	if err != nil {
		return err
	}
	rate := int(2 * calm.Requests.Average)
	fmt.Printf("%d documents. Two connections, 10 s: %.0f searches a second, p50 %.1f ms, p99 %.1f ms.\n", *n, calm.Requests.Average, calm.Latency.P50, calm.Latency.P99)
	fmt.Printf("Then %d a second over 64 connections for %d s, and documents written meanwhile.\n", rate, seconds)

	writing, cancel := context.WithCancel(ctx)
	defer cancel()
	var written writes
	var writer sync.WaitGroup
	writer.Go(func() { written.run(writing, s) })
	storm, err := cannon(ctx, tool, s.url, 64, rate, seconds)
	cancel()
	writer.Wait()
	if err != nil {
		return err
	}
	lost, err := written.lost(s.url)
	if err != nil {
		return err
	}
	head(os.Stdout, "", "")
	fmt.Printf("| answered with 200, a second | %.0f |\n", float64(storm.Codes["200"].Count)/float64(seconds))
	fmt.Printf("| refused with 429, a second | %.0f |\n", float64(storm.Codes["429"].Count)/float64(seconds))
	other := 0
	for code, c := range storm.Codes {
		if code != "200" && code != "429" {
			other += c.Count
		}
	}
	fmt.Printf("| any other answer, errors, time-outs | %d, %d, %d |\n", other, storm.Errors, storm.Timeouts)
	fmt.Printf("| p50, p99 of all answers, ms | %.1f, %.1f |\n", storm.Latency.P50, storm.Latency.P99)
	fmt.Printf("| documents written and acknowledged; refused with 429; lost | %d; %d; %d |\n", len(written.acknowledged), written.refused, lost)
	fmt.Printf("| other answers to writes | %d |\n", len(written.strange))
	fmt.Printf("| the server's resident memory at most, MB (mapped files included) | %d |\n", written.peak>>20)
	if other+storm.Errors+storm.Timeouts+lost+len(written.strange) > 0 {
		return fmt.Errorf("something else than 429 went wrong: %v", written.strange)
	}
	return nil
}

// served is nsfl serve in a process of its own.
type served struct {
	url  string
	cmd  *exec.Cmd
	stop func()
}

func startServer(ctx context.Context, dir string, n int) (*served, error) {
	binary := filepath.Join(dir, "nsfl")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/nsfl").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building: %w: %s", err, out)
	}
	root := filepath.Join(dir, "collections")
	c, err := nsfl.Open(ctx, filepath.Join(root, "load"), nil)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(multiply(ctx, c, n), c.Close()); err != nil {
		return nil, err
	}
	ctx, interrupt := context.WithCancel(ctx)
	s := &served{cmd: exec.CommandContext(ctx, binary, "serve", "--collections", root, "--listen", "127.0.0.1:0", "--log", "off")}
	s.cmd.Stderr, s.cmd.WaitDelay = os.Stderr, 20*time.Second
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(os.Interrupt) }
	s.stop = func() {
		interrupt()
		_ = s.cmd.Wait() // that it was interrupted is no news
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("the server said nothing: %w", err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	address, _, _ := strings.Cut(rest, ";")
	s.url = "http://" + address + "/v1/collections/load"
	return s, nil
}

// shot is what autocannon reports.
type shot struct {
	Requests struct{ Average float64 }
	Latency  struct{ P50, P99 float64 }
	Codes    map[string]struct{ Count int } `json:"statusCodeStats"`
	Errors   int
	Timeouts int
}

// cannon sends searches over some connections, at a rate or, where that is 0, each
// after the answer to the one before.
func cannon(ctx context.Context, tool, url string, connections, rate, seconds int) (*shot, error) {
	args := []string{
		"-c", strconv.Itoa(connections), "-d", strconv.Itoa(seconds), "-m", "POST", "--json", "-n",
		"-H", "content-type=application/json", "-b", `{"query": "dog AND NOT ball", "k": 10, "mode": "hybrid"}`,
	}
	if rate > 0 {
		args = append(args, "-R", strconv.Itoa(rate))
	}
	out, err := exec.CommandContext(ctx, tool, append(args, url+"/search")...).Output()
	if err != nil {
		return nil, fmt.Errorf("running %s: %w", tool, err)
	}
	s := &shot{}
	return s, json.Unmarshal(out, s)
}

// writes are documents that are written one after the other.
type writes struct {
	acknowledged []string
	refused      int
	strange      []string
	peak         int64 // of the server's resident memory, meanwhile
}

func (w *writes) run(ctx context.Context, s *served) {
	for i := 0; ctx.Err() == nil; i++ {
		w.peak = max(w.peak, resident(s.cmd.Process.Pid))
		id := fmt.Sprintf("written-%06d", i)
		body := fmt.Sprintf(`{"id": %q, "text": "A dog that was written during the storm, number %d."}`, id, i)
		// A request that has begun is seen to its end, so that its answer counts.
		answer, err := http.Post(s.url+"/documents", "application/json", strings.NewReader(body))
		if err != nil {
			w.strange = append(w.strange, err.Error())
			continue
		}
		content, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		switch answer.StatusCode {
		case http.StatusOK, http.StatusCreated:
			w.acknowledged = append(w.acknowledged, id)
		case http.StatusTooManyRequests:
			w.refused++
			time.Sleep(100 * time.Millisecond)
		default:
			w.strange = append(w.strange, string(bytes.TrimSpace(content)))
		}
	}
}

// lost counts acknowledged documents that are not there.
func (w *writes) lost(url string) (n int, err error) {
	for _, id := range w.acknowledged {
		answer, err := http.Get(url + "/documents/" + id)
		if err != nil {
			return n, err
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			n++
		}
	}
	return n, nil
}
