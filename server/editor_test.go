package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

func TestParse(t *testing.T) {
	a := start(t, Config{})
	for _, c := range []struct{ query, tokens string }{
		{`dog AND NOT (leash`, "0-3 atom, 4-7 operator, 8-11 not, 12-13 paren, 13-18 atom"},
		{`golden retriever^2 OR "a b" year:>=2015 like:x/y image:"z"`, "0-16 atom, 16-18 weight, 19-21 operator, 22-27 quoted, 28-39 predicate, 40-48 item, 49-58 item"},
		{`+a -b && c`, "0-1 operator, 1-2 atom, 3-4 not, 4-5 atom, 6-8 error, 9-10 atom"},
		{`“é” "open`, "0-8 quoted, 9-14 error"},
		{`Star Wars: hope http://x ”`, "0-24 atom, 25-28 error"},
		{``, ""},
	} {
		got := a.call(200, "POST", "/v1/parse", fmt.Sprintf(`{"query": %q}`, c.query))
		var tokens []string
		for _, token := range got["tokens"].([]any) {
			tokens = append(tokens, fmt.Sprintf("%v-%v %v", at(token, "start"), at(token, "end"), at(token, "kind")))
		}
		if s := strings.Join(tokens, ", "); s != c.tokens {
			t.Errorf("%s: %s, want %s", c.query, s, c.tokens)
		}
		_, err := query.ParseFormula(c.query)
		if (err == nil) != (got["ok"] == true) || (err == nil) != (got["error"] == nil) {
			t.Errorf("%s: %v, and the parser says %v", c.query, got, err)
		}
	}
	got := a.call(200, "POST", "/v1/parse", `{"query": "dog AND NOT leash year:2000 like:x", "fusion": "contextual"}`)
	if got["formula"] != "dog AND NOT leash AND like:x" || got["filter"] != "year:2000" || at(got, "items", 0) != "like:x" || len(got["strings"].([]any)) == 0 {
		t.Errorf("parsed: %v", got)
	}
	got = a.call(200, "POST", "/v1/parse", `{"query": "dogs without leashes", "nl": "rules"}`)
	if at(got, "reading", "formula") != "dogs AND NOT leashes" || at(got, "reading", "changed") != true || got["monolithic"] != "dogs AND NOT leashes" {
		t.Errorf("plain language: %v", got)
	}
	if got = a.call(200, "POST", "/v1/parse", `{"query": "brown dogs", "nl": "rules"}`); at(got, "reading", "changed") != false {
		t.Errorf("plain language: %v", got)
	}
	got = a.call(200, "POST", "/v1/parse", `{"query": "`+strings.Repeat("x", 9000)+`"}`)
	if got["ok"] != false || at(got, "error", "offset") != 8192.0 {
		t.Errorf("too long: %v", got["error"])
	}
	got = a.call(200, "POST", "/v1/parse", `{"query": "dog OR year:2000"}`)
	if got["ok"] != false || at(got, "error", "offset") != 7.0 || at(got, "error", "length") != 9.0 {
		t.Errorf("mixed: %v", got["error"])
	}
	a.fails("invalid", "fusion", "POST", "/v1/parse", `{"query": "dog", "fusion": "x"}`)
	a.fails("invalid", "fusion", "POST", "/v1/plan", `{"query": "dog", "fusion": "x"}`)
	a.fails("syntax", "never closed", "POST", "/v1/plan", `{"query": "(dog"}`)
	plan := a.call(200, "POST", "/v1/plan", `{"query": "dog AND NOT leash"}`)
	if at(plan, "terms", 2, "string") != "dog AND leash" || plan["monolithic"] != "dog AND NOT leash" {
		t.Errorf("plan: %v", plan)
	}
}

func TestEmbeddings(t *testing.T) {
	a := withAnimals(t)
	const path = "/v1/embeddings"
	got := a.call(200, "POST", path, `{"model": "builtin", "input": ["a dog", "two small cats"]}`)
	if len(at(got, "data", 1, "embedding").([]any)) != 384 || at(got, "data", 1, "index") != 1.0 || at(got, "usage", "total_tokens") != 5.0 || got["model"] != "builtin" {
		t.Errorf("vectors: %v", got["usage"])
	}
	packed := a.call(200, "POST", path, `{"model": "pets", "input": "a dog", "encoding_format": "base64", "input_type": "document", "dimensions": 384, "user": "u"}`)
	raw, err := base64.StdEncoding.DecodeString(at(packed, "data", 0, "embedding").(string))
	if err != nil || len(raw) != 4*384 {
		t.Fatalf("base64: %d bytes, %v", len(raw), err)
	}
	var values [384]float32
	if err := binary.Read(bytes.NewReader(raw), binary.LittleEndian, &values); err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if math.Abs(float64(v)-at(got, "data", 0, "embedding", i).(float64)) > 1e-6 {
			t.Fatalf("number %d: %v and %v", i, v, at(got, "data", 0, "embedding", i))
		}
	}
	for body, words := range map[string]string{
		`{"model": "builtin"}`:                                                    "0 texts",
		`{"model": "builtin", "input": []}`:                                       "0 texts",
		`{"model": "builtin", "input": [1, 2]}`:                                   "tokens",
		`{"model": "builtin", "input": ["a", " "]}`:                               "text 1",
		`{"model": "builtin", "input": "a", "dimensions": 10}`:                    "the model has 384",
		`{"model": "builtin", "input": "a", "encoding_format": "x"}`:              "encoding_format",
		`{"model": "builtin", "input": "a", "input_type": "x"}`:                   "input_type",
		`{"model": "builtin", "input": ["` + strings.Repeat(`a","`, 256) + `a"]}`: "257 texts",
	} {
		a.fails("invalid", words, "POST", path, body)
	}
	for _, model := range []string{"none", "", "onnx:/etc", "http://127.0.0.1/v1#m", "text-embedding-3-small"} {
		a.fails("not_found", "there is no model", "POST", path, `{"model": "`+model+`", "input": "a"}`)
	}
}

// answers is a chat that knows one formula.
type answers string

func (a answers) Read(context.Context, string) (nl.Reading, error) {
	n, err := query.Parse(string(a))
	return nl.Reading{Node: n, Notes: []string{"by a model"}, Understood: true}, err
}

// A model reads plain language where the server was given one, and a request wants it.
func TestChat(t *testing.T) {
	a := start(t, Config{Chat: answers("dogs AND NOT rope")})
	for _, path := range []string{"/v1/plan", "/v1/parse"} {
		if got := a.call(200, "POST", path, `{"query": "dogs that roam", "nl": "llm"}`); got["formula"] != "dogs AND NOT rope" {
			t.Errorf("%s: %v", path, got)
		}
	}
	if got := a.call(200, "POST", "/v1/plan", `{"query": "dogs that roam", "nl": "auto"}`); got["formula"] != "dogs that roam" || got["understood"] != nil {
		t.Errorf("auto: %v", got)
	}
}
