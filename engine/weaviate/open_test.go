package weaviate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/attached"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
)

// Whatever an address says, an error does not repeat what may be a key.
func TestAddresses(t *testing.T) {
	for _, url := range []string{
		"hunter2", "http://hunter2", "weaviate://user:hunter2@host/", "weaviate://hunter2@host/", "weaviate://host/hunter2", "weaviate://host:hunter2/",
		"weaviate://host/?key=hunter2", "weaviate://host/?collection=a&collection=hunter2", "weaviate://host/?scheme=hunter2", "weaviate://host/?%hunter2",
		"weaviate://ho st hunter2/", "weaviate:///?a=hunter2", "weaviate://", "weaviate://a,,b/", "weaviate://host:0/", "weaviate://host:99999/",
		"weaviate://a,b/?grpc=hunter2", "weaviate://host/?replicas=hunter2", "weaviate://host/?shards=-1", "weaviate://host/?shards=1000", "weaviate://host/?consistency=SOME",
	} {
		_, err := Open(context.Background(), url, engine.Options{})
		var input *engine.InputError
		if !errors.As(err, &input) || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for url, want := range map[string]struct {
		address
		place string
	}{
		"weaviate://host": {address{false, []hostAddress{{"host:8080", "host:50051"}}, "Nsfl", "QUORUM", 0, 0, attached.Roles{}, ""}, "weaviate://host:8080/?collection=Nsfl"},
		"weaviate://a:1,[::1]:2,::2/?grpc=b:3,[::3],c&consistency=one&replicas=3&shards=5&collection=films&scheme=https": {
			address{true, []hostAddress{{"a:1", "b:3"}, {"[::1]:2", "[::3]:50051"}, {"[::2]:443", "c:50051"}}, "Films", "ONE", 5, 3, attached.Roles{}, ""},
			"weaviate://a:1,[::1]:2,[::2]:443/?collection=Films",
		},
		"weaviate://h/?collection=Films&tenant=a%20b&vector=v&text=body": {
			address{false, []hostAddress{{"h:8080", "h:50051"}}, "Films", "QUORUM", 0, 0, attached.Roles{Vector: "v", Text: "body"}, "a b"}, "weaviate://h:8080/?collection=Films&tenant=a+b",
		},
	} {
		if a, err := configure(url); err != nil || fmt.Sprint(*a) != fmt.Sprint(want.address) || a.place() != want.place {
			t.Errorf("%s: %+v, %v", url, a, err)
		}
	}
}

// What is read as an address is one that has hosts with ports, and its place is
// read as the same hosts.
func FuzzAddress(f *testing.F) {
	f.Add("weaviate://a:1,b:2/?grpc=c:3,d:4&collection=x&replicas=3")
	f.Add("weaviate://[::1]:8080/?scheme=https")
	f.Add("weaviate://::1")
	f.Add("weaviate://user:secret@host/")
	f.Fuzz(func(t *testing.T, url string) {
		a, err := configure(url)
		if err != nil {
			return
		}
		again, err := configure(a.place())
		if err != nil || len(again.hosts) != len(a.hosts) || again.collection != a.collection {
			t.Fatalf("%q has the place %q, which is read as %+v, %v", url, a.place(), again, err)
		}
		for i := range a.hosts {
			if a.hosts[i].rest != again.hosts[i].rest || a.hosts[i].grpc == "" {
				t.Errorf("%q: %+v, %+v", url, a, again)
			}
		}
	})
}

func TestOptions(t *testing.T) {
	refused := func(address string, o engine.Options) {
		t.Helper()
		var input *engine.InputError
		if _, err := Open(context.Background(), address, o); !errors.As(err, &input) {
			t.Errorf("%s, %+v: %v", address, o, err)
		}
	}
	for _, setting := range []string{"collection=1films", "collection=films.x", "collection=a/b", "collection=é", "collection=" + strings.Repeat("a", 201), "consistency=two", "replicas=-1", "shards=101"} {
		refused("weaviate://127.0.0.1:1/?"+setting, engine.Options{})
	}
	for _, o := range []engine.Options{{Dimension: -1}, {Dimension: engine.MaxDimension + 1}, {Encoder: "\xff"}, {Timeout: -1}} {
		refused("weaviate://127.0.0.1:1/", o)
	}
}

// askSchema does something to the server's schema over HTTP.
func askSchema(t *testing.T, c *weaviatetest.Cluster, method, path string, body any) map[string]any {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, "http://"+c.HTTP(0)+"/v1/"+path, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s, %v, %v", method, path, response.Status, answer, err)
	}
	return answer
}

