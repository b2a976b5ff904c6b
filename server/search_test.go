package server

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/profile"
)

const searchPath = "/v1/collections/pets/search"

// A search returns the result of the library, and more.
func TestSearch(t *testing.T) {
	a := withAnimals(t)
	got := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "k": 3, "explain": true, "compare": true, "columns": true}`)
	c, release, err := a.server.collections.Use(t.Context(), "pets", false)
	if err != nil {
		t.Fatal(err)
	}
	want, err := c.Search(t.Context(), "dog AND NOT leash", nsfl.Options{K: 3, Explain: true, Compare: true})
	release()
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range want.Hits {
		hit := at(got, "hits", i)
		if at(hit, "id") != h.ID || at(hit, "score") != h.Score || at(hit, "rank") != float64(i+1) || at(hit, "plain_rank") != float64(h.PlainRank) {
			t.Errorf("hit %d: %v, want %+v", i, hit, h)
		}
		scores := at(hit, "scores").(map[string]any)
		for _, s := range h.Similarities {
			if s.Formula == "dog" || s.Formula == "leash" {
				if scores[s.Formula] != s.Value {
					t.Errorf("hit %d: scores %v, want %v", i, scores, s)
				}
			}
		}
		if len(scores) != 2 {
			t.Errorf("hit %d: scores %v", i, scores)
		}
		if got := at(hit, "explanation", "sentence"); got != h.Explanation.Sentence {
			t.Errorf("hit %d: got the explanation %v, want %q", i, got, h.Explanation.Sentence)
		}
	}
	if ids(got)[0] != "free" || got["mode"] != "exact" || got["ranked"] != 4.0 || len(got["plain"].([]any)) != 3 {
		t.Errorf("the answer: %v", got)
	}
	columns := got["columns"]
	if fmt.Sprint(at(columns, "formulas")) != "[dog leash dog AND leash dog AND NOT leash]" || len(at(columns, "ids").([]any)) != 4 || at(columns, "ids", 0) != "free" {
		t.Errorf("columns: %v", columns)
	}
	// The lexical part and the vectors add up to the score.
	for i, h := range want.Hits {
		score, words, x := at(columns, "scores", i).(float64), at(columns, "words", i).(float64), h.Explanation
		if x.Words == nil || math.Abs(score-h.Score) > 1e-6 || math.Abs(score-words-x.Words.Vectors) > 1e-6 || math.Abs(words-x.Words.Weight*x.Words.Lexical) > 1e-6 {
			t.Errorf("hit %d: got score %v and lexical part %v, want %+v", i, score, words, x.Words)
		}
	}
	if value, want := at(columns, "values", 0, 0).(float64), at(got, "hits", 0, "scores", "dog").(float64); math.Abs(value-want) > 1e-6 || at(columns, "strings", 2) != "dog AND leash" {
		t.Errorf("columns: %v", columns)
	}
}

// A hit has what was found of each atom's words, and the passage that has most of each
// wanted one; the description of the API knows all of it.
func TestMatchedWords(t *testing.T) {
	a := withAnimals(t)
	a.call(200, "POST", "/v1/collections/pets/documents", `[{"id": "strict", "title": "House rules", "passages": ["A dog is welcome here.", "There is no leash in this house."]}]`)
	got := a.call(200, "POST", searchPath, `{"query": "dog AND leash", "explain": true, "columns": true}`)
	i := slices.Index(ids(got), "strict")
	if i < 1 { // got a denied word as best match
		t.Fatalf("got %v, want the denied word not as the best match", ids(got))
	}
	hit := at(got, "hits", i)
	leash := at(hit, "words", 1)
	if at(leash, "atom") != "leash" || at(leash, "share").(float64) >= 0 || at(leash, "found", 0, "denied") != true || at(leash, "found", 0, "passage") != 2.0 {
		t.Errorf("what is denied: %v", leash)
	}
	if at(hit, "words", 0, "share").(float64) < 0.8 || at(hit, "words", 0, "found", 0, "matched") != "dog" || at(hit, "words", 0, "found", 0, "similarity") != 1.0 {
		t.Errorf("what is mentioned: %v", at(hit, "words", 0))
	}
	if at(hit, "passages", 0, "atom") != "dog" || at(hit, "passages", 0, "text") != "A dog is welcome here." || at(hit, "passages", 1, "atom") != "leash" {
		t.Errorf("passages: %v", at(hit, "passages"))
	}
	none := a.call(200, "POST", searchPath, `{"query": "dog AND leash", "explain": true, "columns": true, "words": 0}`)
	if at(none, "hits", 0, "words") != nil || at(none, "columns", "words") != nil || at(none, "hits", 0, "explanation", "words") != nil {
		t.Errorf("without words: %v", at(none, "hits", 0))
	}
	var api any
	if err := json.Unmarshal(a.server.openAPI, &api); err != nil {
		t.Fatal(err)
	}
	for schema, fields := range map[string]string{
		"Hit": "words passages explanation copies copy_count", "PlainHit": "copy_count", "Copy": "id title", "AtomWords": "atom negated share found", "Found": "word matched similarity passage denied weight",
		"Snippet": "text atom similarity share", "Explanation": "words", "WordsOf": "vectors weight lexical atoms", "Columns": "words", "Search": "words all_copies",
	} {
		for _, field := range strings.Fields(fields) {
			if at(api, "components", "schemas", schema, "properties", field) == nil {
				t.Errorf("the description of %s has no %s", schema, field)
			}
		}
	}
}

// Copies are named with the best of them, in both lists.
func TestCopies(t *testing.T) {
	a := withAnimals(t)
	a.call(200, "POST", "/v1/collections/pets/documents", `[{"id": "h1", "text": "A hamster in its wheel."}, {"id": "h2", "text": "A hamster in its wheel."}, {"id": "h3", "text": "A hamster in its  wheel."}]`)
	folded := func(got map[string]any) bool {
		return ids(got)[0] == "h1" && !slices.Contains(ids(got), "h2") && at(got, "hits", 0, "copy_count") == 2.0 &&
			at(got, "hits", 0, "copies", 0, "id") == "h2" && at(got, "hits", 0, "copies", 1, "id") == "h3" &&
			at(got, "plain", 0, "copy_count") == 2.0 && at(got, "plain", 0, "now") == 1.0 && at(got, "hits", 0, "plain_rank") == 1.0
	}
	single := func(got map[string]any) bool {
		return slices.Equal(ids(got)[:3], []string{"h1", "h2", "h3"}) && at(got, "hits", 0, "copies") == nil && at(got, "plain", 0, "copy_count") == nil
	}
	got := a.call(200, "POST", searchPath, `{"query": "hamster AND wheel", "compare": true}`)
	if !folded(got) {
		t.Errorf("got the hit %v, want it with its copies", at(got, "hits", 0))
	}
	if got := a.call(200, "POST", searchPath, `{"query": "hamster AND wheel", "compare": true, "all_copies": true}`); !single(got) {
		t.Errorf("all copies: %v", ids(got))
	}
	if why := a.call(200, "POST", "/v1/collections/pets/explain", `{"query": "hamster AND wheel", "id": "h3"}`); at(why, "hits", 0, "id") != "h3" {
		t.Errorf("a copy is explained as %v", why)
	}
}

// The three forms of a question are one.
func TestForms(t *testing.T) {
	a := withAnimals(t)
	for _, c := range []struct{ body, formula, filter string }{
		{`{"query": "dog AND NOT leash year:>=2015"}`, "dog AND NOT leash", "year:>=2015"},
		{`{"query": "dogs without leashes", "nl": "rules"}`, "dogs AND NOT leashes", ""},
		{`{"must": ["dog"], "must_not": ["leash"]}`, "dog AND NOT leash", ""},
		{`{"must": ["dog"], "should": ["shore", "beach"], "must_not": ["leash", "rope"]}`, "dog AND (shore OR beach) AND NOT leash AND NOT rope", ""},
		{`{"should": ["dog"]}`, "dog", ""},
		{`{"should": ["dog", "ball", "grass"], "minimum_should_match": 2}`, "2 OF (dog, ball, grass)", ""},
		{`{"must": [{"should": ["dog", "ball"], "minimum_should_match": 2}, "x"]}`, "dog AND ball AND x", ""},
		{`{"must_not": ["dog"]}`, "NOT dog", ""},
		{`{"must": [{"text": "dog", "weight": 2}, {"must_not": ["leash"], "must": ["shore"]}, {"id": "a/leashed.md"}]}`, "dog^2 AND shore AND NOT leash AND like:a/leashed.md", ""},
		{`{"must": ["dog OR cat", "NOT fish", "year:>2000"]}`, `"dog OR cat" AND "NOT fish" AND "year:>2000"`, ""},
		{`{"positive": ["dog", {"id": "free"}], "negative": ["leash"]}`, "dog AND like:free AND NOT leash", ""},
		{`{"query": "dog", "filter": {"year": {"gte": 2020, "lt": "2022"}, "kind": ["photo", "film"], "draft": true}}`, "dog", "draft:true AND (kind:photo OR kind:film) AND year:>=2020 AND year:<2022"},
		{`{"query": "dog kind:photo", "filter": {"year": 2021.0}}`, "dog", "kind:photo AND year:2021.0"},
	} {
		got := a.call(200, "POST", searchPath, c.body)
		same := fmt.Sprint(got["formula"]) == c.formula
		if !same { // an order of parts that normalisation chose
			words := func(s string) []string { w := strings.Fields(s); slices.Sort(w); return w }
			same = slices.Equal(words(got["formula"].(string)), words(c.formula))
		}
		if !same || c.filter != "" && got["filter"] != c.filter {
			t.Errorf("%s: formula %v, filter %v", c.body, got["formula"], got["filter"])
		}
		if plan := a.call(200, "POST", "/v1/plan", c.body); plan["formula"] != got["formula"] || plan["filter"] != got["filter"] || fmt.Sprint(plan["strings"]) != fmt.Sprint(got["strings"]) {
			t.Errorf("%s: planned %v", c.body, plan)
		}
	}
	got := a.call(200, "POST", searchPath, `{"query": "animal", "filter": {"year": {"gt": 2019, "lte": 2021}}}`)
	if found := ids(got); len(found) != 2 || !slices.Contains(found, "free") || !slices.Contains(found, "cat") {
		t.Errorf("filtered: %v", found)
	}
	for _, mode := range []string{"baseline", "rerank", "sqo", "hybrid", "exact", "geo-rerank", "geo-opt", "geo-hybrid"} {
		got := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "mode": "`+mode+`", "solver": "rsgd", "pool": "union", "fusion": "contextual", "explain": true, "compare": true, "columns": true,
			"logic": {"c_and": 0.5, "c_not": 2, "gate": 0.6, "gate_cap": 0.9, "similarity": "affine", "no_floors": "and,not"}}`)
		if got["mode"] != mode || len(ids(got)) != 4 {
			t.Errorf("%s: %v", mode, got)
		}
	}
}

