package server

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// certificate is what the server shows of itself, and wants of its clients. The files may
// change while it runs.
type certificate struct {
	cert, key string
	clients   string // who vouches for clients; empty: they need no certificate
	log       *slog.Logger
	now       func() time.Time

	changes fileChanges
	current atomic.Pointer[tls.Config]
}

// newCertificate is that of some files; nil where none are named.
func newCertificate(cert, key, clients string, log *slog.Logger) (*certificate, error) {
	switch {
	case (cert == "") != (key == ""):
		return nil, fmt.Errorf("tls-cert and tls-key go together; one of them is missing")
	case cert == "" && clients != "":
		return nil, fmt.Errorf("tls-client-ca asks clients for certificates, which needs TLS; name tls-cert and tls-key too")
	case cert == "":
		return nil, nil
	}
	c := &certificate{cert: cert, key: key, clients: clients, log: log, now: time.Now, changes: fileChanges{files: []string{cert, key}}}
	if clients != "" {
		c.changes.files = append(c.changes.files, clients)
	}
	c.changes.hasChanged(c.now())
	return c, c.read()
}

// read reads the files. Where they are broken, all stays as it was.
func (c *certificate) read() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("reading the certificate: %w", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	if c.clients != "" {
		content, err := os.ReadFile(c.clients)
		if err != nil {
			return fmt.Errorf("reading who vouches for clients: %w", err)
		}
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		if !config.ClientCAs.AppendCertsFromPEM(content) {
			return fmt.Errorf("reading who vouches for clients: there is no certificate in %s; PEM is expected", c.clients)
		}
	}
	if pair.Leaf != nil && c.now().After(pair.Leaf.NotAfter) {
		c.log.Warn("the certificate has expired; clients will refuse it", "file", c.cert, "expired", pair.Leaf.NotAfter)
	}
	c.current.Store(config)
	return nil
}

// reload reads the files again, and says what came of it.
func (c *certificate) reload() error {
	if c == nil {
		return nil
	}
	if err := c.read(); err != nil {
		c.log.Error("THE NEW CERTIFICATE CANNOT BE READ: the one from before stays; mend the files", "error", err)
		return err
	}
	c.log.Info("the certificate was read again", "file", c.cert)
	return nil
}

// config is for a listener: each connection gets what is in force when it begins.
func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		if c.changes.hasChanged(c.now()) {
			_ = c.reload() // it has said so
		}
		return c.current.Load(), nil
	}}
}
