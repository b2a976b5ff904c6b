package weaviate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

func answerOf(code, body string) string {
	return fmt.Sprintf("HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", code, len(body), body)
}

// TestGarbage checks that answers from other servers are clear errors, not crashes.
func TestGarbage(t *testing.T) {
	t.Setenv("WEAVIATE_API_KEY", "hunter2")
	const odd = "is this a Weaviate server"
	for name, c := range map[string]struct{ answer, want string }{
		"nothing":        {"", "hung up"},
		"zeros":          {strings.Repeat("\x00", 1000), "malformed HTTP response"},
		"a page":         {answerOf("200 OK", "<html>"), odd},
		"a list":         {answerOf("200 OK", "[]"), odd},
		"nothing inside": {answerOf("200 OK", "{}"), odd},
		"an odd version": {answerOf("200 OK", `{"version": "one"}`), odd},
		"an old version": {answerOf("200 OK", `{"version": "1.24.1"}`), "Weaviate 1.24.1, and 1.33 or later"},
		"not found":      {answerOf("404 Not Found", ""), odd},
		"forbidden":      {answerOf("403 Forbidden", "to Bearer hunter2"), "refuses the key: set WEAVIATE_API_KEY to one that may do this (403 Forbidden: to Bearer …)"},
		"a bad gateway":  {answerOf("502 Bad Gateway", "hunter2\xff"+strings.Repeat("x", 5000)), "the server says: 502 Bad Gateway: …"},
		"half":           {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{", "hung up"},
		"a redirection":  {"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "302 Found"},
	} {
		_, err := Open(context.Background(), "weaviate://"+enginetest.Answering(t, c.answer)+"/", engine.Options{Dimension: dim, Timeout: 5 * time.Second})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 6000 {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Behind a good address for HTTP there may be another for gRPC.
func TestGarbageOverGRPC(t *testing.T) {
	c := sharedCluster(t)
	for name, answer := range map[string]string{"nothing": "", "zeros": strings.Repeat("\x00", 1000), "HTTP": answerOf("200 OK", "{}")} {
		url := fmt.Sprintf("weaviate://%s/?grpc=%s&collection=%s", c.HTTP(0), enginetest.Answering(t, answer), filled(t, c, "cosine", enginetest.Documents(1))+"&vector=dense")
		if _, err := Open(context.Background(), url, engine.Options{Dimension: dim, Timeout: 5 * time.Second}); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An answer without an end is cut.
func TestEndlessAnswer(t *testing.T) {
	usual := maxBody
	maxBody = 1 << 20
	defer func() { maxBody = usual }()
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for b := make([]byte, 1<<16); ; {
			if _, err := w.Write(b); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	_, err := Open(context.Background(), "weaviate://"+endless.Listener.Addr().String(), engine.Options{Timeout: 5 * time.Second})
	if !errors.Is(err, errGarbage) || !strings.Contains(err.Error(), "more than 1048576 bytes") {
		t.Error(err)
	}
}

// What Weaviate says of an error is in the message, in whichever of its forms, and
// not the JSON around it.
func TestMessages(t *testing.T) {
	for body, want := range map[string]string{
		`{"error": [{"message": "no such class"}, {"message": "x"}]}`: "no such class",
		`{"code": 422, "message": "validation failed"}`:               "validation failed",
		`{"error": "busy"}`: `{"error": "busy"}`,
		`{}`:                `{}`,
		"<html>":            "<html>",
		"":                  "",
	} {
		if got := message([]byte(body)); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

// TestAgain checks that only transient errors are retried.
func TestAgain(t *testing.T) {
	h := new(host)
	for code, want := range map[int]bool{302: false, 400: false, 401: false, 404: false, 422: false, 429: true, 500: true, 501: false, 503: true} {
		if got := again(h.says(codeOf(code), "")); got != want {
			t.Errorf("%d is tried again: %t", code, got)
		}
	}
	for err, want := range map[error]bool{errSilent: true, errGarbage: false, engine.ErrNotFound: false, context.Canceled: false} {
		if got := again(err); got != want {
			t.Errorf("%v is tried again: %t", err, got)
		}
	}
	if again(fmt.Errorf("%w: %w", errLost, &tls.CertificateVerificationError{})) {
		t.Error("a certificate that is not trusted is tried again")
	}
}
