package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
)

func numbered(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i)
	}
	return texts
}

func TestBatches(t *testing.T) {
	for _, n := range []int{1, 2, 9, 10, 11, 95} {
		s := newServer(t, nil)
		c := s.config()
		c.MaxBatch, c.Parallel = 10, 3
		e := open(t, t.Context(), c)
		texts := numbered(n)
		got, err := e.Encode(t.Context(), encoder.Document, texts)
		must(t, err)
		expectVectors(t, got.Vectors, texts)
		if len(got.Cut) != n {
			t.Errorf("%d texts: got %d elements in Cut", n, len(got.Cut))
		}
		if want := (n + 9) / 10; len(s.requests()) != want {
			t.Errorf("%d texts: got %d requests, want %d", n, len(s.requests()), want)
		}
		for _, r := range s.requests() {
			if len(r.Input) > 10 || r.Model != "test" || r.Dimensions != testDim || r.Format != "float" {
				t.Errorf("%d texts: unexpected request %+v", n, r)
			}
		}
		if s.most > 3 {
			t.Errorf("%d texts: got %d concurrent requests, want at most 3", n, s.most)
		}
	}
}

func TestEmptyBatch(t *testing.T) {
	s := newServer(t, nil)
	got, err := open(t, t.Context(), s.config()).Encode(t.Context(), encoder.Query, nil)
	must(t, err)
	if len(got.Vectors) != 0 || len(s.requests()) != 0 {
		t.Errorf("got %d vectors, %d requests for no texts", len(got.Vectors), len(s.requests()))
	}
}

func TestPrefixes(t *testing.T) {
	s := newServer(t, nil)
	c := s.config()
	c.Prefixes = encoder.Prefixes{Query: "query: ", Passage: "passage: "}
	e := open(t, t.Context(), c)
	for role, want := range map[encoder.Role]string{encoder.Query: "query: a", encoder.Document: "a", encoder.Passage: "passage: a"} {
		got, err := e.Encode(t.Context(), role, []string{"a"})
		must(t, err)
		expectVectors(t, got.Vectors, []string{want})
	}
	if _, err := e.Encode(t.Context(), 3, []string{"a"}); err == nil {
		t.Error("an unknown role was accepted")
	}
}

func TestIdentity(t *testing.T) {
	s := newServer(t, nil)
	c := s.config()
	c.Dimensions = 0
	c.BaseURL = strings.Replace(c.BaseURL, "http://", "http://user:secret@", 1) + "/"
	c.Prefixes.Query = "q: "
	e := open(t, t.Context(), c)
	want := encoder.Identity{
		Name: "test", Revision: strings.TrimPrefix(s.URL, "http://") + "/v1", Dimension: testDim,
		Prefixes: encoder.Prefixes{Query: "q: "},
	}
	if got := e.Identity(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if asked := s.requests(); len(asked) != 1 || len(asked[0].Input) != 1 || asked[0].Dimensions != 0 {
		t.Errorf("unexpected request for the dimension: %+v", asked)
	}
	if user, password, ok := (&http.Request{Header: s.headers[0]}).BasicAuth(); !ok || user != "user" || password != "secret" {
		t.Errorf("the credentials of the base address were not sent: %v", s.headers[0])
	}
	// A configured dimension needs no request.
	if e := open(t, t.Context(), s.config()); e.Identity().Dimension != testDim || len(s.requests()) != 1 {
		t.Errorf("got %s after %d requests", e.Identity(), len(s.requests()))
	}
}

func TestKey(t *testing.T) {
	const key = "sk-0123456789"
	t.Setenv("OPENAI_TEST_KEY", key+"\n")
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, asked request, n int) {
		switch sent := r.Header.Get("Authorization"); {
		case sent != "Bearer "+key:
			refuse(w, 401, "", "no")
		case asked.Input[0] == "refuse":
			refuse(w, 403, "", "the key "+key+" is not good enough")
		case asked.Input[0] == "page":
			fmt.Fprint(w, "<html>you sent ", sent)
		default:
			answerWell(w, asked)
		}
	})
	c := s.config()
	c.APIKeyEnv = "OPENAI_TEST_KEY"
	e := open(t, t.Context(), c)
	if _, err := e.Encode(t.Context(), encoder.Query, []string{"a"}); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"refuse", "page"} {
		_, err := e.Encode(t.Context(), encoder.Query, []string{text})
		if err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "[secret]") {
			t.Errorf("%s: got %v, want it without the key", text, err)
		}
	}
}

