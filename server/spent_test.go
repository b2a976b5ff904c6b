//go:build unix

package server

import (
	"os/signal"
	"testing"

	"golang.org/x/sys/unix"
)

// A write whose outcome is not known is told so, and the collection heals by itself.
func TestSpent(t *testing.T) {
	a := withAnimals(t)
	signal.Ignore(unix.SIGXFSZ)
	t.Cleanup(func() { signal.Reset(unix.SIGXFSZ) })
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	// No file may grow beyond some bytes, which fails writes as a broken disk does.
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 100, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	response, content := a.request("DELETE", "/v1/collections/pets/documents/cat", nil, nil)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != 503 || response.Header.Get("Retry-After") == "" {
		t.Errorf("status %d, %v: %s", response.StatusCode, response.Header, content)
	}
	a.call(200, "GET", "/v1/collections/pets/documents/cat", "")
	a.call(200, "POST", "/v1/collections/pets/documents", `{"id": "dog", "text": "A dog."}`)
	a.call(204, "DELETE", "/v1/collections/pets/documents/cat", "")
}
