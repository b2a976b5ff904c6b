package weaviate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// Whatever an address says, an error does not repeat what may be a key.
func TestAddresses(t *testing.T) {
	for _, url := range []string{
		"hunter2", "http://hunter2", "weaviate://user:hunter2@host/", "weaviate://hunter2@host/", "weaviate://host/hunter2", "weaviate://host:hunter2/",
		"weaviate://host/?key=hunter2", "weaviate://host/?collection=a&collection=hunter2", "weaviate://host/?scheme=hunter2", "weaviate://host/?%hunter2",
		"weaviate://ho st hunter2/", "weaviate:///?a=hunter2", "weaviate://", "weaviate://a,,b/", "weaviate://host:0/", "weaviate://host:99999/",
		"weaviate://a,b/?grpc=hunter2", "weaviate://host/?replicas=hunter2",
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
		"weaviate://host": {address{false, []hostAddress{{"host:8080", "host:50051"}}, "Nsfl", remote.Roles{}, ""}, "weaviate://host:8080/?collection=Nsfl"},
		"weaviate://a:1,[::1]:2,::2/?grpc=b:3,[::3],c&collection=films&scheme=https": {
			address{true, []hostAddress{{"a:1", "b:3"}, {"[::1]:2", "[::3]:50051"}, {"[::2]:443", "c:50051"}}, "Films", remote.Roles{}, ""},
			"weaviate://a:1,[::1]:2,[::2]:443/?collection=Films",
		},
		"weaviate://h/?collection=Films&tenant=a%20b&vector=v&text=body": {
			address{false, []hostAddress{{"h:8080", "h:50051"}}, "Films", remote.Roles{Vector: "v", Text: "body"}, "a b"}, "weaviate://h:8080/?collection=Films&tenant=a+b",
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
	f.Add("weaviate://a:1,b:2/?grpc=c:3,d:4&collection=x")
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
	for _, setting := range []string{"collection=1films", "collection=films.x", "collection=a/b", "collection=é", "collection=" + strings.Repeat("a", 201)} {
		refused("weaviate://127.0.0.1:1/?"+setting, engine.Options{})
	}
	for _, o := range []engine.Options{{Dimension: -1}, {Dimension: engine.MaxDimension + 1}, {Encoder: "\xff"}, {Timeout: -1}} {
		refused("weaviate://127.0.0.1:1/", o)
	}
}

// Only a class that is there, and that no earlier version has managed, is opened.
func TestOpen(t *testing.T) {
	ctx, c := context.Background(), sharedCluster(t)
	for _, o := range []engine.Options{{}, {Dimension: dim}} {
		if _, err := Open(ctx, c.URL()+"&collection="+collection(t, c), o); !errors.Is(err, engine.ErrNotCollection) {
			t.Errorf("%+v: got %v, want %v", o, err, engine.ErrNotCollection)
		}
	}
	docs := enginetest.Documents(3)
	s := attachedTo(t, c, filled(t, c, "cosine", docs)+"&vector=dense&id=ref")
	calls := enginetest.Calls(t, s, docs)
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	for name, call := range calls {
		if err := call(ctx); !errors.Is(err, engine.ErrClosed) && !errors.Is(err, engine.ErrReadOnly) {
			t.Errorf("%s of a closed store: got %v, want %v", name, err, engine.ErrClosed)
		}
	}
	name := collection(t, c)
	post(t, c, "schema", map[string]any{"class": name, "description": `{"nsfl": 3, "dimension": 16}`}, nil)
	if _, err := Open(ctx, c.URL()+"&collection="+name, engine.Options{}); err == nil || !strings.Contains(err.Error(), "nsfl copy") {
		t.Errorf("a class of an earlier version: got %v, want an error that names nsfl copy", err)
	}
}

// The key in the environment is the one that the server gets, and one that is wrong
// is not shown.
func TestKeys(t *testing.T) {
	c := own(t, clusterOptions{Env: []string{
		"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=false", "AUTHENTICATION_APIKEY_ENABLED=true", "AUTHENTICATION_APIKEY_ALLOWED_KEYS=swordfish", "AUTHENTICATION_APIKEY_USERS=someone",
	}})
	for _, key := range []string{"", "hunter2"} {
		t.Setenv("WEAVIATE_API_KEY", key)
		if _, err := Open(context.Background(), c.URL(), engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "refuses the key: set WEAVIATE_API_KEY") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("with the key %q: %v", key, err)
		}
	}
	t.Setenv("WEAVIATE_API_KEY", "swordfish")
	if _, err := Open(context.Background(), c.URL(), engine.Options{}); !errors.Is(err, engine.ErrNotCollection) {
		t.Errorf("with the right key: got %v, want %v", err, engine.ErrNotCollection)
	}
}
