package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/nsfl-go/nsfl/server/auth"
	"github.com/nsfl-go/nsfl/server/limit"
)

// record collects the facts about a request for the log and the metrics. It wraps the
// response writer.
type record struct {
	http.ResponseWriter
	body   *limit.Body
	id     string
	route  string // pattern; empty: no match
	role   Role
	key    string    // key id
	party  string    // key or address, for limits
	holder *auth.Key // nil: the server has no keys
	remote string    // client address
	status int
	bytes  int64
	err    error
}

type recordKey struct{}

func recordOf(ctx context.Context) *record {
	r, _ := ctx.Value(recordKey{}).(*record)
	return r
}

// partyOf returns the party that a request counts for: its key or, without keys, its address.
func partyOf(ctx context.Context) string {
	if r := recordOf(ctx); r != nil {
		return r.party
	}
	return ""
}

// RoleOf returns the role of a request of an agent.
func RoleOf(ctx context.Context) Role {
	if r := recordOf(ctx); r != nil {
		return r.role
	}
	return Anyone
}

func (r *record) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *record) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap gives http.ResponseController access to the connection.
func (r *record) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Flush implements http.Flusher.
func (r *record) Flush() { _ = http.NewResponseController(r.ResponseWriter).Flush() }

var saneID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); saneID.MatchString(id) {
		return id
	}
	return rand.Text()
}

// recorded is the outermost handler. It assigns the request id, recovers from panics and
// logs the request.
func (s *Server) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := &record{ResponseWriter: w, id: requestID(r), remote: r.RemoteAddr}
		w.Header().Set("X-Request-Id", rec.id)
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // reset the previous request's deadline
		r = r.WithContext(context.WithValue(r.Context(), recordKey{}, rec))
		rec.body = limit.NewBody(w, r, s.limits.StallTime)
		r.Body = rec.body
		s.metrics.inFlight.Inc()
		defer func() {
			s.metrics.inFlight.Dec()
			if fault := recover(); fault != nil {
				s.recovered(rec, r, fault)
			}
			s.finish(rec, r, time.Since(began))
		}()
		next.ServeHTTP(rec, r)
	})
}

func (s *Server) recovered(rec *record, r *http.Request, fault any) {
	if err, ok := fault.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		return
	}
	s.log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request_id", rec.id), slog.Any("panic", fault), slog.String("stack", string(debug.Stack())))
	s.exchange(rec, r).fail(newProblem("internal", "a server error; the log has details under the id of this request"))
}

func (s *Server) finish(rec *record, r *http.Request, took time.Duration) {
	if rec.status == 0 {
		rec.status = http.StatusOK // the handler wrote nothing
	}
	s.metrics.request(r.Method, cmp.Or(rec.route, "none"), rec.status, took)
	level := slog.LevelInfo
	if rec.status >= 500 {
		level = slog.LevelError
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request_id", rec.id), slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", rec.status),
		slog.Int64("bytes", rec.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("remote", r.RemoteAddr),
	}
	if rec.key != "" {
		attrs = append(attrs, slog.String("key", rec.key))
	}
	if rec.err != nil {
		attrs = append(attrs, slog.String("error", rec.err.Error()))
	}
	s.log.LogAttrs(r.Context(), level, "request", attrs...)
}