func TestSearchMistakes(t *testing.T) {
	a := withAnimals(t)
	p := a.fails("syntax", "expected an atom", "POST", searchPath, `{"query": "dog AND"}`)
	if s := p["syntax"]; at(s, "offset") != 7.0 || at(s, "length") != 0.0 || at(s, "query") != "dog AND" || !strings.HasSuffix(at(s, "caret").(string), "dog AND\n         ^") {
		t.Errorf("where: %v", s)
	}
	p = a.fails("syntax", "never closed", "POST", searchPath, `{"query": "dog (cat"}`)
	if s := p["syntax"]; at(s, "offset") != 4.0 || at(s, "length") != 1.0 {
		t.Errorf("where: %v", s)
	}
	for body, words := range map[string]string{
		`{}`:                                 "the question is empty",
		`{"query": "a", "must": ["b"]}`:      "several forms",
		`{"must": ["b"], "positive": ["a"]}`: "several forms",
		`{"query": "dogs, no leashes", "nl": "llm"}`:                           "no chat endpoint",
		`{"must": ["b"], "nl": "rules"}`:                                       "nl applies to query only",
		`{"must": [""]}`:                                                       "is empty",
		`{"should": ["a", "b"], "minimum_should_match": 3}`:                    "the number of parts of should, 2",
		`{"must": ["a"], "minimum_should_match": 1}`:                           "the number of parts of should, 0",
		`{"must": [{"minimum_should_match": 1}]}`:                              "the number of parts of should, 0",
		`{"must": [{}]}`:                                                       "is empty",
		`{"must": [null]}`:                                                     "is empty",
		`{"must": [7]}`:                                                        "object is expected",
		`{"must": [{"text": "a", "id": "b"}]}`:                                 "only one of",
		`{"must": [{"text": "a", "must": ["b"]}]}`:                             "only one of",
		`{"must": [{"text": "a", "weight": 101}]}`:                             "weight",
		`{"must": [{"text": "a", "weight": -1}]}`:                              "weight",
		`{"must": [{"text": "a", "weight": 0}]}`:                               "weight",
		`{"should": ["a"], "minimum_should_match": 0}`:                         "minimum_should_match is 0",
		`{"query": "a", "k": 0}`:                                               "k is 0; between 1 and 1000",
		`{"query": "a", "candidates": 0}`:                                      "candidates is 0",
		`{"query": "a", "profile": ""}`:                                        "it is collection or paper",
		`null`:                                                                 "the body is null",
		`{"must": [{"txt": "a"}]}`:                                             `unknown field "txt"`,
		`{"positive": [{"must": ["a"]}]}`:                                      "lists of strings",
		`{"must": ["` + strings.Repeat(`a","`, 64) + `a"]}`:                    "64 atoms",
		`{"must": ["` + strings.Repeat("a", 9000) + `"]}`:                      "8192 bytes",
		strings.Repeat(`{"must": [`, 70) + `"a"` + strings.Repeat(`]}`, 70):    "nested",
		`{"query": "image:/etc/passwd"}`:                                       "would read a file",
		`{"query": "dog OR NOT (cat AND image:x.png)"}`:                        "would read a file",
		`{"query": "a", "k": -1}`:                                              "k is -1",
		`{"query": "a", "k": 1001}`:                                            "between 1 and 1000",
		`{"query": "a", "k": 1.5}`:                                             "k is a JSON number 1.5 where a whole number is expected",
		`{"query": "a", "mode": "best"}`:                                       "unknown mode",
		`{"query": "a", "pool": "x"}`:                                          "unknown pool",
		`{"query": "a", "fusion": "x"}`:                                        "fusion",
		`{"query": "a", "solver": "x"}`:                                        "solver",
		`{"query": "a", "candidates": 2000000}`:                                "2000000 candidates",
		`{"query": "a", "explain": "yes"}`:                                     "true or false",
		`{"query": "a", "logic": {"gate": "x"}}`:                               "gate",
		`{"query": "a", "logic": {"gate": 1.5}}`:                               "bound",
		`{"query": "a", "logic": {"c_and": -1}}`:                               "coefficient",
		`{"query": "a", "logic": {"similarity": "x"}}`:                         "similarity",
		`{"query": "a", "filter": {"a b": 1}}`:                                 "is not a valid field name",
		`{"query": "a", "filter": {"like": 1}}`:                                "is not a valid field name",
		`{"query": "a", "filter": {"x": null}}`:                                "string, a number or a boolean",
		`{"query": "a", "filter": {"x": []}}`:                                  "empty",
		`{"query": "a", "filter": {"x": {}}}`:                                  "empty",
		`{"query": "a", "filter": {"x": {"eq": 1}}}`:                           `unknown field "eq"`,
		`{"query": "a", "filter": {"x": ""}}`:                                  "empty string",
		`{"query": "a", "filter": {"x": [` + strings.Repeat("1,", 64) + `1]}}`: "65 values",
		`{"query": "a", "unknown": 1}`:                                         `unknown field "unknown"`,
		`{"query": "year:2000"}`:                                               "nothing to rank by",
		`[]`:                                                                   "a JSON array where an object is expected",
	} {
		a.fails("invalid", words, "POST", searchPath, body)
	}
	if p := a.fails("invalid", "", "POST", searchPath, `{"must": 3}`); !strings.HasPrefix(p["detail"].(string), "must is a JSON number where a list") {
		t.Errorf("a field of a struct within the request: %v", p)
	}
	a.fails("syntax", "predicate", "POST", searchPath, `{"query": "dog OR year:2000"}`)
	a.fails("not_found", "no such document", "POST", searchPath, `{"query": "like:nobody"}`)
	a.fails("not_found", "no collection", "POST", "/v1/collections/none/search", `{"query": "a"}`)
	a.fails("method", "GET", "GET", searchPath, "")
	a.fails("not_found", "nothing at", "GET", "/v1/nothing", "")
}

