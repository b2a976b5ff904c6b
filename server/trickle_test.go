package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/server/limit"
)

// open begins a stream; lines reads its answer.
func (a *api) open(path, contentType string) (feed *io.PipeWriter, lines func() map[string]any) {
	a.Helper()
	body, feed := io.Pipe()
	answer := make(chan *bufio.Scanner, 1)
	go func() {
		r, err := http.NewRequest("POST", a.base+path, body)
		if err != nil {
			a.Error(err)
			close(answer)
			return
		}
		r.Header = http.Header{"Content-Type": {contentType}, "X-Api-Key": {a.key}}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			a.Error(err)
			close(answer)
			return
		}
		a.Cleanup(func() { response.Body.Close() })
		answer <- bufio.NewScanner(response.Body)
	}()
	var scanner *bufio.Scanner
	a.Cleanup(func() { feed.CloseWithError(io.ErrClosedPipe) })
	return feed, func() (line map[string]any) {
		a.Helper()
		if scanner == nil {
			if scanner = <-answer; scanner == nil {
				a.FailNow()
			}
		}
		if !scanner.Scan() {
			a.Fatalf("the answer has ended: %v", scanner.Err())
		}
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			a.Fatal(err)
		}
		return line
	}
}

const bulkPath = "/v1/collections/pets/documents/bulk"

// A batch that comes too slowly is stored as far as it has come, however little the
// client lets it stand still.
func TestTrickle(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{WriteTime: 300 * time.Millisecond, StallTime: time.Hour}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	feed, lines := a.open(bulkPath, ndjson)
	fmt.Fprintf(feed, `{"id": "a", "text": "a dog"}`+"\n"+`{"id"`)
	if line := lines(); line["type"] != "stored" || line["documents"] != 1.0 {
		t.Errorf("what was there: %v", line)
	}
	if line := lines(); line["ok"] != false || at(line, "error", "code") != "timeout" {
		t.Errorf("the rest: %v", line)
	}
	a.call(200, "GET", "/v1/collections/pets/documents/a", "")

	feed, lines = a.open("/v1/collections/pets/files", "multipart/form-data; boundary=b")
	form := multipart.NewWriter(feed)
	if err := form.SetBoundary("b"); err != nil {
		t.Fatal(err)
	}
	part, err := form.CreateFormFile("file", "a.txt")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(part, "A cat.")
	for line := lines(); ; line = lines() {
		if line["type"] == "done" {
			if at(line, "error", "code") != "timeout" {
				t.Errorf("a file: %v", line)
			}
			break
		}
	}
}

// inside is how many places are held.
func inside(a *limit.Admission) int {
	held, _ := a.InUse()
	return held
}

// A stream between two batches has no place, and one that brings no document ends.
func TestStreamRests(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{Streams: 1}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	quiet, _ := a.open(bulkPath, ndjson)
	defer quiet.Close()
	for inside(a.server.lasting) == 0 {
		runtime.Gosched()
	}
	a.call(200, "POST", "/v1/collections/pets/documents", `{"text": "a place is free"}`)
	slow, err := net.Dial("tcp", strings.TrimPrefix(a.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprint(slow, "POST /v1/collections/pets/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
	for a.server.memory.InUse() != bodyFactor+streamCost { // the brace has come, and the stream is there
		runtime.Gosched()
	}
	a.call(200, "POST", "/v1/collections/pets/documents", `{"text": "a body that does not come is in nobody's way"}`)
	a.server.limits.WriteTime = 100 * time.Millisecond
	empty, lines := a.open(bulkPath, ndjson)
	fmt.Fprint(empty, "\n\n")
	if line := lines(); at(line, "error", "code") != "timeout" {
		t.Errorf("nothing but empty lines: %v", line)
	}
}

// A batch that cannot be stored in time holds nobody up.
func TestBatchTime(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Limits: Limits{Writes: 1, BatchTime: 50 * time.Millisecond, WriteTime: time.Minute}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	leave, err := a.server.writes.Enter(as("someone"))
	if err != nil {
		t.Fatal(err)
	}
	lines := a.lines(bulkPath, ndjson, nil, strings.NewReader(`{"text": "a dog"}`))
	if last := lines[len(lines)-1]; at(last, "error", "code") != "timeout" || last["documents"] != 0.0 {
		t.Errorf("no turn in time: %v", lines)
	}
	leave()
	if inside(a.server.writes) != 0 || inside(a.server.streams) != 0 {
		t.Errorf("places are held: %d, %d", inside(a.server.writes), inside(a.server.streams))
	}
}
