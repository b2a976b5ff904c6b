package auth

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// Certificate is the TLS configuration of the server. The files may change while it runs.
type Certificate struct {
	cert, key string
	clients   string // CA file for client certificates; empty: none are needed
	log       *slog.Logger
	// Now is the clock, for tests.
	Now func() time.Time

	changes fileChanges
	current atomic.Pointer[tls.Config]
}

// NewCertificate loads the files. It returns nil if none are named.
func NewCertificate(cert, key, clients string, log *slog.Logger) (*Certificate, error) {
	switch {
	case (cert == "") != (key == ""):
		return nil, fmt.Errorf("tls-cert and tls-key are both required; one of them is missing")
	case cert == "" && clients != "":
		return nil, fmt.Errorf("tls-client-ca needs TLS; set tls-cert and tls-key, too")
	case cert == "":
		return nil, nil
	}
	c := &Certificate{cert: cert, key: key, clients: clients, log: log, Now: time.Now, changes: fileChanges{files: []string{cert, key}}}
	if clients != "" {
		c.changes.files = append(c.changes.files, clients)
	}
	c.changes.hasChanged(c.Now())
	return c, c.read()
}

// read loads the files. If one of them is invalid, the current configuration stays.
func (c *Certificate) read() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("reading the certificate: %w", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	if c.clients != "" {
		content, err := os.ReadFile(c.clients)
		if err != nil {
			return fmt.Errorf("reading tls-client-ca: %w", err)
		}
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		if !config.ClientCAs.AppendCertsFromPEM(content) {
			return fmt.Errorf("reading tls-client-ca: there is no certificate in %s; PEM is expected", c.clients)
		}
	}
	if pair.Leaf != nil && c.Now().After(pair.Leaf.NotAfter) {
		c.log.Warn("the certificate has expired; clients will reject it", "file", c.cert, "expired", pair.Leaf.NotAfter)
	}
	c.current.Store(config)
	return nil
}

// Reload reads the files again and logs the result.
func (c *Certificate) Reload() error {
	if c == nil {
		return nil
	}
	if err := c.read(); err != nil {
		c.log.Error("THE NEW CERTIFICATE CANNOT BE READ: the old one stays in use; correct the files", "error", err)
		return err
	}
	c.log.Info("the certificate was reloaded", "file", c.cert)
	return nil
}

// Config returns the configuration for a listener. Each new connection uses the current files.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		if c.changes.hasChanged(c.Now()) {
			_ = c.Reload() // logged by Reload
		}
		return c.current.Load(), nil
	}}
}
