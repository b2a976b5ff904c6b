package main

import (
	"bufio"
	"io"
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
