package weaviate

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/internal/testserver"
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
		"zeros":          {strings.Repeat("\x00", 1000), "malformed HTTP"},
		"a page":         {answerOf("200 OK", "<html>"), odd},
		"a list":         {answerOf("200 OK", "[]"), odd},
		"nothing inside": {answerOf("200 OK", "{}"), odd},
		"an odd version": {answerOf("200 OK", `{"version": "one"}`), odd},
		"an old version": {answerOf("200 OK", `{"version": "1.24.1"}`), "Weaviate 1.24.1, and 1.33 or later"},
		"not found":      {answerOf("404 Not Found", ""), odd},
		"forbidden":      {answerOf("403 Forbidden", "to Bearer hunter2"), "set WEAVIATE_API_KEY to a key that may read the class"},
		"a bad gateway":  {answerOf("502 Bad Gateway", "hunter2\xff"+strings.Repeat("x", 5000)), "502"},
		"half":           {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{", "hung up"},
		"a redirection":  {"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "302"},
	} {
		_, err := Open(context.Background(), "weaviate://"+testserver.Answering(t, c.answer)+"/", engine.Options{Dimension: dim, Timeout: 5 * time.Second})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 6000 {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Behind a good address for HTTP there may be another for gRPC.
func TestGarbageOverGRPC(t *testing.T) {
	c := sharedCluster(t)
	for name, answer := range map[string]string{"nothing": "", "zeros": strings.Repeat("\x00", 1000), "HTTP": answerOf("200 OK", "{}")} {
		url := fmt.Sprintf("weaviate://%s/?grpc=%s&collection=%s", c.HTTP(0), testserver.Answering(t, answer), filled(t, c, "cosine", enginetest.Documents(1))+"&vector=dense")
		if _, err := Open(context.Background(), url, engine.Options{Dimension: dim, Timeout: 5 * time.Second}); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAgain checks that only transient errors are retried.
func TestAgain(t *testing.T) {
	for err, want := range map[error]bool{
		status.Error(codes.Internal, ""): true, status.Error(codes.Unknown, ""): true, status.Error(codes.InvalidArgument, ""): false,
		status.Error(codes.Unauthenticated, ""): false, errGarbage: false, engine.ErrNotFound: false, context.Canceled: false,
	} {
		if got := again(err); got != want {
			t.Errorf("%v is retried: got %t, want %t", err, got, want)
		}
	}
}