// TestTooLarge uses a server that limits the size of a request.
func TestTooLarge(t *testing.T) {
	for kind, code := range map[string]int{"": 413, "max_tokens_per_request": 400} {
		s := newServer(t, func(w http.ResponseWriter, _ *http.Request, asked request, _ int) {
			if len(strings.Join(asked.Input, "")) > 40 {
				refuse(w, code, kind, "too large")
				return
			}
			answerWell(w, asked)
		})
		c := s.config()
		c.MaxBatch = 16
		e := open(t, t.Context(), c)
		texts := numbered(50)
		got, err := e.Encode(t.Context(), encoder.Document, texts)
		must(t, err)
		expectVectors(t, got.Vectors, texts)

		texts[37] = strings.Repeat("x", 41)
		_, err = e.Encode(t.Context(), encoder.Document, texts)
		var status *StatusError
		if !errors.As(err, &status) || status.Code != code || !strings.Contains(err.Error(), "text 37, of 41 bytes, is too long for the server; shorten it") {
			t.Errorf("%d: got error %v", code, err)
		}
	}
}

// A cancelled call ends soon with the context's own error, at whatever point.
func TestCancel(t *testing.T) {
	for name, behave := range map[string]func(http.ResponseWriter, *http.Request, request, int){
		"before the answer": func(_ http.ResponseWriter, r *http.Request, _ request, _ int) { <-r.Context().Done() },
		"inside the answer": func(w http.ResponseWriter, r *http.Request, _ request, _ int) {
			fmt.Fprint(w, `{"data":[`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"in a pause": func(w http.ResponseWriter, _ *http.Request, _ request, _ int) {
			w.Header().Set("Retry-After", "60")
			refuse(w, 429, "", "slow down")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, behave)
			c := s.config()
			c.MaxBatch = 1
			e := open(t, t.Context(), c)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			start := time.Now()
			_, err := e.Encode(ctx, encoder.Document, numbered(20))
			if err != context.Canceled { //nolint:errorlint // it must be this very error
				t.Errorf("got error %v, want context.Canceled", err)
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("cancelling took %s, want it before the next try", d)
			}
			c.Dimensions = 0
			if _, err := newEncoder(ctx, c, quick); err != context.Canceled { //nolint:errorlint // as above
				t.Errorf("New: got error %v, want context.Canceled", err)
			}
		})
	}
}

// After the first error no further requests are sent.
func TestFirstErrorStops(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ request, _ int) { refuse(w, 400, "", "no") })
	c := s.config()
	c.MaxBatch, c.Parallel = 1, 2
	_, err := open(t, t.Context(), c).Encode(t.Context(), encoder.Document, numbered(100))
	if err == nil || len(s.requests()) > 2 {
		t.Errorf("got error %v after %d requests", err, len(s.requests()))
	}
}

func TestConcurrent(t *testing.T) {
	s := newServer(t, nil)
	c := s.config()
	c.MaxBatch, c.Parallel = 3, 4
	e := open(t, t.Context(), c)
	texts := numbered(40)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			mine := slices.Clone(texts[i : i+20])
			got, err := e.Encode(t.Context(), encoder.Document, mine)
			if err != nil {
				t.Error(err)
				return
			}
			for j := range mine {
				alone, err := e.Encode(t.Context(), encoder.Document, mine[j:j+1])
				if err != nil || !slices.Equal(alone.Vectors[0], got.Vectors[j]) {
					t.Errorf("%q differs alone: %v", mine[j], err)
				}
			}
		})
	}
	wg.Wait()
	if s.most > 4 {
		t.Errorf("got %d concurrent requests, want at most 4", s.most)
	}
}
