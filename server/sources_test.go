package server

import (
	"fmt"
	"strings"
	"testing"
)

const someSum = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

func TestSources(t *testing.T) {
	a := withAnimals(t)
	const sources = "/v1/collections/pets/sources"
	if got := a.call(200, "GET", sources, ""); at(got, "sources", 0) != nil {
		t.Errorf("at first: %v", got)
	}
	var list []string
	for i := range 5 {
		list = append(list, fmt.Sprintf(`{"name": "d/%d.md", "size": %d, "modified": 1700000000000000001, "sha256": "%s", "place": "/d/%d.md"}`, i, i, someSum, i))
	}
	if got := a.call(200, "POST", sources, `{"sources": [`+strings.Join(list, ",")+`]}`); got["sources"] != 5.0 {
		t.Errorf("noted: %v", got)
	}
	if got := a.call(200, "POST", sources, `{"sources": [{"name": "d/0.md", "size": 0, "modified": 0, "sha256": "", "forget": true}, {"name": "d/1.md", "size": 0, "modified": 0, "sha256": ""}]}`); got["sources"] != 2.0 {
		t.Errorf("forgotten: %v", got)
	}
	var seen []string
	for after := ""; ; {
		page := a.call(200, "GET", sources+"?limit=3&after="+after, "")
		for i := 0; at(page, "sources", i) != nil; i++ {
			seen = append(seen, fmt.Sprint(at(page, "sources", i, "name"), at(page, "sources", i, "place")))
		}
		next, more := page["next"].(string)
		if !more {
			break
		}
		after = next
	}
	if want := "[d/1.md<nil> d/2.md/d/2.md d/3.md/d/3.md d/4.md/d/4.md]"; fmt.Sprint(seen) != want {
		t.Errorf("listed: %v, want %s", seen, want)
	}
	for body, words := range map[string]string{
		`{"sources": []}`: "0 sources",
		`{"sources": [{"name": "", "size": 1, "modified": 0, "sha256": ""}]}`:                                                                                        "1 to 1024 bytes",
		`{"sources": [{"name": "x", "size": 1, "modified": 0, "sha256": "12"}]}`:                                                                                     "hexadecimal",
		`{"sources": [{"name": "x", "size": -1, "modified": 0, "sha256": ""}]}`:                                                                                      "below 0",
		`{"sources": [{"name": "x", "size": 1, "modified": 0, "sha256": "", "place": "` + strings.Repeat("x", maxPlace+1) + `"}]}`:                                   "the maximum is",
		`{"sources": [` + strings.Repeat(`{"name": "x", "size": 1, "modified": 0, "sha256": ""},`, 1000) + `{"name": "y", "size": 1, "modified": 0, "sha256": ""}]}`: "1001 sources",
	} {
		a.fails("invalid", words, "POST", sources, body)
	}
	a.fails("invalid", "from 1 to 1000", "GET", sources+"?limit=0", "")
	a.fails("invalid", "from 1 to 1000", "GET", sources+"?limit=", "")
	a.fails("not_found", "no collection", "GET", "/v1/collections/none/sources", "")
}

func TestSomeDocuments(t *testing.T) {
	a := withAnimals(t)
	const docs = "/v1/collections/pets/documents"
	got := a.call(200, "POST", docs+"/lookup", `{"ids": ["soup", "nobody", "a/leashed.md"]}`)
	if at(got, "documents", 0, "id") != "soup" || at(got, "documents", 1, "metadata", "year") != 2019.0 || at(got, "documents", 2) != nil {
		t.Errorf("looked up: %v", got)
	}
	// Documents of a file, by whichever field has its name.
	a.call(200, "POST", docs, `[{"id": "1", "text": "x", "metadata": {"source": "f.csv"}}, {"id": "2", "text": "x", "metadata": {"source": "BBC", "source_file": "f.csv"}},
		{"id": "3", "text": "x", "metadata": {"source": "f.csv", "source_file": "g.csv"}}]`)
	page := a.call(200, "GET", docs+"?source=f.csv&ids=true&limit=1000", "")
	if at(page, "documents", 0, "id") != "1" || at(page, "documents", 1, "id") != "2" || at(page, "documents", 2) != nil || at(page, "documents", 0, "text") != nil {
		t.Errorf("of a file: %v", page)
	}
	a.fails("invalid", "neither true nor false", "GET", docs+"?ids=yes", "")
	a.fails("invalid", "neither true nor false", "GET", docs+"?ids=", "")
	a.fails("invalid", "id 1 of the list is empty", "POST", docs+"/delete", `{"ids": ["a", null]}`)
	if got := a.call(200, "POST", docs+"/delete", `{"ids": ["1", "2", "nobody"]}`); got["documents"] != 2.0 {
		t.Errorf("deleted: %v", got)
	}
	for _, path := range []string{"/lookup", "/delete"} {
		a.fails("invalid", "0 ids", "POST", docs+path, `{"ids": []}`)
		a.fails("invalid", "1001 ids", "POST", docs+path, `{"ids": [`+strings.Repeat(`"x",`, 1000)+`"y"]}`)
	}
}
