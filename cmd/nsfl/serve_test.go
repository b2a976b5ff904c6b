package main

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A server that a program holds ends, in peace, when that has gone.
func TestServeUntilEOF(t *testing.T) {
	input, holder := io.Pipe()
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		done <- run(t.Context(), []string{"serve", "--collections", t.TempDir(), "--listen", "127.0.0.1:0", "--log", "off", "--until-eof"}, input, w, t.Output())
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "nsfl serves http://127.0.0.1:") {
		t.Fatalf("it says %q: %v", line, err)
	}
	select {
	case code := <-done:
		t.Fatalf("it ended with %d while it was held", code)
	default:
	}
	holder.Close()
	if code := <-done; code != exitOK {
		t.Errorf("it ended with %d", code)
	}
}

// With --log problems the log has what could not be answered, and nothing else.
func TestServeLogsProblems(t *testing.T) {
	input, holder := io.Pipe()
	r, w := io.Pipe()
	var log strings.Builder
	done := make(chan int)
	go func() {
		done <- run(t.Context(), []string{"serve", "--demo", "--listen", "127.0.0.1:0", "--log", "problems", "--until-eof"}, input, w, &log)
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(line, "nsfl serves "), ";")
	for _, path := range []string{"/v1/collections", "/v1/collections/demo/backups"} { // of which it keeps none
		response, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	holder.Close()
	if code := <-done; code != exitOK {
		t.Errorf("it ended with %d", code)
	}
	if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "level=ERROR") || !strings.Contains(said, "no place for backups") {
		t.Errorf("the log has %q", said)
	}
}
