package openai

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
)

type behaviour = func(w http.ResponseWriter, r *http.Request, asked request, n int)

// first misbehaves a number of times, and then answers correctly.
func first(times int, b behaviour) behaviour {
	return func(w http.ResponseWriter, r *http.Request, asked request, n int) {
		if n < times {
			b(w, r, asked, n)
			return
		}
		answerWell(w, asked)
	}
}

// altered answers with modified elements.
func altered(change func(data []element) any) behaviour {
	return func(w http.ResponseWriter, _ *http.Request, asked request, _ int) {
		answerWith(w, change(elements(asked)))
	}
}

// respond answers with a status and a body.
func respond(code int, body string) behaviour {
	return func(w http.ResponseWriter, _ *http.Request, _ request, _ int) {
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

// slow answers long after the test's timeout.
func slow(w http.ResponseWriter, r *http.Request, asked request, _ int) {
	select {
	case <-time.After(5 * time.Second):
		answerWell(w, asked)
	case <-r.Context().Done():
	}
}

// hangUp closes the connection in the middle of the body.
func hangUp(w http.ResponseWriter, _ *http.Request, _ request, _ int) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"data\":[{\"ind")
	conn.Close()
}

// giant sends an endless body.
func giant(w http.ResponseWriter, _ *http.Request, _ request, _ int) {
	fmt.Fprint(w, `{"data":[`)
	for chunk := strings.Repeat(" ", 1<<16); ; {
		if _, err := fmt.Fprint(w, chunk); err != nil {
			return
		}
	}
}

// Either the vectors are right, or the error says what is wrong.
func TestMisbehaviour(t *testing.T) {
	texts := numbered(5)
	number := func(x any) behaviour {
		return altered(func(data []element) any {
			v := []any{1, 2, 3, 4, 5, 6, 7, x}
			data[3].Embedding = v
			return data
		})
	}
	for _, c := range []struct {
		name     string
		behave   behaviour
		want     string // part of the error; empty if there is none
		requests int
	}{
		{"shuffled", altered(func(data []element) any { slices.Reverse(data); return data }), "", 1},
		{"500, then correct", first(2, respond(500, "oops")), "", 3},
		{"503, then correct", first(1, respond(503, "")), "", 2},
		{"429, then correct", first(2, respond(429, "")), "", 3},
		{"hangs up, then correct", first(2, hangUp), "", 3},
		{"slow, then correct", first(1, slow), "", 2},

		{"500", respond(500, `{"error":"oops"}`), "answers 500 Internal Server Error (oops)", 4},
		{"429", respond(429, `{"error":{"message":"slow\ndown"}}`), "answers 429 Too Many Requests (slow down); send less at once", 4},
		{"429 for lack of credit", respond(429, `{"error":{"message":"pay","code":"insufficient_quota"}}`), "429 Too Many Requests (pay)", 1},
		{"hangs up", hangUp, "after 4 tries: no answer from the server: it ended after 14 bytes: unexpected EOF", 4},
		{"slow", slow, "after 4 tries: no answer from the server: none within 400ms", 4},

		{"400", respond(400, `{"detail":"what?"}`), "400 Bad Request (what?)", 1},
		{"401", respond(401, `{"message":"who?"}`), "401 Unauthorized (who?); it requires a key: set the environment variable", 1},
		{"404", respond(404, "404 page not found"), `404 Not Found ("404 page not found"); check that 127.0.0.1:`, 1},
		{"404 of a model", respond(404, `{"error":{"message":"model not found"}}`), `(model not found); check`, 1},
		{"501", respond(501, ""), "501 Not Implemented", 1},
		{"moved", func(w http.ResponseWriter, r *http.Request, _ request, _ int) {
			http.Redirect(w, r, "http://user:secret@127.0.0.1:1/other", http.StatusMovedPermanently)
		}, "redirects are not followed: change the base address if http://127.0.0.1:1/other is the right one", 1},

		{"garbage", respond(200, "<html>\nHello"), `which begins with "<html> Hello": it is not JSON: invalid character '<'`, 1},
		{"empty", respond(200, ""), "it is not JSON: unexpected end", 1},
		{"error with 200", respond(200, `{"error":"no model"}`), `"{\"error\":\"no model\"}": it has 0 vectors for 5 texts`, 1},
		{"giant", giant, "it is longer than", 1},
		{"too few", altered(func(data []element) any { return data[:4] }), "it has 4 vectors for 5 texts", 1},
		{"too many", altered(func(data []element) any { return append(data, data[0]) }), "it has 6 vectors for 5 texts", 1},
		{"twice", altered(func(data []element) any { data[1].Index = 0; return data }), "the index 0 occurs twice", 1},
		{"outside", altered(func(data []element) any { data[1].Index = 5; return data }), "element 1 has the index 5, but only 5 texts were sent", 1},
		{"no index", altered(func(data []element) any {
			return []any{data[0], data[1], data[2], data[3], map[string]any{"embedding": data[4].Embedding}}
		}), "element 4 has no index", 1},
		{"wrong dimension", altered(func(data []element) any { data[2].Embedding = []float32{1, 2}; return data }), "the vector with index 2 has 2 dimensions, not 8", 1},
		{"null", number(nil), "the vector with index 3 has null (NaN) at position 7", 1},
		{"bare NaN", respond(200, `{"data":[{"index":0,"embedding":[NaN]}]}`), "it is not JSON: invalid character 'N'", 1},
		{"too large a number", number(1e300), "has a number at position 7 that overflows", 1},
		{"no number", number("7"), "has something other than a number at position 7", 1},
		{"zero", altered(func(data []element) any { data[0].Embedding = make([]float32, testDim); return data }), "is zero, which has no direction", 1},
		{"token vectors", altered(func(data []element) any { data[0].Embedding = [][]float32{{1}, {2}}; return data }), "is a list of lists", 1},
		{"base64", altered(func(data []element) any { data[0].Embedding = "AAAA"; return data }), "not a list of numbers", 1},
		{"no vector", altered(func(data []element) any { data[0].Embedding = nil; return data }), "is missing", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, c.behave)
			config := s.config()
			config.Retries, config.Timeout = 3, 30*time.Second
			switch c.name {
			case "slow":
				config.Timeout = 400 * time.Millisecond
			case "slow, then correct": // on a busy machine, a correct answer takes a while, too
				config.Timeout = 3 * time.Second
			}
			got, err := open(t, t.Context(), config).Encode(t.Context(), encoder.Document, texts)
			switch {
			case c.want == "" && err == nil:
				expectVectors(t, got.Vectors, texts)
			case c.want == "" || err == nil || !strings.Contains(err.Error(), c.want):
				t.Errorf("got error %v, want %q", err, c.want)
			case !strings.HasPrefix(err.Error(), "encoding with test@127.0.0.1:"):
				t.Errorf("got error %v, which does not say what was being done", err)
			}
			if n := len(s.requests()); n != c.requests {
				t.Errorf("got %d requests, want %d", n, c.requests)
			}
		})
	}
}

