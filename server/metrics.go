package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/nsfl-go/nsfl/retrieve"
)

// metrics are the Prometheus metrics of the server.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	stages   *prometheus.HistogramVec
	rejected *prometheus.CounterVec
	inFlight prometheus.Gauge
	degraded prometheus.Counter
}

func newMetrics(open, down, memory func() int) *metrics {
	// From 0.1 ms to 26 s, doubling.
	buckets := prometheus.ExponentialBuckets(0.0001, 2, 19)
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "nsfl_http_requests_total", Help: "Answered requests."}, []string{"method", "route", "code"}),
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "nsfl_http_request_seconds", Help: "Duration of requests.", Buckets: buckets}, []string{"route"}),
		stages:   prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "nsfl_search_stage_seconds", Help: "Duration of the stages of searches.", Buckets: buckets}, []string{"stage"}),
		rejected: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "nsfl_rejected_total", Help: "Requests rejected because of a limit."}, []string{"kind"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "nsfl_http_in_flight", Help: "Requests in progress."}),
		degraded: prometheus.NewCounter(prometheus.CounterOpts{Name: "nsfl_degraded_answers_total", Help: "Answers without a part of the store."}),
	}
	m.registry.MustRegister(
		m.requests, m.seconds, m.stages, m.rejected, m.inFlight, m.degraded,
		gauge("nsfl_collections_open", "Open collections.", open),
		gauge("nsfl_memory_bytes", "Estimated memory of requests.", memory),
		gauge("nsfl_stores_down", "Remote stores that do not answer.", down),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, name := range []string{"search", "write", "stream", "call", "rate", "connection", "memory"} {
		m.rejected.WithLabelValues(name)
	}
	return m
}

func gauge(name, help string, value func() int) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
}

func (m *metrics) request(method, route string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodHead, http.MethodOptions:
	default:
		method = "other" // clients could invent any number of methods
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// stagesOf records the durations of the stages of a search.
func (m *metrics) stagesOf(t retrieve.Timings) {
	for _, stage := range []struct {
		name string
		took time.Duration
	}{{"encode", t.Encode}, {"find", t.Find}, {"rank", t.Rank}, {"compare", t.Compare}, {"read", t.Read}, {"explain", t.Explain}} {
		if stage.took > 0 {
			m.stages.WithLabelValues(stage.name).Observe(stage.took.Seconds())
		}
	}
}
