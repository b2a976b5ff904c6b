package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/server"
)

func healthCommand() *cobra.Command {
	var patience time.Duration
	cmd := &cobra.Command{
		Use:   "health [URL]",
		Short: "Check whether a server is ready",
		Long: `Health checks whether a server is ready, and fails if not: for containers and monitoring.
Without a URL it checks the server on this machine with the same environment (NSFL_LISTEN,
NSFL_TLS_CERT).`,
		Example: `  nsfl health
  nsfl health https://search.example
  NSFL_LISTEN=0.0.0.0:8000 nsfl health`,
		Args: args(0, 1, "the URL of a server, or nothing"),
		RunE: func(cmd *cobra.Command, words []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), patience)
			defer cancel()
			client, base, err := whichServer(words)
			if err != nil {
				return err
			}
			health, err := askReady(ctx, client, base)
			if err != nil {
				return fmt.Errorf("%s is not ready: %w", base, err)
			}
			return say(cmd, health, "%s is ready", base)
		},
	}
	f := cmd.Flags()
	f.DurationVar(&patience, "timeout", 5*time.Second, "how long to wait for an answer")
	addJSON(f)
	return cmd
}

// whichServer returns a client for the named server, or for the one of the settings on this
// machine, whose certificate it trusts.
func whichServer(words []string) (*http.Client, string, error) {
	if len(words) > 0 {
		return http.DefaultClient, words[0], nil
	}
	s := newSettings()
	if err := s.readEnvironment(os.LookupEnv); err != nil {
		return nil, "", usageError{err}
	}
	host, port, err := net.SplitHostPort(s.listen)
	if err != nil {
		return nil, "", usageError{fmt.Errorf("the server's address %q is not HOST:PORT", s.listen)}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	address := net.JoinHostPort(host, port)
	if s.TLSCert == "" {
		return http.DefaultClient, "http://" + address, nil
	}
	pair, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
	if err != nil {
		return nil, "", fmt.Errorf("reading the server's certificate: %w", err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(pair.Leaf)
	config := &tls.Config{RootCAs: trusted, ServerName: nameIn(pair.Leaf)}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: config}}, "https://" + address, nil
}

// nameIn returns a host name that a certificate is valid for.
func nameIn(c *x509.Certificate) string {
	switch {
	case len(c.DNSNames) > 0:
		return c.DNSNames[0]
	case len(c.IPAddresses) > 0:
		return c.IPAddresses[0].String()
	}
	return ""
}

func askReady(ctx context.Context, client *http.Client, base string) (*server.Health, error) {
	at, err := url.JoinPath(base, "readyz")
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(r)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // it was only read
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answers %s", answer.Status)
	}
	health := &server.Health{}
	if err := json.NewDecoder(answer.Body).Decode(health); err != nil || health.Status != "ready" {
		return nil, errors.New("what answers is not nsfl")
	}
	return health, nil
}
