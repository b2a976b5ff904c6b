package chroma

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

// TestGarbage checks that answers from other servers are errors, not crashes.
func TestGarbage(t *testing.T) {
	t.Setenv("CHROMA_TOKEN", "hunter2")
	for name, answer := range map[string]string{
		"nothing":       "",
		"zeros":         strings.Repeat("\x00", 1000),
		"another":       "220 mail.example.org ESMTP\r\n",
		"no JSON":       "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
		"other JSON":    "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}",
		"half":          "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"id\":",
		"endless":       "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999\r\n\r\n{",
		"no header end": "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 100_000),
		"an echo":       "HTTP/1.1 401 Unauthorized\r\nContent-Length: 21\r\n\r\nnot the token hunter2",
		"elsewhere":     "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
		"an error page": "HTTP/1.1 404 Not Found\r\nContent-Length: 26\r\n\r\n<html>no such page</html>\n",
	} {
		url := "chroma://" + testserver.Answering(t, answer) + "/?collection=films"
		_, err := Open(context.Background(), url, engine.Options{Timeout: 5 * time.Second})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") || len(err.Error()) > 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The token goes to the server, and nowhere else.
func TestToken(t *testing.T) {
	t.Setenv("CHROMA_TOKEN", "hunter2")
	t.Setenv("CHROMA_AUTHORIZATION", "Bearer hunter3")
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another server was asked") }))
	defer elsewhere.Close()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if token, authorization := r.Header.Get("X-Chroma-Token"), r.Header.Get("Authorization"); token != "hunter2" || authorization != "Bearer hunter3" {
			t.Errorf("token %q, authorization %q", token, authorization)
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	_, err := Open(context.Background(), "chroma://"+strings.TrimPrefix(server.URL, "http://")+"/?collection=films", engine.Options{})
	if err == nil || asked != 1 || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter") || !strings.Contains(err.Error(), "307") {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

// A server whose certificate is not trusted is not asked, nor asked again.
func TestUntrusted(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	_, err := Open(context.Background(), "chroma://"+strings.TrimPrefix(server.URL, "https://")+"/?collection=films&tls=true", engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), "tries") {
		t.Errorf("got error %v, want one about the certificate, without another try", err)
	}
}