func TestExplain(t *testing.T) {
	a := withAnimals(t)
	const explain = "/v1/collections/pets/explain"
	all := a.call(200, "POST", searchPath, `{"query": "dog AND NOT leash", "explain": true}`)
	for i, id := range ids(all) {
		got := a.call(200, "POST", explain, `{"query": "dog AND NOT leash", "id": "`+id+`", "k": 1}`)
		hit, want := at(got, "hits", 0), at(all, "hits", i)
		if fmt.Sprint(hit) != fmt.Sprint(want) || got["candidate"] != true || got["ranked"] != 4.0 {
			t.Errorf("%s: %v, want %v", id, hit, want)
		}
	}
	got := a.call(200, "POST", explain, `{"query": "dog AND NOT leash", "id": "soup", "mode": "rerank", "candidates": 1, "k": 1, "compare": true}`)
	if got["candidate"] != false || got["mode"] != "exact" || at(got, "hits", 0, "rank").(float64) < 3 || at(got, "hits", 0, "explanation") == nil {
		t.Errorf("outside the pool: %v", got)
	}
	a.fails("not_found", "no document", "POST", explain, `{"query": "dog", "id": "nobody"}`)
	a.fails("not_found", "does not match the filter", "POST", explain, `{"query": "dog kind:recipe", "id": "free"}`)
	a.fails("not_found", "no document", "POST", explain, `{"query": "dog"}`)
}