// Retry-After is honored, in seconds or as a date.
func TestRetryAfter(t *testing.T) {
	for name, header := range map[string]func() string{
		"seconds": func() string { return "1" },
		"date":    func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) }, // truncated to whole seconds
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, first(1, func(w http.ResponseWriter, _ *http.Request, _ request, _ int) {
				w.Header().Set("Retry-After", header())
				refuse(w, 429, "", "slow down")
			}))
			e := open(t, t.Context(), s.config())
			start := time.Now()
			got, err := e.Encode(t.Context(), encoder.Query, []string{"a"})
			must(t, err)
			expectVectors(t, got.Vectors, []string{"a"})
			if d := time.Since(start); d < 900*time.Millisecond {
				t.Errorf("got a retry after %s, want it a second later", d)
			}
		})
	}
}

// The encoder does not wait for a retry after the deadline, or in an hour.
func TestNoVainWait(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, asked request, _ int) {
		w.Header().Set("Retry-After", asked.Input[0])
		refuse(w, 429, "", "slow down")
	})
	e := open(t, t.Context(), s.config())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for after, want := range map[string]string{
		"90":   "(slow down); send less at once, or try later; the next try, in 1m30s, would come after the deadline",
		"3600": "it asks to wait 1h0m0s",
	} {
		_, err := e.Encode(ctx, encoder.Query, []string{after})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	if ctx.Err() != nil {
		t.Error("the encoder waited until the deadline, want an error at once")
	}
}

// A refused connection is retried, since a server that is starting may soon accept it.
func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := l.Addr().String()
	must(t, l.Close())
	c := Config{BaseURL: "http://user:secret@" + address + "/v1", Model: "test", Retries: 2}
	_, err = newEncoder(t.Context(), c, quick)
	want := "asking " + address + "/v1 for the dimension of test: after 3 tries: no answer from the server: dial tcp "
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "secret") {
		t.Errorf("got error %v, want %q", err, want)
	}
	c.Retries = -1
	if _, err = newEncoder(t.Context(), c, quick); err == nil || strings.Contains(err.Error(), "tries") {
		t.Errorf("without retries: got error %v", err)
	}
}
