package weaviate

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

func TestConfigure(t *testing.T) {
	for url, want := range map[string]string{
		"weaviate://host": "weaviate://host:8080/?collection=Nsfl&grpc=host%3A50051",
		"weaviate://[::1]:2/?grpc=b&collection=films&tls=true&tenant=x": "weaviate://[::1]:2/?collection=Films&grpc=b%3A50051&tenant=x&tls=true",
	} {
		if a, err := configure(url); err != nil || a.Place() != want {
			t.Errorf("%s: got %+v, %v, want the place %s", url, a, err, want)
		}
	}
	for _, url := range []string{"weaviate://user:key@host/", "weaviate://a,b/", "weaviate://host/?grpc=a,b", "weaviate://host/?grpc=%3A", "weaviate://host/?scheme=https"} {
		if a, err := configure(url); err == nil {
			t.Errorf("%s: got %+v, want an error", url, a)
		}
	}
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

// Only an existing class is opened.
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
}

// The key in the environment is the one that the server gets, and one that is wrong
// is not shown.
func TestKeys(t *testing.T) {
	c := own(t, clusterOptions{Env: []string{
		"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=false", "AUTHENTICATION_APIKEY_ENABLED=true", "AUTHENTICATION_APIKEY_ALLOWED_KEYS=swordfish", "AUTHENTICATION_APIKEY_USERS=someone",
	}})
	for _, key := range []string{"", "hunter2"} {
		t.Setenv("WEAVIATE_API_KEY", key)
		if _, err := Open(context.Background(), c.URL(), engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "set WEAVIATE_API_KEY to a key that may read the class") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("with the key %q: %v", key, err)
		}
	}
	t.Setenv("WEAVIATE_API_KEY", "swordfish")
	if _, err := Open(context.Background(), c.URL(), engine.Options{}); !errors.Is(err, engine.ErrNotCollection) {
		t.Errorf("with the right key: got %v, want %v", err, engine.ErrNotCollection)
	}
}
