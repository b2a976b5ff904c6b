package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hardLimit is the memory of a child, beyond which it dies, and softLimit what it is
// told that requests may take.
const (
	hardLimit = 1 << 30
	softLimit = 256 << 20
)

// patience is the time that a request may take: these tests are about memory, and run on
// busy machines.
const patience = 5 * time.Minute

func init() {
	confine = func() (Limits, error) {
		return Limits{Memory: softLimit, Writes: 1, SearchTime: patience}, unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: hardLimit, Max: hardLimit})
	}
}

// victim is a server in a process of its own, with little memory.
type victim struct {
	*testing.T
	process *os.Process
	base    string
	client  *http.Client
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	c, address := startChild(t, childEnv+"="+t.TempDir(), confinedEnv+"=yes")
	return &victim{t, c.Process, "http://" + address, &http.Client{Timeout: patience, Transport: &http.Transport{}}}
}

// send sends a body, and is the status and how long the answer is.
func (v *victim) send(path, contentType string, body []byte) (status int, length int64) {
	v.Helper()
	r, err := http.NewRequest(http.MethodPost, v.base+path, bytes.NewReader(body))
	if body == nil {
		r, err = http.NewRequest(http.MethodGet, v.base+path, nil)
	}
	if err != nil {
		v.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
		r.Header.Set("Content-Encoding", "gzip")
	}
	response, err := v.client.Do(r)
	if err != nil {
		v.Errorf("%s: %v", path, err)
		return 0, 0
	}
	defer response.Body.Close()
	length, err = io.Copy(io.Discard, response.Body)
	if err != nil {
		v.Errorf("%s: %v", path, err)
	}
	return response.StatusCode, length
}

// ask sends JSON, and checks that the status is one of those that are fair.
func (v *victim) ask(path string, body any, fair ...int) (length int64) {
	v.Helper()
	content, ok := body.([]byte)
	if !ok && body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			v.Fatal(err)
		}
	}
	status, length := v.send(path, "application/json", content)
	if !slices.Contains(fair, status) {
		v.Errorf("%s %.40s: status %d, want one of %d", path, content, status, fair)
	}
	return length
}

// memory is what the kernel says of the victim, in MiB.
func (v *victim) memory(field string) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.process.Pid))
	if err != nil {
		v.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == field+":" {
			kilobytes, _ := strconv.Atoi(fields[1])
			return kilobytes >> 10
		}
	}
	v.Fatalf("there is no %s", field)
	return 0
}

// formulas of 64 long atoms, of every kind of operator.
func formulas() (out []string) {
	atoms := make([]string, 64)
	for i := range atoms {
		atoms[i] = fmt.Sprintf("atom%02d %s", i, strings.Repeat("x", 80))
	}
	var either, without []string
	for i := 0; i < len(atoms); i += 2 {
		either = append(either, "("+atoms[i]+" OR "+atoms[i+1]+")")
		without = append(without, "("+atoms[i]+" AND NOT "+atoms[i+1]+")")
	}
	return []string{
		strings.Join(atoms, " AND "), strings.Join(atoms, " OR "), strings.Join(atoms, " AND NOT "),
		strings.Join(either, " AND "), strings.Join(without, " OR "),
		strings.Join(either[:4], " AND ") + " AND NOT " + strings.Join(atoms[8:], " AND NOT "),
	}
}

const demoPath, heapPath = "/v1/collections/demo", "/v1/collections/heap"

// nestedBodies nests what a decoder may take for each level of it, and lists what it takes
// for each value.
func (v *victim) nestedBodies() {
	const deep = 4900
	must := []byte(strings.Repeat(`{"must":[`, deep) + `"` + strings.Repeat("a", 900_000) + `"` + strings.Repeat(`]}`, deep))
	list := []byte(`{"query": "a", "filter": {"x": ` + strings.Repeat(`[`, deep) + strings.Repeat(`]`, deep) + `}}`)
	metadata := []byte(`{"id": "x", "text": "x", "metadata": ` + strings.Repeat(`{"a":`, deep) + `1` + strings.Repeat(`}`, deep) + `}`)
	empty := []byte(`{"must": [{}` + strings.Repeat(`,{}`, 340_000) + `]}`)
	for _, body := range [][]byte{must, list, metadata, empty} {
		for _, path := range []string{"/v1/plan", "/v1/parse", "/v1/embeddings", demoPath + "/search", demoPath + "/explain", demoPath + "/vector", heapPath + "/documents", heapPath + "/documents/lookup"} {
			v.ask(path, body, 400, 404)
			v.ask(path, compress(body), 400, 404)
		}
		if status, _ := v.send(heapPath+"/documents/bulk", ndjson, body); status != 200 {
			v.Errorf("bulk: %d", status)
		}
	}
	passages := []byte(`{"id": "x", "text": "x", "passages": [""` + strings.Repeat(`,""`, 10_000_000) + `]}`)
	v.ask(heapPath+"/documents", compress(passages), 400, 413)
}

