package weaviate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// A server whose certificate nobody has signed gets nothing, neither over HTTP nor
// over gRPC, and one whose certificate is known gets the key.
func TestCertificates(t *testing.T) {
	const key = "swordfish"
	t.Setenv("WEAVIATE_API_KEY", key)
	ctx, asked := context.Background(), 0
	rest := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer rest.Close()
	b := &between{search: func(*wire.SearchReply) error { asked++; return nil }}
	url := "weaviate://" + rest.Listener.Addr().String() + "/?tls=true&grpc=" + b.serve(t, grpc.Creds(credentials.NewServerTLSFromCert(&rest.TLS.Certificates[0])))
	at, err := configure(url)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AddCert(rest.Certificate())
	for _, c := range []struct {
		security *tls.Config
		asked    int
	}{{new(tls.Config), 0}, {&tls.Config{RootCAs: known}, 2}} {
		asked = 0
		h, err := newClient(at, c.security)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		_, overGRPC := h.search(ctx, new(wire.SearchRequest))
		overHTTP := h.get(ctx, ".well-known/live", nil)
		for name, err := range map[string]error{"HTTP": overHTTP, "gRPC": overGRPC} {
			if c.asked > 0 && err != nil || c.asked == 0 && (!strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), "certificate")) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if asked != c.asked {
			t.Errorf("the server was asked %d times, want %d", asked, c.asked)
		}
	}
	begin := time.Now()
	_, err = Open(ctx, url, engine.Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") || !strings.Contains(err.Error(), "certificate") || time.Since(begin) > patience {
		t.Errorf("opening: %v", err)
	}
}
