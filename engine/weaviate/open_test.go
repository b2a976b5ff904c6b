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

	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
	"github.com/nsfl-go/nsfl/index"
)

// Whatever an address says, an error does not repeat what may be a key.
func TestAddresses(t *testing.T) {
	for _, url := range []string{
		"hunter2", "http://hunter2", "weaviate://user:hunter2@host/", "weaviate://hunter2@host/", "weaviate://host/hunter2", "weaviate://host:hunter2/",
		"weaviate://host/?key=hunter2", "weaviate://host/?collection=a&collection=hunter2", "weaviate://host/?scheme=hunter2", "weaviate://host/?%hunter2",
		"weaviate://ho st hunter2/", "weaviate:///?a=hunter2", "weaviate://", "weaviate://a,,b/", "weaviate://host:0/", "weaviate://host:99999/",
		"weaviate://a,b/?grpc=hunter2", "weaviate://host/?replicas=hunter2", "weaviate://host/?shards=-1", "weaviate://host/?shards=1000", "weaviate://host/?consistency=SOME",
	} {
		_, err := Open(context.Background(), url, Options{})
		var input *index.InputError
		if !errors.As(err, &input) || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for url, want := range map[string]struct {
		address address
		options Options
		place   string
	}{
		"weaviate://host": {address{false, []hostAddress{{"host:8080", "host:50051"}}}, Options{}, "weaviate://host:8080/?collection="},
		"weaviate://a:1,[::1]:2,::2/?grpc=b:3,[::3],c&consistency=ONE&replicas=3&shards=5&collection=films&scheme=https": {
			address{true, []hostAddress{{"a:1", "b:3"}, {"[::1]:2", "[::3]:50051"}, {"[::2]:443", "c:50051"}}},
			Options{Collection: "films", Consistency: "ONE", Replicas: 3, Shards: 5}, "weaviate://a:1,[::1]:2,[::2]:443/?collection=films",
		},
	} {
		var a address
		var o Options
		if err := a.parse(url, &o); err != nil || fmt.Sprint(a) != fmt.Sprint(want.address) || o != want.options || a.place(&o) != want.place {
			t.Errorf("%s: %+v, %+v, %s, %v", url, a, o, a.place(&o), err)
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
		var a, again address
		var o Options
		if a.parse(url, &o) != nil || o.check() != nil {
			return
		}
		if err := again.parse(a.place(&o), &Options{}); err != nil || len(again.hosts) != len(a.hosts) {
			t.Fatalf("%q has the place %q, which is read as %+v, %v", url, a.place(&o), again, err)
		}
		for i := range a.hosts {
			if a.hosts[i].rest != again.hosts[i].rest || a.hosts[i].grpc == "" {
				t.Errorf("%q: %+v, %+v", url, a, again)
			}
		}
	})
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{Collection: "1films"}, {Collection: "films.x"}, {Collection: "a/b"}, {Collection: "é"}, {Collection: strings.Repeat("a", 201)},
		{Dimension: -1}, {Dimension: index.MaxDimension + 1}, {Encoder: "\xff"}, {Timeout: -1}, {Consistency: "two"}, {Replicas: -1}, {Shards: 101},
	} {
		var input *index.InputError
		if _, err := Open(context.Background(), "weaviate://127.0.0.1:1/", o); !errors.As(err, &input) {
			t.Errorf("%+v: %v", o, err)
		}
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
	for _, o := range []Options{{Collection: name}, {Collection: name, ReadOnly: true, Dimension: dim}} {
		if _, err := Open(ctx, c.URL(), o); !errors.Is(err, index.ErrNotCollection) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	s := opened(t, c.URL(), Options{Collection: name, Dimension: dim, Encoder: "e"})
	if err := s.Upsert(ctx, documents(3)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	for what, call := range calls(s) {
		if err := call(ctx); !errors.Is(err, index.ErrClosed) {
			t.Errorf("%s of a closed store: %v", what, err)
		}
	}
	var mismatch *index.MismatchError
	if _, err := Open(ctx, c.URL(), Options{Collection: name, Encoder: "f"}); !errors.As(err, &mismatch) || mismatch.Stored != `"e"` || mismatch.Given != `"f"` {
		t.Errorf("another encoder: %v", err)
	}
	reader := opened(t, c.URL(), Options{Collection: strings.ToLower(name[:1]) + name[1:], ReadOnly: true})
	if d, err := reader.Get(ctx, "id-2"); err != nil || d.ID != "id-2" {
		t.Errorf("reading: %v", err)
	}
	_, err := reader.Delete(ctx, []string{"id-0"})
	for what, err := range map[string]error{"Upsert": reader.Upsert(ctx, documents(1)), "Delete": err, "SetNotes": reader.SetNotes(ctx, map[string]string{"a": "b"})} {
		if !errors.Is(err, index.ErrReadOnly) {
			t.Errorf("%s: %v", what, err)
		}
	}
	class := askSchema(t, c, http.MethodGet, "schema/"+name, nil)
	class["description"] = settings{99, dim, "e"}.describe()
	askSchema(t, c, http.MethodPut, "schema/"+name, class)
	var format *index.FormatError
	if _, err := Open(ctx, c.URL(), Options{Collection: name}); !errors.As(err, &format) || format.Found != 99 || format.Supported != 1 {
		t.Errorf("a newer version: %v", err)
	}
	class["description"] = "films"
	askSchema(t, c, http.MethodPut, "schema/"+name, class)
	if _, err := Open(ctx, c.URL(), Options{Collection: name, Dimension: dim}); err == nil || !strings.Contains(err.Error(), "something else's") {
		t.Errorf("a class of something else: %v", err)
	}
	other := collection(t, c)
	askSchema(t, c, http.MethodPost, "schema", map[string]any{"class": other + "_notes"})
	if _, err := Open(ctx, c.URL(), Options{Collection: other, Dimension: dim}); err == nil || !strings.Contains(err.Error(), "something else's") {
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
		if _, err := Open(context.Background(), c.URL(), Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "refuses the key: set WEAVIATE_API_KEY") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("with the key %q: %v", key, err)
		}
	}
	t.Setenv("WEAVIATE_API_KEY", "swordfish")
	s := opened(t, c.URL(), Options{Dimension: dim})
	if err := s.Upsert(context.Background(), documents(10)); err != nil {
		t.Fatal(err)
	}
	for name, call := range calls(s) {
		if err := call(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
