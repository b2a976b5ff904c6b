package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/nsfl-go/nsfl/internal/version"
)

// Health says whether the server lives, or is ready.
type Health struct {
	Status      string `json:"status" enum:"ok,ready"`
	Collections int    `json:"collections,omitempty" doc:"ready: how many are open"`
	StoresDown  int    `json:"stores_down,omitempty" doc:"ready: how many stores elsewhere do not answer; GET /v1/collections tells which"`
}

func (s *Server) health(*exchange, *nothing) (*Health, error) { return &Health{Status: "ok"}, nil }

// readiness looks at what every request will need; collections are opened when
// they are asked for. A store that is down keeps nobody from asking for others.
func (s *Server) readiness(*exchange, *nothing) (*Health, error) {
	if s.stopping.Load() {
		return nil, newProblem("unavailable", "the server is shutting down")
	}
	if _, err := s.collections.Directories(); err != nil {
		return nil, newProblem("unavailable", "the directory of collections cannot be read").because(err)
	}
	return &Health{Status: "ready", Collections: s.collections.Open(), StoresDown: s.collections.Down()}, nil
}

func (s *Server) version(*exchange, *nothing) (*version.Build, error) {
	b := version.This()
	return &b, nil
}

func (s *Server) metricsPage(x *exchange) error {
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}).ServeHTTP(x.w, x.Request)
	return nil
}

// fixed serves bytes that never change.
func fixed(contentType string, content *[]byte) func(*exchange) error {
	return func(x *exchange) error {
		x.send(http.StatusOK, contentType, *content)
		return nil
	}
}
