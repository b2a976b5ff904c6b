package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/server/auth"
)

func TestMistakes(t *testing.T) {
	o := Options{Role: auth.Write, Limits: Limits{Documents: 3}}
	deep := strings.Repeat("(", 80) + "dog" + strings.Repeat(")", 80)
	wide := strings.Repeat("a OR ", 70) + "a"
	everywhere(t, o, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		for _, c := range []struct {
			tool string
			in   args
			want []string
		}{
			{"search", args{"collection": "pets", "query": "dog AND OR cat"}, []string{"at byte 8", "expected an atom", "\n          ^\n", "A correct query: " + sample}},
			{"search", args{"collection": "pets", "query": ""}, []string{"empty", "A correct query: " + sample, grammar}},
			{"search", args{"collection": "pets", "query": deep}, []string{"nested more than 64 deep"}},
			{"search", args{"collection": "pets", "query": wide}, []string{"more than 64 atoms"}},
			{"search", args{"collection": "pets", "query": strings.Repeat("x", 9000)}, []string{"syntax error"}},
			{"search", args{"collection": "pets", "query": "\x00 AND \xff("}, []string{"syntax error"}},
			{"search", args{"collection": "pets", "query": "year:2000"}, []string{"nothing to rank by"}},
			{"search", args{"collection": "pets", "query": "dog AND image:/etc/passwd"}, []string{"image:/etc/passwd cannot be used here", "like:ID"}},
			{"search", args{"collection": "pets", "query": "dog AND like:nope"}, []string{"no such document", "use ids exactly"}},
			{"search", args{"collection": "cats", "query": "dog"}, []string{`no collection "cats"`, `"pets"`}},
			{"search", args{"collection": "../pets", "query": "dog"}, []string{"no collection"}},
			{"search", args{"query": "dog"}, []string{"name a collection", `"pets"`}},
			{"search", args{"collection": "pets"}, []string{`missing properties: ["query"]`, `For example: {"query": `}},
			{"search", args{"collection": "pets", "query": "dog", "k": 101}, []string{"/properties/k", "greater than", "For example: "}},
			{"search", args{"collection": "pets", "query": "dog", "k": 0}, []string{"/properties/k", "less than"}},
			{"search", args{"collection": "pets", "query": "dog", "mode": "best"}, []string{"/properties/mode", "best does not equal any of"}},
			{"search", args{"collection": "pets", "query": "dog", "min_probability": 2}, []string{"/properties/min_probability"}},
			{"search", args{"collection": "pets", "query": "dog", "min_probability": 0.5}, []string{"need a calibrated profile", "Leave the least probability out"}},
			{"search", args{"collection": "pets", "query": "dog", "limit": 3}, []string{`unexpected additional properties ["limit"]`}},
			{"search", args{"collection": "pets", "query": "dog", "k": "3"}, []string{"/properties/k", `want "integer"`}},
			{"search", args{"collection": "pets", "query": "dog", "k": 2.5}, []string{"/properties/k", `want "integer"`}},
			{"search", args{"collection": "pets", "query": "dog", "facets": "kind"}, []string{"/properties/facets", `want "array"`}},
			{"search", args{"collection": "pets", "query": "dog", "facets": []any{"kind", nil}}, []string{"/properties/facets", `want "string"`}},
			{"search", args{"collection": "pets", "query": nil}, []string{`missing properties: ["query"]`}},
			{"search", args{"collection": "broken", "query": "dog"}, []string{"server error"}},
			{"explain", args{"collection": "pets", "query": "dog kind:note", "id": "park"}, []string{"does not match kind:note", `"photo"`}},
			{"explain", args{"collection": "pets", "query": "dog", "id": "nope"}, []string{`there is no document "nope"`}},
			{"explain", args{"collection": "pets", "query": "kind:photo", "id": "park"}, []string{"nothing to rank by"}},
			{"explain", args{"collection": "pets", "query": "dog AND", "id": "park"}, []string{"expected an atom", "A correct query: "}},
			{"get_document", args{"collection": "pets", "id": "nope"}, []string{"no such document"}},
			{"get_document", args{"collection": "pets", "id": "park", "offset": 1000}, []string{"only 41 bytes"}},
			{"list_collections", args{"collection": "nope"}, []string{"no collection"}},
			{"search", args{"collection": "pets", "query": "a", "nl": "llm"}, []string{"/properties/nl", "llm does not equal any of"}},
			{"search", args{"collection": "pets", "query": "(a OR b"}, []string{"never closed"}},
			{"search", args{"collection": "pets", "query": "dog OR year:>2000", "nl": "rules"}, []string{"year:>2000 cannot be an alternative to text"}},
			{"add_documents", args{"collection": "fixed", "documents": []args{{"text": "x"}}}, []string{"cannot be written to"}},
			{"add_documents", args{"collection": "new", "documents": []args{{"text": "x"}}}, []string{`no collection "new"`}},
			{"add_documents", args{"collection": "new", "create": true, "documents": []args{{"text": "x"}}}, []string{"may not create one"}},
			{"add_documents", args{"collection": "", "create": true, "documents": []args{{"text": "x"}}}, []string{"name the collection"}},
			{"add_documents", args{"collection": "pets", "documents": []args{}}, []string{"/properties/documents", "minItems"}},
			{"add_documents", args{"collection": "pets", "documents": []args{{"text": "1"}, {"text": "2"}, {"text": "3"}, {"text": "4"}}}, []string{"/properties/documents", "maxItems"}},
			{"add_documents", args{"collection": "pets", "documents": []args{{"text": "1"}, {"text": true}}}, []string{"/properties/text", `want "string"`}},
			{"add_documents", args{"collection": "pets", "documents": []args{{"body": "1"}}}, []string{"/properties/documents", `unexpected additional properties ["body"]`}},
			{"add_documents", args{"collection": "pets", "documents": []args{{"text": "1"}, {"id": "x"}}}, []string{"document 1 has neither", "Nothing was stored"}},
			{"add_documents", args{"collection": "pets", "documents": []args{{"id": strings.Repeat("x", 2000), "text": "1"}}}, []string{"1024"}},
		} {
			text, failed, r := call(t, session, c.tool, c.in)
			if !failed || r.StructuredContent != nil {
				t.Errorf("%s %v: no error: %s", c.tool, c.in, text)
			}
			contains(t, fmt.Sprint(c.tool, c.in), text, c.want...)
		}
		if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "drop_everything"}); err == nil {
			t.Error("an unknown tool can be called")
		}
	})
}