// longAnswers asks for as much as one answer can have.
func (v *victim) longAnswers() {
	var all sync.WaitGroup
	for _, formula := range formulas() {
		all.Go(func() {
			n := v.ask(demoPath+"/search", map[string]any{"query": formula, "k": 1000, "explain": true, "compare": true, "columns": true}, 200, 429)
			if n > 40<<20 {
				v.Errorf("an answer of %d bytes", n)
			}
		})
	}
	all.Wait()
}

// wideMetadata stores what becomes much more than it was.
func (v *victim) wideMetadata() {
	fields := make([]string, 12_000)
	for i := range fields {
		fields[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	wide := "{" + strings.Join(fields, ",") + "}"
	for _, depth := range []int{1, 14, 150} {
		long := `{"` + strings.Repeat("p", 2000) + `":`
		doc := []byte(`{"id": "x", "text": "x", "metadata": ` + strings.Repeat(long, depth) + wide + strings.Repeat("}", depth) + `}`)
		v.ask(heapPath+"/documents", doc, 400)
		if status, _ := v.send(heapPath+"/documents/bulk", ndjson, doc); status != 200 {
			v.Errorf("bulk: %d", status)
		}
		contentType, upload := form("x.jsonl", string(doc))
		if status, _ := v.send(heapPath+"/files", contentType, upload.Bytes()); status != 200 {
			v.Errorf("files: %d", status)
		}
	}
}

// longDocuments stores documents that are as long as they may be, and asks for all of them.
func (v *victim) longDocuments() {
	ids := []string{}
	for i := range 6 {
		ids = append(ids, strconv.Itoa(i))
		v.ask(heapPath+"/documents", map[string]any{"id": ids[i], "title": "dog", "text": ids[i] + strings.Repeat("x", 6<<20), "passages": []string{"dog " + strings.Repeat("y", 8<<20)}}, 200)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			v.ask(heapPath+"/documents?limit=1000", nil, 200, 429)
			v.ask(heapPath+"/documents/lookup", map[string]any{"ids": ids}, 200, 429)
			v.ask(heapPath+"/search", map[string]any{"query": "dog AND NOT cat", "k": 100, "all_copies": true, "compare": true, "columns": true}, 200, 429)
		})
	}
	all.Wait()
}

// manyBodies sends more at once than there is memory for.
func (v *victim) manyBodies() {
	body := compress([]byte(`{"must": ["` + strings.Repeat(`a","`, 250_000) + `a"]}`))
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() { v.ask("/v1/plan", body, 400, 429) })
	}
	all.Wait()
}

// TestAttacks replays what once ended a server by its memory. It lives, and serves others.
func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes more memory than the server is to be held to")
	}
	v := newVictim(t)
	v.ask("/v1/collections", map[string]any{"name": "heap"}, 201)
	v.ask(heapPath+"/documents", map[string]any{"id": "first", "text": "A dog runs free."}, 200)
	for _, attack := range []struct {
		name string
		run  func()
	}{
		{"nested bodies", v.nestedBodies}, {"long answers", v.longAnswers}, {"wide metadata", v.wideMetadata},
		{"long documents", v.longDocuments}, {"many bodies", v.manyBodies},
	} {
		began := time.Now()
		attack.run()
		v.ask(demoPath+"/search", map[string]any{"query": "dog AND NOT ball", "k": 3, "explain": true}, 200)
		t.Logf("%-15s %5s  peak %4d MiB, of which %4d are not of files now", attack.name, time.Since(began).Round(100*time.Millisecond), v.memory("VmHWM"), v.memory("RssAnon"))
		if t.Failed() {
			return
		}
	}
}
