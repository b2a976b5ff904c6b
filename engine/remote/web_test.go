package remote

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWeb checks what a client does with answers that are too long, are not JSON, refuse or
// redirect.
func TestWeb(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			_, _ = w.Write([]byte(`{"key": "` + r.Header.Get("X-Key") + `"}`))
		case "/endless":
			for b := make([]byte, 1<<16); ; {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		case "/text":
			_, _ = w.Write([]byte("<html>"))
		case "/refused":
			http.Error(w, "not with hunter2", http.StatusForbidden)
		case "/elsewhere":
			http.Redirect(w, r, "/good", http.StatusFound)
		}
	}))
	defer server.Close()
	w := NewWeb(server.URL, Hide("hunter2"))
	w.MaxResponse = 1 << 20
	defer w.Close()
	if err := w.SetHeader("X-Key", "hunter2\n"); err == nil {
		t.Error("got no error for the end of a line in a header")
	}
	if err := w.SetHeader("X-Key", "hunter2"); err != nil {
		t.Fatal(err)
	}
	ask := func(path string) (string, error) {
		var answer struct{ Key string }
		err := w.Ask(context.Background(), http.MethodGet, path, nil, &answer)
		return answer.Key, err
	}
	if key, err := ask("/good"); err != nil || key != "hunter2" {
		t.Errorf("got the header %q, %v, want hunter2", key, err)
	}
	if _, err := ask("/endless"); !errors.Is(err, ErrLarge) {
		t.Errorf("an endless answer: got error %v, want ErrLarge", err)
	}
	bad := (*AnswerError)(nil)
	if _, err := ask("/text"); !errors.As(err, &bad) {
		t.Errorf("an answer that is not JSON: got error %v, want an *AnswerError", err)
	}
	if _, err := ask("/refused"); !Refused(err, http.StatusForbidden) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a refusal: got error %v, want status 403 without the key", err)
	}
	if _, err := ask("/elsewhere"); !Refused(err, http.StatusFound) {
		t.Errorf("a redirection: got error %v, want status 302", err)
	}
}
