package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/nsfl-go/nsfl/internal/version"
)

// Health is the response of the liveness and readiness checks.
type Health struct {
	Status      string `json:"status" enum:"ok,ready"`
	Collections int    `json:"collections,omitempty" doc:"ready: number of open collections"`
	StoresDown  int    `json:"stores_down,omitempty" doc:"ready: number of remote stores that do not answer; GET /v1/collections lists them"`
}

func (s *Server) health(*exchange, *nothing) (*Health, error) { return &Health{Status: "ok"}, nil }

// readiness checks what every request needs. Collections are opened on demand, and a remote
// store that is down does not affect the others.
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
	return new(version.This()), nil
}

// metricsPage serves the metrics, which name all collections.
func (s *Server) metricsPage(x *exchange) error {
	if holder := x.record.holder; holder != nil && len(holder.Collections) > 0 {
		return newProblem("forbidden", "a key that is limited to collections cannot read metrics")
	}
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}).ServeHTTP(x.w, x.Request)
	return nil
}

// fixed serves constant bytes.
func fixed(contentType string, content *[]byte) func(*exchange) error {
	return func(x *exchange) error {
		x.send(http.StatusOK, contentType, *content)
		return nil
	}
}
