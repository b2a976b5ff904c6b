//go:build unix

package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// filesEnv is how many files the child may open, where that is bounded.
const filesEnv = "NSFL_TEST_FILES"

func lowerLimit(text string) error {
	if text == "" {
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return err
	}
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return err
	}
	r.Cur, r.Max = n, n
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &r)
}

// A server with more collections than it may open files for serves all of them.
func TestFewFiles(t *testing.T) {
	root := t.TempDir()
	first := start(t, Config{Root: root})
	first.call(201, "POST", "/v1/collections", `{"name": "c0"}`)
	first.call(200, "POST", "/v1/collections/c0/documents", animals)
	first.stop()
	if err := <-first.ended; err != nil {
		t.Fatal(err)
	}
	first.ended <- nil
	const all = 40
	for i := 1; i < all; i++ {
		if err := os.CopyFS(filepath.Join(root, fmt.Sprint("c", i)), os.DirFS(filepath.Join(root, "c0"))); err != nil {
			t.Fatal(err)
		}
	}
	_, address := startChild(t, childEnv+"="+root, filesEnv+"=128")
	for range 2 {
		response, err := http.Get("http://" + address + "/v1/collections")
		if err != nil {
			t.Fatal(err)
		}
		var list CollectionList
		err = json.NewDecoder(response.Body).Decode(&list)
		response.Body.Close()
		if err != nil || len(list.Collections) != all {
			t.Fatalf("%d collections are listed: %v", len(list.Collections), err)
		}
		for _, c := range list.Collections {
			if c.Problem != "" || c.Documents != 4 || c.ReadOnly {
				t.Errorf("got %+v, want 4 documents that can be written, without a problem", c)
			}
		}
		for i := range all {
			path := fmt.Sprintf("http://%s/v1/collections/c%d/", address, i)
			for _, ask := range []struct{ path, body string }{{"search", `{"query": "dog"}`}, {"documents/delete", `{"ids": ["none"]}`}} {
				response, err := http.Post(path+ask.path, "application/json", strings.NewReader(ask.body))
				if err != nil {
					t.Fatal(err)
				}
				if response.Body.Close(); response.StatusCode != 200 {
					t.Errorf("%s of collection %d: %d", ask.path, i, response.StatusCode)
				}
			}
		}
	}
}
