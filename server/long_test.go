package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// withPages has a collection of 60 documents that are a page long.
func withPages(t *testing.T, root string, l Limits) *api {
	a := start(t, Config{Root: root, Limits: l})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	var docs []map[string]any
	for i := range 60 {
		page := fmt.Sprintf("Page %d of a book about dogs. %s", i, strings.Repeat("All of it is \"quoted\" <here>. ", 60))
		docs = append(docs, map[string]any{"id": fmt.Sprint(i), "title": fmt.Sprint("Page ", i), "text": page, "passages": []string{page}})
	}
	content, err := json.Marshal(docs)
	if err != nil {
		t.Fatal(err)
	}
	a.call(200, "POST", "/v1/collections/pets/documents", string(content))
	return a
}

// An answer is not much longer than it may be, and says what it leaves out: explanations
// first, then results.
func TestAnswerBytes(t *testing.T) {
	const most = 100 << 10
	root := t.TempDir()
	short := withPages(t, root, Limits{AnswerBytes: most})
	long := start(t, Config{Root: root})
	for name, c := range map[string]struct {
		body      string
		more      bool
		explained bool
	}{
		"few":         {`{"query": "dog AND NOT cat", "k": 2, "explain": true}`, false, false},
		"explained":   {`{"query": "dog AND NOT cat", "k": 12, "explain": true, "all_copies": true}`, false, true},
		"many":        {`{"query": "dog AND NOT cat", "k": 60, "explain": true, "all_copies": true, "compare": true}`, true, true},
		"and columns": {`{"query": "dog AND book AND NOT cat", "k": 60, "all_copies": true, "columns": true}`, true, false},
	} {
		whole := long.call(200, "POST", searchPath, c.body)
		answer := short.call(200, "POST", searchPath, c.body)
		text, err := json.Marshal(answer)
		if err != nil || len(text) > most*5/4 {
			t.Errorf("%s: an answer of %d bytes, %v", name, len(text), err)
		}
		got, want := ids(answer), ids(whole)
		if more, _ := answer["more"].(bool); more != c.more || (len(got) < len(want)) != c.more || fmt.Sprint(got) != fmt.Sprint(want[:len(got)]) {
			t.Errorf("%s: %d of %d hits, more is %v", name, len(got), len(want), answer["more"])
		}
		explained, _ := answer["explained"].(float64)
		if (explained > 0) != c.explained {
			t.Errorf("%s: %v are explained", name, answer["explained"])
		}
		for i, h := range answer["hits"].([]any) {
			h := h.(map[string]any)
			if wanted := strings.Contains(c.body, "explain") && (!c.explained || i < int(explained)); (h["explanation"] != nil) != wanted {
				t.Errorf("%s: hit %d is explained: %v", name, i, !wanted)
			}
		}
		if notes := fmt.Sprint(answer["notes"]); strings.Contains(notes, "results: the first") != c.more || strings.Contains(notes, "explanations: the first") != c.explained {
			t.Errorf("%s: %s", name, notes)
		}
		if whole["more"] != nil || whole["explained"] != nil {
			t.Errorf("%s: results were omitted although there was space", name)
		}
	}
}

// Lists and lookups end where an answer is long enough, and go on where they ended.
func TestPagesByBytes(t *testing.T) {
	a := withPages(t, t.TempDir(), Limits{AnswerBytes: 40 << 10})
	seen := map[string]int{}
	pages := 0
	for after := ""; pages == 0 || after != ""; pages++ {
		page := a.call(200, "GET", "/v1/collections/pets/documents?limit=1000&after="+after, "")
		for _, d := range page["documents"].([]any) {
			seen[d.(map[string]any)["id"].(string)]++
		}
		after, _ = page["next"].(string)
	}
	if len(seen) != 60 || pages < 5 {
		t.Errorf("%d documents on %d pages", len(seen), pages)
	}
	page := a.call(200, "POST", "/v1/collections/pets/documents/lookup", `{"ids": ["3", "none", "3", "5", "7", "9", "11", "13", "15", "17", "19", "21", "23", "25", "27"]}`)
	found, next := page["documents"].([]any), page["next"]
	if len(found) < 2 || len(found) > 12 || at(found[0], "id") != "3" || at(found[1], "id") != "5" || next == nil {
		t.Errorf("%d documents are looked up, the next is %v", len(found), next)
	}
}