func TestVector(t *testing.T) {
	a := withAnimals(t)
	const path = "/v1/collections/pets/vector"
	for _, choice := range []string{`"solver": "exact"`, `"solver": "rsgd"`, `"mode": "geo-opt"`} {
		got := a.call(200, "POST", path, `{"query": "dog AND NOT leash year:2020", `+choice+`}`)
		length := 0.0
		for _, v := range got["vector"].([]any) {
			length += v.(float64) * v.(float64)
		}
		if math.Abs(length-1) > 1e-4 || got["dimension"] != 384.0 || got["filter"] != "year:2020" || got["method"] == "" || got["profile"] != profile.Builtin().Name || at(got, "timings_ms", "encode") == nil {
			t.Errorf("%s: length %v, %v", choice, length, got["method"])
		}
	}
	a.fails("invalid", "solver", "POST", path, `{"query": "dog", "solver": "x"}`)
	a.fails("invalid", "sqo and geo-opt have one", "POST", path, `{"query": "dog", "mode": "hybrid"}`)
	a.fails("invalid", "nothing to rank by", "POST", path, `{"query": "year:2020"}`)
	a.fails("syntax", "never closed", "POST", path, `{"query": "(dog"}`)
}

// The vector of a formula is the one that a search in mode sqo goes by.
func TestVectorSearches(t *testing.T) {
	a := withAnimals(t)
	c, release, err := a.server.collections.Use(t.Context(), "pets", false)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, rest := range []string{`}`, `, "profile": "paper"}`, `, "solver": "rsgd", "fusion": "contextual", "logic": {"c_not": 2}}`} {
		const query = `{"query": "dog AND NOT leash"`
		var x []float32
		for _, v := range a.call(200, "POST", "/v1/collections/pets/vector", query+rest)["vector"].([]any) {
			x = append(x, float32(v.(float64)))
		}
		answer := a.call(200, "POST", searchPath, query+`, "mode": "sqo"`+rest)
		for i, id := range ids(answer) {
			d, err := c.Store().Get(t.Context(), id, engine.AllParts)
			if err != nil {
				t.Fatal(err)
			}
			want := float64(vec.Dot(x, d.Vector))
			if d.Rows() > 1 {
				best := -1.0
				for _, p := range d.Passages {
					best = max(best, float64(vec.Dot(x, p.Vector)))
				}
				want = (want + best) / 2
			}
			if got := at(answer, "hits", i, "score").(float64); math.Abs(got-want) > 1e-5 {
				t.Errorf("%s: %s has %v, its vectors have %v", rest, id, got, want)
			}
		}
	}
}
