package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestMistakes(t *testing.T) {
	o := Options{Access: Write, Limits: Limits{Documents: 3}}
	deep := strings.Repeat("(", 80) + "dog" + strings.Repeat(")", 80)
	wide := strings.Repeat("a OR ", 70) + "a"
	everywhere(t, o, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		for _, c := range []struct {
			tool string
			in   args
			want []string
		}{
			{"search", args{"collection": "pets", "formula": "dog AND OR cat"}, []string{"at byte 8", "expected an atom", "\n          ^\n", "A correct formula looks like: " + sample}},
			{"search", args{"collection": "pets", "formula": ""}, []string{"empty", "A correct formula looks like: " + sample}},
			{"search", args{"collection": "pets", "formula": deep}, []string{"nested more than 64 deep"}},
			{"search", args{"collection": "pets", "formula": wide}, []string{"more than 64 atoms"}},
			{"search", args{"collection": "pets", "formula": strings.Repeat("x", 9000)}, []string{"syntax error"}},
			{"search", args{"collection": "pets", "formula": "\x00 AND \xff("}, []string{"syntax error"}},
			{"search", args{"collection": "pets", "formula": "year:2000"}, []string{"nothing to rank by"}},
			{"search", args{"collection": "pets", "formula": "dog AND image:/etc/passwd"}, []string{"image:/etc/passwd cannot be used here", "like:ID"}},
			{"search", args{"collection": "pets", "formula": "dog AND like:nope"}, []string{"no such document", "ids are those"}},
			{"search", args{"collection": "cats", "formula": "dog"}, []string{`no collection "cats"`, `"pets"`}},
			{"search", args{"collection": "../pets", "formula": "dog"}, []string{"no collection"}},
			{"search", args{"formula": "dog"}, []string{"name a collection", `"pets"`}},
			{"search", args{"collection": "pets"}, []string{`missing properties: ["formula"]`}},
			{"search", args{"collection": "pets", "formula": "dog", "k": 101}, []string{"/properties/k", "greater than 100"}},
			{"search", args{"collection": "pets", "formula": "dog", "k": 0}, []string{"/properties/k"}},
			{"search", args{"collection": "pets", "formula": "dog", "mode": "best"}, []string{"rerank"}},
			{"search", args{"collection": "pets", "formula": "dog", "min_probability": 2}, []string{"/properties/min_probability"}},
			{"search", args{"collection": "pets", "formula": "dog", "min_probability": 0.5}, []string{"calibrated for formulas of the kind atom", "leave it out"}},
			{"search", args{"collection": "pets", "formula": "dog", "limit": 3}, []string{"limit"}},
			{"search", args{"collection": "broken", "formula": "dog"}, []string{"fault of the server"}},
			{"explain", args{"collection": "pets", "formula": "dog kind:note", "id": "park"}, []string{"does not pass kind:note", `"photo"`}},
			{"explain", args{"collection": "pets", "formula": "dog", "id": "nope"}, []string{`there is no document "nope"`}},
			{"explain", args{"collection": "pets", "formula": "kind:photo", "id": "park"}, []string{"nothing to rank by"}},
			{"explain", args{"collection": "pets", "formula": "dog AND", "id": "park"}, []string{"expected an atom", sample}},
			{"get_document", args{"collection": "pets", "id": "nope"}, []string{"no such document"}},
			{"get_document", args{"collection": "pets", "id": "park", "offset": 1000}, []string{"only 41 bytes"}},
			{"list_collections", args{"collection": "nope"}, []string{"no collection"}},
			{"parse", args{}, []string{"either formula"}},
			{"parse", args{"formula": "a", "plain": "b"}, []string{"either formula"}},
			{"parse", args{"formula": "(a OR b"}, []string{"never closed", grammar}},
			{"add_documents", args{"collection": "fixed", "documents": []args{{"text": "x"}}}, []string{"cannot be written to"}},
			{"add_documents", args{"collection": "new", "documents": []args{{"text": "x"}}}, []string{`no collection "new"`}},
			{"add_documents", args{"collection": "new", "create": true, "documents": []args{{"text": "x"}}}, []string{"may not make one"}},
			{"add_documents", args{"collection": "", "create": true, "documents": []args{{"text": "x"}}}, []string{"name the collection"}},
			{"add_documents", args{"collection": "pets", "documents": []args{}}, []string{"/properties/documents"}},
			{"add_documents", args{"collection": "pets", "documents": []args{{"text": "1"}, {"text": "2"}, {"text": "3"}, {"text": "4"}}}, []string{"/properties/documents"}},
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

func TestDescribe(t *testing.T) {
	session := inMemory(t, newShelf(t), Options{Describe: func(error) string { return "ask the person who runs it" }})
	text, failed, _ := call(t, session, "search", args{"collection": "secret", "formula": "dog"})
	if !failed || text != "ask the person who runs it" {
		t.Errorf("%q", text)
	}
}

func TestReadOnly(t *testing.T) {
	everywhere(t, Options{}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		text, failed, _ := call(t, session, addName, args{"collection": "pets", "documents": []args{{"text": "x"}}})
		if !failed {
			t.Error("a reader has written")
		}
		contains(t, "refusal", text, "reading only")
	})
}

func TestDeadline(t *testing.T) {
	s := newShelf(t)
	session := inMemory(t, s, Options{Limits: Limits{SearchTime: time.Millisecond}})
	text, failed, _ := call(t, session, "search", args{"collection": "slow", "formula": "dog"})
	if !failed || !errors.Is(<-s.left, context.DeadlineExceeded) {
		t.Errorf("%q", text)
	}
	contains(t, "error", text, "took longer than 1ms")
}

func TestCancel(t *testing.T) {
	everywhere(t, Options{Limits: Limits{Calls: 1}}, func(t *testing.T, s *shelf, session *sdk.ClientSession) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "search", Arguments: args{"collection": "slow", "formula": "dog"}})
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
		answer[searchAnswer](t, session, "search", args{"collection": "pets", "formula": "dog"})
	})
}

func TestConcurrent(t *testing.T) {
	everywhere(t, Options{Access: Create, Limits: Limits{Calls: 3}}, func(t *testing.T, _ *shelf, session *sdk.ClientSession) {
		const each = 6
		var calls sync.WaitGroup
		for i := range each {
			for _, c := range []struct {
				tool string
				in   args
			}{
				{"search", args{"collection": "pets", "formula": "dog AND NOT ball"}},
				{"explain", args{"collection": "pets", "formula": "dog AND NOT ball", "id": "park"}},
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
