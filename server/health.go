package server

import (
	"net/http"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

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
	b := version.This()
	return &b, nil
}

// metricsPage leaves out the metrics of collections that the key may not access.
func (s *Server) metricsPage(x *exchange) error {
	visible := prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		families, err := s.metrics.registry.Gather()
		for _, f := range families {
			f.Metric = slices.DeleteFunc(f.Metric, func(m *dto.Metric) bool {
				return slices.ContainsFunc(m.Label, func(l *dto.LabelPair) bool {
					return l.GetName() == collectionLabel && !allows(x.Context(), l.GetValue())
				})
			})
		}
		return slices.DeleteFunc(families, func(f *dto.MetricFamily) bool { return len(f.Metric) == 0 }), err
	})
	promhttp.HandlerFor(visible, promhttp.HandlerOpts{}).ServeHTTP(x.w, x.Request)
	return nil
}

// collectionLabel is the label of metrics per collection.
const collectionLabel = "collection"

// fixed serves constant bytes.
func fixed(contentType string, content *[]byte) func(*exchange) error {
	return func(x *exchange) error {
		x.send(http.StatusOK, contentType, *content)
		return nil
	}
}
