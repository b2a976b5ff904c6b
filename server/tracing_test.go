package server

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A search is a span under the caller's, with one for each stage below it.
func TestTracing(t *testing.T) {
	var mu sync.Mutex
	spans := map[string]string{} // name to the span above
	traces := map[string]bool{}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var request collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &request) != nil {
			t.Errorf("%s: %v", r.URL.Path, err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for _, resource := range request.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, span := range scope.Spans {
					spans[span.Name] = hex.EncodeToString(span.ParentSpanId)
					traces[hex.EncodeToString(span.TraceId)] = true
					if span.Name == "POST "+one+"/search" {
						spans["id"] = hex.EncodeToString(span.SpanId)
					}
				}
			}
		}
	}))
	defer receiver.Close()
	a := start(t, Config{Demo: demoCollection(t), Tracing: receiver.URL})
	const trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	a.request("POST", "/v1/collections/demo/search", http.Header{"Traceparent": {"00-" + trace + "-" + parent + "-01"}}, strings.NewReader(`{"query": "fox AND NOT snow", "explain": true, "compare": true}`))
	a.stop()
	if err := <-a.ended; err != nil { // the last spans have been sent
		t.Fatal(err)
	}
	a.ended <- nil
	mu.Lock()
	defer mu.Unlock()
	if len(traces) != 1 || !traces[trace] || spans["POST "+one+"/search"] != parent {
		t.Errorf("traces %v, spans %v", traces, spans)
	}
	for _, stage := range []string{"encode", "find", "rank", "compare", "read", "explain"} {
		if spans[stage] != spans["id"] {
			t.Errorf("%s stands below %q, not %q", stage, spans[stage], spans["id"])
		}
	}
	for _, bad := range []string{"localhost:4318", "ftp://x", "http://"} {
		if _, err := New(Config{Tracing: bad}); err == nil {
			t.Errorf("traces to %q", bad)
		}
	}
}
