package server

import (
	"net/http"
	"strings"
	"testing"
)

func TestQuotas(t *testing.T) {
	root := t.TempDir()
	a := start(t, Config{Root: root, Limits: Limits{QuotaDocuments: 5}})
	a.call(201, "POST", "/v1/collections", `{"name": "pets"}`)
	a.call(200, "POST", "/v1/collections/pets/documents", animals)
	if c := a.call(200, "GET", "/v1/collections/pets", ""); at(c, "quota", "documents") != 5.0 || at(c, "quota", "bytes") != 0.0 || c["space"].(float64) < c["bytes"].(float64) {
		t.Errorf("described: %v", c)
	}
	const two = `[{"id": "x", "text": "one"}, {"id": "y", "text": "two"}]`
	p := a.fails("quota", "may have 5 documents and would have 6", "POST", "/v1/collections/pets/documents", two)
	if p["status"] != 403.0 {
		t.Errorf("refused: %v", p)
	}
	a.fails("not_found", "no document", "GET", "/v1/collections/pets/documents/x", "")
	a.call(200, "POST", "/v1/collections/pets/documents", animals) // replaced, not added

	// A stream stops with an error.
	_, content := a.request("POST", "/v1/collections/pets/documents/bulk", http.Header{"Content-Type": {ndjson}}, strings.NewReader(`{"id": "x", "text": "one"}`+"\n"+`{"id": "y", "text": "two"}`))
	if got := string(content); !strings.Contains(got, `"code":"quota"`) || !strings.Contains(got, `"documents":0`) || !strings.Contains(got, `"ok":false`) {
		t.Errorf("a stream: %s", got)
	}

	c := a.call(200, "PUT", "/v1/collections/pets/quota", `{"documents": 6}`)
	if at(c, "quota", "documents") != 6.0 {
		t.Errorf("raised: %v", c)
	}
	a.call(200, "POST", "/v1/collections/pets/documents", two)
	a.call(200, "PUT", "/v1/collections/pets/quota", `{"bytes": 1000}`)
	a.fails("quota", "may have 1000 bytes", "POST", "/v1/collections/pets/documents", two)
	if c := a.call(200, "PUT", "/v1/collections/pets/quota", `{"documents": 0}`); c["quota"] != nil {
		t.Errorf("lifted: %v", c)
	}
	a.call(200, "POST", "/v1/collections/pets/documents", `{"text": "a seventh"}`)
	a.fails("invalid", "below 0", "PUT", "/v1/collections/pets/quota", `{"documents": -1}`)
	a.fails("not_found", "no collection", "PUT", "/v1/collections/none/quota", `{}`)

	if c := a.call(201, "POST", "/v1/collections", `{"name": "small", "quota": {"documents": 1}}`); at(c, "quota", "documents") != 1.0 {
		t.Errorf("made: %v", c)
	}
	a.stop()
	<-a.ended
	a.ended <- nil
	again := start(t, Config{Root: root, Limits: Limits{QuotaDocuments: 5}})
	again.fails("quota", "may have 1 documents", "POST", "/v1/collections/small/documents", two)
	again.call(200, "POST", "/v1/collections/pets/documents", `{"text": "an eighth"}`)
}
