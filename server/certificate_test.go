package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// issued is a certificate of a name, which is its own authority.
func issued(t *testing.T, name string, usage x509.ExtKeyUsage) (cert, key []byte, parsed *x509.Certificate) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{usage}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	if parsed, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), parsed
}

func put(t *testing.T, file string, content []byte) {
	t.Helper()
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// shown is the name in the certificate that a server shows.
func shown(t *testing.T, a *api, config *tls.Config) (string, error) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}
	defer client.CloseIdleConnections()
	response, err := client.Get(a.base + "/healthz")
	if err != nil {
		return "", err
	}
	_, _ = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if response.ProtoMajor != 2 {
		t.Errorf("HTTP/%d is spoken", response.ProtoMajor)
	}
	return response.TLS.PeerCertificates[0].Subject.CommonName, nil
}

// Certificates are taken up while the server runs, and broken ones are not.
func TestTLS(t *testing.T) {
	dir, log := t.TempDir(), &logged{}
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	roots := x509.NewCertPool()
	renew := func(name string) {
		cert, key, parsed := issued(t, name, x509.ExtKeyUsageServerAuth)
		roots.AddCert(parsed)
		put(t, certFile, cert)
		put(t, keyFile, key)
	}
	renew("first")
	a := start(t, Config{TLSCert: certFile, TLSKey: keyFile, Log: slog.New(slog.NewTextHandler(log, nil))})
	want := func(name string) {
		t.Helper()
		if got, err := shown(t, a, &tls.Config{RootCAs: roots}); err != nil || got != name {
			t.Errorf("%q is shown, want %q: %v", got, name, err)
		}
	}
	want("first")
	renew("second")
	if err := a.server.Reload(); err != nil {
		t.Fatal(err)
	}
	want("second")
	put(t, keyFile, []byte("half a key"))
	if err := a.server.Reload(); err == nil {
		t.Error("a broken key was taken up")
	}
	want("second")
	if !strings.Contains(log.String(), "THE NEW CERTIFICATE CANNOT BE READ") {
		t.Errorf("the log: %s", log)
	}
	renew("third")
	a.server.certificate.Now = func() time.Time { return time.Now().Add(time.Minute) }
	want("third")
}

func TestClientCertificates(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		put(t, filepath.Join(dir, name), content)
		return filepath.Join(dir, name)
	}
	cert, key, server := issued(t, "server", x509.ExtKeyUsageServerAuth)
	authority, clientKey, _ := issued(t, "client", x509.ExtKeyUsageClientAuth)
	stranger, strangerKey, _ := issued(t, "stranger", x509.ExtKeyUsageClientAuth)
	roots := x509.NewCertPool()
	roots.AddCert(server)
	a := start(t, Config{TLSCert: file("cert", cert), TLSKey: file("key", key), TLSClientCA: file("ca", authority)})
	for _, c := range []struct {
		name      string
		cert, key []byte
		let       bool
	}{{"nobody", nil, nil, false}, {"a stranger", stranger, strangerKey, false}, {"a client", authority, clientKey, true}} {
		config := &tls.Config{RootCAs: roots}
		if c.cert != nil {
			pair, err := tls.X509KeyPair(c.cert, c.key)
			if err != nil {
				t.Fatal(err)
			}
			config.Certificates = []tls.Certificate{pair}
		}
		if _, err := shown(t, a, config); (err == nil) != c.let {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for words, c := range map[string]Config{
		"needs TLS":      {TLSClientCA: filepath.Join(dir, "ca")},
		"no certificate": {TLSCert: filepath.Join(dir, "cert"), TLSKey: filepath.Join(dir, "key"), TLSClientCA: file("none", []byte("x"))},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%v, want %q", err, words)
		}
	}
}
