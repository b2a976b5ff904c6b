package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server/auth"
	"github.com/nsfl-go/nsfl/server/limit"
)

// Server answers requests. It is safe for concurrent use.
type Server struct {
	config      Config
	limits      Limits
	log         *slog.Logger
	collections *workspace.Collections
	screenings  openScreenings
	files       *os.Root // whose indexed files may be sent; nil: none
	keys        *auth.Keyring
	audit       *trail            // nil: none
	certificate *auth.Certificate // nil: plain HTTP
	metrics     *metrics

	searches, writes, streams, lasting, calls *limit.Admission
	rates                                     *limit.Rates
	memory                                    *limit.Memory
	keeper                                    *keeper

	mux      *http.ServeMux
	handler  http.Handler
	openAPI  []byte
	stopping atomic.Bool
	plain    sync.Map // ids of keys seen over plain HTTP
	closing  func() error
}

// New returns a server. The caller closes it.
func New(c Config) (*Server, error) {
	s := &Server{config: c, log: c.Log, mux: http.NewServeMux()}
	var err error
	if s.limits, err = c.Limits.withDefaults(); err != nil {
		return nil, err
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.keys, err = auth.NewKeyring(c.KeysFile, c.Keys, s.log); err != nil {
		return nil, err
	}
	if s.files, err = openFiles(c.Files); err != nil {
		return nil, err
	}
	if s.certificate, err = auth.NewCertificate(c.TLSCert, c.TLSKey, c.TLSClientCA, s.log); err != nil {
		return nil, err
	}
	for _, origin := range c.Origins {
		if origin == "*" {
			continue
		}
		if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("allowing the origin %q: %w; use a form such as https://example.org", origin, err)
		}
	}
	reject := func(name string) { s.metrics.rejected.WithLabelValues(name).Inc() }
	s.searches = limit.NewAdmission("search", s.limits.Searches, s.limits.Queue, s.limits.QueueWait, partyOf, reject)
	s.writes = limit.NewAdmission("write", s.limits.Writes, s.limits.Queue, s.limits.QueueWait, partyOf, reject)
	s.writes.Reserved = 0 // writes wait instead of being refused, and each is short
	s.streams = limit.NewAdmission("stream", s.limits.Streams, s.limits.Queue, s.limits.QueueWait, partyOf, reject)
	s.lasting = limit.NewAdmission("stream", restingStreams*s.limits.Streams, s.limits.Queue, s.limits.QueueWait, partyOf, reject)
	s.calls = limit.NewAdmission("call", s.limits.Calls(), s.limits.Queue, s.limits.QueueWait, partyOf, reject)
	if s.audit, err = openTrail(c.Audit, s.log); err != nil {
		return nil, err
	}
	s.keys.Reloaded = func(err error) { s.audit.note("reload_keys", err) }
	s.collections, err = workspace.NewCollections(workspace.Config{
		Root: c.Root, Places: c.Stores, Demo: c.Demo, Encoders: c.Encoders, Hold: true, IdleTime: s.limits.IdleTime, MostOpen: s.limits.Open, Turn: s.writes.Wait, Changing: s.changing, Log: s.log,
		Quota: index.Quota{Documents: s.limits.QuotaDocuments, Bytes: s.limits.QuotaBytes},
		// A store call gets half of the request's time, which leaves time to report a timeout.
		ReadTime: s.limits.SearchTime / 2, WriteTime: s.limits.WriteTime / 2,
	})
	if err != nil {
		return nil, err
	}
	s.memory = limit.NewMemory(s.limits.Memory, s.limits.reserve(), s.limits.QueueWait, func() { s.metrics.rejected.WithLabelValues("memory").Inc() })
	s.metrics = newMetrics(s.collections.Open, s.collections.Down, s.memory.InUse)
	s.rates = limit.NewRates(s.limits.Rate, cmp.Or(s.limits.Burst, 2*s.limits.Rate))
	s.closing = sync.OnceValue(s.close)
	if s.keeper, err = newKeeper(s, c.Upkeep); err != nil {
		return nil, errors.Join(err, s.collections.Close())
	}
	return s, s.build()
}

