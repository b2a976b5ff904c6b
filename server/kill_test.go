package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A server that is killed while documents come has all that it acknowledged.
func TestKill(t *testing.T) {
	root := t.TempDir()
	c, address := startChild(t, childEnv+"="+root)
	response, err := http.Post("http://"+address+"/v1/collections", "application/json", strings.NewReader(`{"name": "pets"}`))
	if err != nil || response.StatusCode != 201 {
		t.Fatal(response, err)
	}
	response.Body.Close()

	// The body never ends: the server is killed in the middle of it.
	body, feed := io.Pipe()
	go func() {
		for i := 1; ; i++ {
			if _, err := fmt.Fprintf(feed, `{"id": "%d", "text": "number %d"}`+"\n", i, i); err != nil {
				return
			}
		}
	}()
	response, err = http.Post("http://"+address+"/v1/collections/pets/documents/bulk", ndjson, body)
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := 0
	lines := bufio.NewScanner(response.Body)
	for n := 0; lines.Scan(); n++ {
		var line BulkLine
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			break // cut by the kill
		}
		acknowledged = line.Line
		if n == 1 {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	response.Body.Close()
	body.CloseWithError(io.ErrClosedPipe)
	_ = c.Wait()
	if acknowledged < 2*batchDocuments {
		t.Fatalf("%d documents were acknowledged", acknowledged)
	}
	a := start(t, Config{Root: root})
	stored := a.call(200, "GET", "/v1/collections/pets", "")["documents"].(float64)
	if int(stored) < acknowledged || int(stored)%batchDocuments != 0 {
		t.Errorf("%v documents are stored, %d were acknowledged", stored, acknowledged)
	}
	a.call(200, "GET", fmt.Sprintf("/v1/collections/pets/documents/%d", acknowledged), "")
	a.call(200, "POST", "/v1/collections/pets/documents", `{"text": "and it goes on"}`)
}
