package main

import (
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/version"
)

func TestHealth(t *testing.T) {
	status, body := 200, `{"status": "ready"}`
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked for %s", r.URL)
		}
		w.WriteHeader(status)
		w.Write([]byte(body))
	})
	plain := httptest.NewServer(handler)
	defer plain.Close()
	must(t, "health", plain.URL)
	t.Setenv("NSFL_LISTEN", strings.Replace(plain.Listener.Addr().String(), "127.0.0.1", "0.0.0.0", 1))
	if out := must(t, "health"); !strings.Contains(out, plain.URL+" is ready") {
		t.Errorf("where all addresses are listened on: %s", out)
	}

	body = "<html>"
	if code, _, errs := cli("", "health"); code != exitFailed || !strings.Contains(errs, "not nsfl") {
		t.Errorf("another program: %d, %s", code, errs)
	}
	status = 503
	if code, _, errs := cli("", "health"); code != exitFailed || !strings.Contains(errs, "503") {
		t.Errorf("a server that stops: %d, %s", code, errs)
	}
	plain.Close()
	if code, _, errs := cli("", "health"); code != exitFailed || !strings.Contains(errs, "refused") {
		t.Errorf("no server: %d, %s", code, errs)
	}

	status, body = 200, `{"status": "ready"}`
	secure := httptest.NewTLSServer(handler)
	defer secure.Close()
	key, err := x509.MarshalPKCS8PrivateKey(secure.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert := filepath.Join(dir, "cert.pem")
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}, "key.pem": {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("NSFL_LISTEN", secure.Listener.Addr().String())
	t.Setenv("NSFL_TLS_CERT", cert)
	t.Setenv("NSFL_TLS_KEY", filepath.Join(dir, "key.pem"))
	must(t, "health")
}

func TestVersion(t *testing.T) {
	b := version.This()
	if out, want := must(t, "--version"), "nsfl version "+b.Version+", "+b.Platform; !strings.HasPrefix(out, want) {
		t.Errorf("got %s, want %s", out, want)
	}
}