// Only what is there, and is a collection, and not of a newer version, is opened.
func TestOpen(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	name := collection(t, c)
	at := c.URL() + "&collection=" + name
	for _, o := range []engine.Options{{}, {ReadOnly: true, Dimension: dim}} {
		if _, err := Open(ctx, at, o); !errors.Is(err, engine.ErrNotCollection) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	s := opened(t, at, engine.Options{Dimension: dim, Encoder: "e"})
	if err := s.Upsert(ctx, enginetest.Documents(3)); err != nil {
		t.Fatal(err)
	}
	calls := enginetest.Calls(t, s, enginetest.Documents(3))
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	for what, call := range calls {
		if err := call(ctx); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("%s of a closed store: %v", what, err)
		}
	}
	var mismatch *engine.MismatchError
	if _, err := Open(ctx, at, engine.Options{Encoder: "f"}); !errors.As(err, &mismatch) || mismatch.Stored != `"e"` || mismatch.Given != `"f"` {
		t.Errorf("another encoder: %v", err)
	}
	reader := opened(t, c.URL()+"&collection="+strings.ToLower(name[:1])+name[1:], engine.Options{ReadOnly: true})
	if d, err := reader.Get(ctx, "id-2", engine.AllParts); err != nil || d.ID != "id-2" {
		t.Errorf("reading: %v", err)
	}
	_, err := reader.Delete(ctx, []string{"id-0"})
	for what, err := range map[string]error{"Upsert": reader.Upsert(ctx, enginetest.Documents(1)), "Delete": err, "SetNotes": reader.SetNotes(ctx, map[string]string{"a": "b"})} {
		if !errors.Is(err, engine.ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	class := askSchema(t, c, http.MethodGet, "schema/"+name, nil)
	class["description"] = settings{99, dim, "e"}.describe()
	askSchema(t, c, http.MethodPut, "schema/"+name, class)
	var format *engine.FormatError
	if _, err := Open(ctx, at, engine.Options{}); !errors.As(err, &format) || format.Found != 99 || format.Supported != 3 {
		t.Errorf("a newer version: %v", err)
	}
	class["description"] = "films"
	askSchema(t, c, http.MethodPut, "schema/"+name, class)
	foreign, err := Open(ctx, at, engine.Options{Dimension: dim})
	if _, ok := foreign.(*Attached); !ok {
		t.Fatalf("a class of something else: %v, %v", foreign, err)
	}
	if err := foreign.Close(); err != nil {
		t.Error(err)
	}
	other := collection(t, c)
	askSchema(t, c, http.MethodPost, "schema", map[string]any{"class": other + "_notes"})
	if _, err := Open(ctx, c.URL()+"&collection="+other, engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "something else's") {
		t.Errorf("notes of something else: %v", err)
	}
}

// The key in the environment is the one that the server gets, and one that is wrong
// is not shown.
func TestKeys(t *testing.T) {
	c := own(t, weaviatetest.Options{Env: []string{
		"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=false", "AUTHENTICATION_APIKEY_ENABLED=true", "AUTHENTICATION_APIKEY_ALLOWED_KEYS=swordfish", "AUTHENTICATION_APIKEY_USERS=someone",
	}})
	for _, key := range []string{"", "hunter2"} {
		t.Setenv("WEAVIATE_API_KEY", key)
		if _, err := Open(context.Background(), c.URL(), engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "refuses the key: set WEAVIATE_API_KEY") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("with the key %q: %v", key, err)
		}
	}
	t.Setenv("WEAVIATE_API_KEY", "swordfish")
	s := opened(t, c.URL(), engine.Options{Dimension: dim})
	if err := s.Upsert(context.Background(), enginetest.Documents(10)); err != nil {
		t.Fatal(err)
	}
	for name, call := range enginetest.Calls(t, s, enginetest.Documents(10)) {
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
