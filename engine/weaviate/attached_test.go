package weaviate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// post asks a server as something else would that fills it.
func post(t testing.TB, c *testCluster, path string, body, answer any) {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post("http://"+c.HTTP(0)+"/v1/"+path, "application/json", bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %s, %v", path, response.Status, text, err)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatal(err)
		}
	}
}

// thing is an object of another program.
type thing map[string]any

// put stores objects.
func put(t testing.TB, c *testCluster, things []thing) {
	t.Helper()
	for some := range slices.Chunk(things, 1000) {
		var answer []struct {
			Result struct {
				Status string
				Errors any
			}
		}
		post(t, c, "batch/objects", map[string]any{"objects": some}, &answer)
		for _, a := range answer {
			if a.Result.Status != "SUCCESS" {
				t.Fatalf("got %+v, want success", a.Result)
			}
		}
	}
}

func typed(name string, value any) map[string]any {
	p := map[string]any{"name": name, "dataType": []string{"text"}, "tokenization": "field"}
	of := func(kind string) {
		p["dataType"] = []string{kind}
		delete(p, "tokenization")
	}
	switch x := value.(type) {
	case json.Number:
		if of("number"); !strings.ContainsAny(x.String(), ".eE") && name != "score" {
			of("int")
		}
	case bool:
		of("boolean")
	case []any:
		p["dataType"] = []string{"text[]"}
	case map[string]any:
		of("object")
		var nested []any
		for name, inner := range x {
			nested = append(nested, typed(name, inner))
		}
		p["nestedProperties"] = nested
	}
	return p
}

// filled makes a class as another program would, with a property for each field, and stores
// documents in it; it is its name.
func filled(t testing.TB, c *testCluster, distance string, docs []engine.Document) string {
	return replicated(t, c, distance, docs, 1)
}

// replicated does so with some replicas of each shard.
func replicated(t testing.TB, c *testCluster, distance string, docs []engine.Document, replicas int) string {
	t.Helper()
	name := collection(t, c)
	properties := map[string]any{
		"ref":   typed("ref", ""),
		"title": map[string]any{"name": "title", "dataType": []string{"text"}}, "body": map[string]any{"name": "body", "dataType": []string{"text"}},
	}
	var things []thing
	for i, d := range docs {
		fields := map[string]any{}
		if len(d.Metadata) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(d.Metadata))
			decoder.UseNumber()
			if err := decoder.Decode(&fields); err != nil {
				t.Fatal(err)
			}
		}
		for field, value := range fields {
			properties[field] = typed(field, value)
		}
		fields["ref"] = d.ID
		if d.Title != "" {
			fields["title"] = d.Title
		}
		if d.Text != "" {
			fields["body"] = d.Text
		}
		vectors := map[string]any{"dense": d.Vector}
		if i%10 == 0 {
			vectors["other"] = []float32{1, float32(i)}
		}
		things = append(things, thing{"class": name, "id": keyOf(d.ID).String(), "properties": fields, "vectors": vectors})
	}
	var all []any
	for _, p := range properties {
		all = append(all, p)
	}
	index := func(distance string) map[string]any {
		return map[string]any{"vectorizer": map[string]any{"none": map[string]any{}}, "vectorIndexType": "hnsw", "vectorIndexConfig": map[string]any{"distance": distance, "skipDefaultQuantization": true}}
	}
	post(t, c, "schema", map[string]any{"class": name, "properties": all, "replicationConfig": map[string]any{"factor": replicas}, "vectorConfig": map[string]any{"dense": index(distance), "other": index("cosine")}}, nil)
	put(t, c, things)
	return name
}

func TestAttached(t *testing.T) {
	c := sharedCluster(t)
	enginetest.Run(t, enginetest.Maker{
		Overlap: 0.99,
		Fill: func(t testing.TB, docs []engine.Document) func(engine.Options) (enginetest.Store, error) {
			name := filled(t, c, "cosine", docs)
			return func(o engine.Options) (enginetest.Store, error) {
				return Open(context.Background(), c.URL()+"&collection="+name+"&vector=dense&id=ref&title=title&text=body", o)
			}
		},
	})
}

func TestAttachedFailures(t *testing.T) {
	var c *testCluster // that is filled, past what stands before it
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string {
			c = sharedCluster(t)
			return []string{c.GRPC(0), c.HTTP(0)}
		},
		Start: func(t testing.TB) ([]string, *os.Process) {
			c = own(t, clusterOptions{})
			return []string{c.GRPC(0), c.HTTP(0)}, c.Process(0)
		},
		Attach: func(t testing.TB, at []string, docs []engine.Document) (enginetest.Store, error) {
			name := filled(t, c, "cosine", docs)
			return Open(context.Background(), fmt.Sprintf("weaviate://%s/?grpc=%s&collection=%s&vector=dense&id=ref", at[1], at[0], name), engine.Options{})
		},
		Hasten: func(s enginetest.Store, limit time.Duration) func() {
			o := &s.(*remote.Store).Calls.Options
			usual := *o
			o.Timeout = limit
			return func() { *o = usual }
		},
	})
}