// build builds the handler and the OpenAPI document from the route table.
func (s *Server) build() error {
	routes := s.routes()
	api := describe(routes, s.limits.Results, s.keys.IsNeeded())
	var err error
	if s.openAPI, err = json.MarshalIndent(api, "", " "); err != nil {
		return fmt.Errorf("describing the API: %w", err)
	}
	for i := range routes {
		r := &routes[i]
		s.mux.Handle(r.method+" "+r.path, s.serve(r, func(x *exchange) error { return s.bounded(x, r) }))
	}
	if s.config.Agents != nil {
		agents := s.config.Agents(&Collections{s})
		s.mux.Handle("/mcp", s.serve(&route{path: "/mcp", role: Read}, func(x *exchange) error {
			leave, err := s.calls.Enter(x.Context())
			if err != nil {
				return err
			}
			defer leave()
			x.Body = io.NopCloser(&drawing{x.Body, &x.share})
			agents.ServeHTTP(x.w, x.Request)
			return nil
		}))
	}
	s.mux.HandleFunc("/", s.fallback)
	s.handler = s.recorded(s.guarded(s.mux))
	return nil
}

// Handler returns the handler, for tests and for callers with an HTTP server of their own.
// Without keys it accepts loopback connections only.
func (s *Server) Handler() http.Handler { return s.handler }

// maxStreams is the number of concurrent requests per HTTP/2 connection.
const maxStreams = 64

// Serve answers requests until ctx is done. Then it stops accepting connections, waits for
// requests in flight up to the grace period, and closes the server.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	limited := limit.Listen(l, s.limits.Connections, func() { s.metrics.rejected.WithLabelValues("connection").Inc() })
	h := &http.Server{
		Handler: s.handler, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ConnState: limited.State, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
	}
	if s.certificate != nil {
		h.TLSConfig = s.certificate.Config()
	} else if host, _, err := net.SplitHostPort(l.Addr().String()); err == nil && !auth.IsLoopback(host) && s.keys.IsNeeded() {
		s.log.Warn("keys are sent over plain HTTP, where others can read them; use --tls-cert and --tls-key, or listen on loopback behind a proxy with TLS")
	}
	if err := s.collections.Announce(s.address(l)); err != nil {
		s.log.Warn("the server's address cannot be written to the directory of collections", "error", err)
	}
	s.keeper.begin()
	ended := make(chan error, 1)
	go func() {
		if h.TLSConfig != nil {
			ended <- h.ServeTLS(limited, "", "")
		} else {
			ended <- h.Serve(limited)
		}
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		s.stopping.Store(true)
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.GraceTime)
		defer cancel()
		if err = h.Shutdown(grace); err != nil {
			err = errors.Join(fmt.Errorf("stopping: requests in flight did not end within %s: %w", s.limits.GraceTime, err), h.Close())
		}
		<-ended
	}
	return errors.Join(err, s.Close())
}

// address returns the server's URL for clients on this machine.
func (s *Server) address(l net.Listener) string {
	scheme, host := "http", l.Addr().String()
	if s.certificate != nil {
		scheme = "https"
	}
	if a, ok := l.Addr().(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		host = net.JoinHostPort("localhost", strconv.Itoa(a.Port))
	}
	return scheme + "://" + host
}

// Close closes each collection after its last use. The caller closes the demo collection.
func (s *Server) Close() error {
	s.stopping.Store(true)
	return s.closing()
}

func (s *Server) close() error {
	s.keeper.close()
	if s.files != nil {
		defer s.files.Close() //nolint:errcheck // it was only read
	}
	return errors.Join(s.collections.Close(), s.audit.close())
}
