package server

import (
	"fmt"
	"strings"
	"testing"
)

const pigs = "/v1/collections/pets/screenings/pigs"

// nextID returns the id of the record in an answer, or nothing.
func nextID(answer map[string]any) string {
	id, _ := at(answer, "record", "id").(string)
	return id
}

func TestScreening(t *testing.T) {
	a := withAnimals(t)
	made := a.call(201, "POST", "/v1/collections/pets/screenings", `{"name": "pigs", "formula": "dog AND NOT leash", "person": "ann"}`)
	if made["formula"] != "dog AND NOT leash" || made["person"] != "ann" {
		t.Errorf("made: got %v", made)
	}
	a.fails("exists", "already", "POST", "/v1/collections/pets/screenings", `{"name": "pigs", "person": "ann"}`)
	a.fails("invalid", "use up to 64", "POST", "/v1/collections/pets/screenings", `{"name": "P i g s", "person": "ann"}`)
	a.fails("syntax", "AND", "POST", "/v1/collections/pets/screenings", `{"name": "cows", "formula": "dog AND", "person": "ann"}`)
	a.fails("invalid", "who you are", "POST", pigs+"/next", `{}`)
	a.fails("invalid", "control characters", "POST", pigs+"/next", `{"person": "a\tb"}`)
	a.fails("not_found", "no screening", "GET", "/v1/collections/pets/screenings/cows", "")
	if list := a.call(200, "GET", "/v1/collections/pets/screenings", ""); at(list, "screenings", 0, "name") != "pigs" {
		t.Errorf("list: got %v, want pigs", list)
	}

	// Two people get different records; asking again does not change them.
	ann := a.call(200, "POST", pigs+"/next", `{"person": "ann"}`)
	bob := a.call(200, "POST", pigs+"/next", `{"person": "bob"}`)
	if nextID(ann) != "free" || !strings.Contains(fmt.Sprint(ann["why"]), "dog AND NOT leash") || fmt.Sprint(ann["terms"]) != "[dog]" {
		t.Errorf("ann: got %v, want the record free because of the formula", ann)
	}
	if id := nextID(bob); id == "" || id == nextID(ann) || nextID(a.call(200, "POST", pigs+"/next", `{"person": "ann"}`)) != "free" {
		t.Errorf("ann and bob both got %s", id)
	}

	// New documents are in the screening, and people keep their records.
	a.call(200, "POST", "/v1/collections/pets/documents", `{"id": "pig", "text": "A pig runs free"}`)
	if again := a.call(200, "POST", pigs+"/next", `{"person": "bob"}`); nextID(again) != nextID(bob) || at(again, "progress", "unread") != 5.0 {
		t.Errorf("after an upload bob: got %v, want %s and 5 unread", again, nextID(bob))
	}

	a.fails("invalid", "record is missing", "POST", pigs+"/decisions", `{"label": "include", "person": "ann"}`)
	a.fails("invalid", "no label", "POST", pigs+"/decisions", `{"record": "free", "label": "maybe", "person": "ann"}`)
	a.fails("invalid", "no record", "POST", pigs+"/decisions", `{"record": "none", "label": "include", "person": "ann"}`)
	decided := a.call(200, "POST", pigs+"/decisions", `{"record": "free", "label": "include", "person": "ann"}`)
	if at(decided, "progress", "included") != 1.0 || at(decided, "decision", "person") != "ann" {
		t.Errorf("decided: got %v", decided)
	}
	a.call(200, "POST", pigs+"/decisions", `{"record": "`+nextID(bob)+`", "label": "exclude", "person": "bob", "reason": "no dog"}`)
	undone := a.call(200, "POST", pigs+"/decisions", `{"label": "undone", "person": "bob"}`)
	if at(undone, "decision", "record") != nextID(bob) || nextID(a.call(200, "POST", pigs+"/next", `{"person": "bob"}`)) != nextID(bob) {
		t.Errorf("undone: got %v, want bob's record again", undone)
	}
	a.call(200, "POST", pigs+"/decisions", `{"record": "`+nextID(bob)+`", "label": "exclude", "person": "bob", "reason": "no dog"}`)
	state := a.call(200, "GET", pigs, "")
	if at(state, "progress", "people", "bob") != 1.0 || at(state, "progress", "reasons", "no dog") != 1.0 || !strings.Contains(fmt.Sprint(at(state, "progress", "statement")), "no statement about recall yet") {
		t.Errorf("state: got %v", state)
	}

	for format, want := range map[string]string{"csv": "exclude,no dog,bob", "ris": "TY  - JOUR\nID  - free\n", "svg": "PRISMA flow", "md": "Search appendix: pigs"} {
		response, content := a.request("GET", pigs+"/export?format="+format, nil, nil)
		if response.StatusCode != 200 || !strings.Contains(string(content), want) || response.Header.Get("Content-Disposition") != "attachment; filename=pigs."+format {
			t.Errorf("%s: got %d %v\n%s\nwant %q", format, response.StatusCode, response.Header, content, want)
		}
	}
	a.fails("invalid", "none of csv", "GET", pigs+"/export?format=pdf", "")

	// Nothing is left for a third person while two hold the last records.
	for _, id := range []string{"cat", "soup", "pig", "a/leashed.md", "free"} {
		a.call(200, "POST", pigs+"/decisions", `{"record": "`+id+`", "label": "unsure", "person": "ann"}`)
	}
	if last := a.call(200, "POST", pigs+"/next", `{"person": "eve"}`); nextID(last) != "" || at(last, "progress", "statement") != "every record has been read" {
		t.Errorf("at the end: got %v, want no record", last)
	}
}

