package chat

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/query/nl"
)

// model is a server that replies with its lines in order.
type model struct {
	*httptest.Server
	mu    sync.Mutex
	asked [][]message
	keys  []string
}

// newModel returns a model whose n-th reply, counting from 0, comes from behave.
func newModel(t *testing.T, behave func(w http.ResponseWriter, r *http.Request, n int)) (*model, *Client) {
	t.Helper()
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model    string
			Messages []message
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" || body.Model != "tiny" {
			http.Error(w, "no such question", http.StatusBadRequest)
			return
		}
		m.mu.Lock()
		n := len(m.asked)
		m.asked, m.keys = append(m.asked, body.Messages), append(m.keys, r.Header.Get("Authorization"))
		m.mu.Unlock()
		behave(w, r, n)
	}))
	t.Cleanup(m.Close)
	c, err := Open(m.URL + "/v1#tiny")
	if err != nil {
		t.Fatal(err)
	}
	return m, c
}

// says replies with one line after another.
func says(lines ...string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, n int) {
		answer := map[string]any{"choices": []any{map[string]any{"message": message{"assistant", lines[min(n, len(lines)-1)]}}}}
		_ = json.NewEncoder(w).Encode(answer)
	}
}

const text = "dogs but please no leashes"

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
		asked int
	}{
		{"well", []string{"dogs AND NOT leashes"}, "dogs AND NOT leashes", 1},
		{"in a fence", []string{"Sure! Here it is:\n```text\ndogs AND NOT leashes\n```\nIt excludes leashes."}, "dogs AND NOT leashes", 1},
		{"in ticks", []string{"The formula is `dogs AND NOT leashes`."}, "dogs AND NOT leashes", 1},
		{"with a label", []string{"Formula: dogs AND NOT leashes"}, "dogs AND NOT leashes", 1},
		{"below a sentence", []string{"Here is your formula:\n\ndogs AND NOT leashes"}, "dogs AND NOT leashes", 1},
		{"with an explanation", []string{"dogs AND NOT leashes\n\nThis excludes leashes."}, "dogs AND NOT leashes", 1},
		{"after a thought", []string{"<think>dogs AND (</think>\ndogs AND NOT leashes"}, "dogs AND NOT leashes", 1},
		{"a name with a colon", []string{"Star Wars: a new hope"}, "Star Wars: a new hope", 1},
		{"repaired", []string{"dogs AND NOT (leashes", "dogs AND NOT leashes"}, "dogs AND NOT leashes", 2},
		{"a picture", []string{"image:/etc/passwd", "dogs"}, "dogs", 2},
	} {
		m, client := newModel(t, says(c.lines...))
		r, err := client.Read(t.Context(), text)
		if err != nil || r.Node.String() != c.want || !r.Understood || len(m.asked) != c.asked {
			t.Errorf("%s: %v after %d questions, %v", c.name, r.Node, len(m.asked), err)
		}
		first := m.asked[0]
		if len(first) != 2 || !strings.Contains(first[0].Content, "NOT binds\ntightest") || first[1].Content != text {
			t.Errorf("%s: asked %q", c.name, first)
		}
		if c.asked == 2 {
			if second := m.asked[1]; len(second) != 4 || second[2].Content != c.lines[0] || !strings.Contains(second[3].Content, "not a formula") {
				t.Errorf("%s: asked again %q", c.name, second)
			}
		}
	}
}

// TestFallback: on any failure the rules take over, and a note gives the reason.
func TestFallback(t *testing.T) {
	t.Setenv(keyEnv, "sk-secret")
	for _, c := range []struct {
		name, note string
		behave     func(w http.ResponseWriter, r *http.Request, n int)
	}{
		{"badly twice", "two attempts", says("dogs AND (")},
		{"nothing", "two attempts", says("")},
		{"an error", "429", func(w http.ResponseWriter, _ *http.Request, _ int) {
			http.Error(w, `{"error": {"message": "sk-secret is out of money"}}`, http.StatusTooManyRequests)
		}},
		{"a redirect", "307", func(w http.ResponseWriter, r *http.Request, _ int) {
			http.Redirect(w, r, "http://other.invalid/", http.StatusTemporaryRedirect)
		}},
		{"no JSON", "contains no message", func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = w.Write([]byte("<html>sk-secret")) }},
		{"no choices", "contains no message", func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = w.Write([]byte(`{"choices": []}`)) }},
		{"too long", "longer than", func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = w.Write(make([]byte, 2*maxAnswer)) }},
		{"a long formula", "two attempts", says(strings.Repeat("dog ", 3000))},
		{"never", "no answer came within", func(_ http.ResponseWriter, r *http.Request, _ int) { <-r.Context().Done() }},
	} {
		m, client := newModel(t, c.behave)
		client.timeout = 10 * time.Second
		if c.name == "never" {
			client.timeout = 50 * time.Millisecond
		}
		r, err := nl.As(t.Context(), text, nl.LLM, client)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		notes := strings.Join(r.Notes, "\n")
		if r.Node.String() != "dogs AND NOT leashes" || !strings.Contains(notes, "read by rules") || !strings.Contains(notes, c.note) || strings.Contains(notes, "sk-secret") {
			t.Errorf("%s: got %s with notes %q, want the rules to read it and a note with %q", c.name, r.Node, notes, c.note)
		}
		m.Close() // wait for requests in progress before looking at them
		for _, key := range m.keys {
			if key != "Bearer sk-secret" {
				t.Errorf("%s: the key is %q", c.name, key)
			}
		}
	}
}

// TestUnasked: formulas are never sent, and a cancelled request is not answered by rules.
func TestUnasked(t *testing.T) {
	m, client := newModel(t, says("wrong"))
	r, err := nl.As(t.Context(), "dog AND NOT leash", nl.LLM, client)
	if err != nil || r.Node.String() != "dog AND NOT leash" || len(m.asked) > 0 {
		t.Errorf("%v, %v after %d questions", r.Node, err, len(m.asked))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := nl.As(ctx, text, nl.LLM, client); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

func TestOpen(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv(keyEnv, "")
	for word, want := range map[string]string{
		"":                                 "name one with --llm",
		"ollama:":                          "no model",
		"http://localhost:1/v1":            "no model",
		"somewhere:m":                      "want one of",
		"openai:gpt":                       "OPENAI_API_KEY is empty",
		"ftp://localhost/v1#m":             "http:// or https://",
		"http://me:hidden@localhost/v1?#m": "after ?",
		"http://h/v1#%zz":                  "cannot be read",
	} {
		_, err := Open(word)
		if !errors.Is(err, nl.ErrNoChat) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v, want %q", word, err, want)
		}
	}
	c, err := Open("ollama:llama3.2:3b")
	if err != nil || c.model != "llama3.2:3b" || c.web.URL.String() != "http://localhost:11434/v1/chat/completions" {
		t.Errorf("ollama: %+v, %v", c, err)
	}
}

// FuzzAnswer: any reply yields a formula or an error.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{"dogs AND NOT leashes", "```\na OR b\n```", "Formula: a", "`a`", "<think>x</think>y", "a:\n\nb", "\x00", "answer: : "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, said string) {
		if n, err := formula(said); (n == nil) == (err == nil) {
			t.Errorf("formula(%q) = %v, %v, want a formula or an error", said, n, err)
		}
	})
}