// TestExamples: the examples in error messages are valid.
func TestExamples(t *testing.T) {
	session := inMemory(t, newShelf(t), Options{Role: auth.Admin})
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		text, failed, _ := call(t, session, tool.Name, args{"nothing": 1})
		_, example, ok := strings.Cut(text, "\nFor example: ")
		if !failed || !ok {
			t.Fatalf("%s: %s", tool.Name, text)
		}
		if text, _, _ := call(t, session, tool.Name, json.RawMessage(example)); strings.Contains(text, "For example") {
			t.Errorf("%s %s: %s", tool.Name, example, text)
		}
	}
}

// TestLenient: null means that an argument is left out, and 2.0 is an integer.
func TestLenient(t *testing.T) {
	session := inMemory(t, newShelf(t), Options{})
	got, _ := answer[searchAnswer](t, session, "search", json.RawMessage(`{"collection": "pets", "query": "dog", "k": 2.0, "facets": null, "detail": null}`))
	if len(got.Hits) != 2 || got.Hits[0].Snippet == "" {
		t.Errorf("got %+v, want two hits with snippets", got)
	}
}

func TestDescribe(t *testing.T) {
	session := inMemory(t, newShelf(t), Options{Describe: func(error) string { return "ask the person who runs it" }})
	text, failed, _ := call(t, session, "search", args{"collection": "secret", "query": "dog"})
	if !failed || text != "ask the person who runs it" {
		t.Errorf("got %q, want the advice to ask", text)
	}
}

func TestReadOnly(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: addName, Arguments: args{"collection": "pets", "documents": []args{{"text": "x"}}}})
		if err == nil {
			t.Fatal("a reader has written")
		}
		contains(t, "refusal", err.Error(), addName)
	})
}

func TestDeadline(t *testing.T) {
	s := newShelf(t)
	session := inMemory(t, s, Options{Limits: Limits{SearchTime: time.Millisecond}})
	text, failed, _ := call(t, session, "search", args{"collection": "slow", "query": "dog"})
	if !failed || !errors.Is(<-s.left, context.DeadlineExceeded) {
		t.Errorf("got %q, want the deadline exceeded", text)
	}
	contains(t, "error", text, "took longer than 1ms")
}

func TestCancel(t *testing.T) {
	everywhere(t, Options{Limits: Limits{Calls: 1}}, func(t *testing.T, s *shelf, session *sdk.ClientSession) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "search", Arguments: args{"collection": "slow", "query": "dog"}})
			done <- err
		}()
		<-s.entered
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("the client has %v", err)
		}
		if err := <-s.left; !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
		// Its place is free again, and the session goes on.
		answer[searchAnswer](t, session, "search", args{"collection": "pets", "query": "dog"})
	})
}

func TestConcurrent(t *testing.T) {
	everywhere(t, Options{Role: auth.Admin, Limits: Limits{Calls: 3}}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		const each = 6
		var calls sync.WaitGroup
		for i := range each {
			for _, c := range []struct {
				tool string
				in   args
			}{
				{"search", args{"collection": "pets", "query": "dog AND NOT ball"}},
				{"explain", args{"collection": "pets", "query": "dog AND NOT ball", "id": "park"}},
				{"list_collections", args{"collection": "pets"}},
				{addName, args{"collection": "pets", "documents": []args{{"id": fmt.Sprint("new-", i), "text": "one of many"}}}},
			} {
				calls.Go(func() {
					r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.in})
					if err != nil || r.IsError {
						t.Errorf("%s: %+v, %v", c.tool, r, err)
					}
				})
			}
		}
		calls.Wait()
		got, _ := answer[listAnswer](t, session, "list_collections", args{"collection": "pets"})
		if n := got.Collections[0].Documents; n != len(pets)+each {
			t.Errorf("%d documents, want %d", n, len(pets)+each)
		}
	})
}