// With keys, the key's note is the person unless another name is given. A collection that was
// closed and opened again has its screening.
func TestScreeningKeys(t *testing.T) {
	dir := t.TempDir()
	for _, run := range []struct {
		given, person string
		decided       float64
	}{{"", "for tests", 1}, {`, "person": "ann"`, "ann", 2}} {
		a := start(t, Config{Root: dir, Keys: testKeys})
		a.key = testSecrets[Admin]
		if run.given == "" {
			a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
			a.call(200, "POST", "/v1/collections/pets/documents", animals)
		}
		a.key = testSecrets[Write]
		if run.given == "" {
			a.call(201, "POST", "/v1/collections/pets/screenings", `{"name": "pigs"}`)
		}
		next := a.call(200, "POST", pigs+"/next", `{"sample": true`+run.given+`}`)
		decided := a.call(200, "POST", pigs+"/decisions", `{"record": "`+nextID(next)+`", "label": "include", "sample": true`+run.given+`}`)
		if at(decided, "decision", "person") != run.person || at(decided, "progress", "included") != run.decided || at(decided, "progress", "elusion", "sample") != run.decided {
			t.Errorf("got %v, want a decision of %q, %v in all", decided, run.person, run.decided)
		}
		a.stop()
		if err := <-a.ended; err != nil {
			t.Fatal(err)
		}
		a.ended <- nil
	}
}

// A screening that was not used for a while gives its memory back.
func TestScreeningIdle(t *testing.T) {
	a := withAnimals(t)
	a.call(201, "POST", "/v1/collections/pets/screenings", `{"name": "pigs", "person": "ann"}`)
	before := a.server.memory.InUse()
	a.call(200, "GET", pigs, "")
	if held := a.server.memory.InUse(); held < before+4*screeningCost {
		t.Errorf("an open screening holds %d bytes, want at least %d", held-before, 4*screeningCost)
	}
	a.fails("not_found", "no screening", "GET", "/v1/collections/pets/screenings/cows", "")
	a.server.screenings.open[[2]string{"pets", "pigs"}].used = a.server.screenings.open[[2]string{"pets", "pigs"}].used.Add(-2 * a.server.limits.IdleTime)
	a.server.screenings.entry("others", "others", a.server.limits.IdleTime)
	if held := a.server.memory.InUse(); held != before {
		t.Errorf("%d bytes are held, want %d", held, before)
	}
}
