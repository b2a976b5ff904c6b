package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"time"

	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/server/limit"
)

// kind is the cost class of a request. It determines the admission control, the time limit and
// the size limit of the body.
type kind uint8

const (
	free      kind = iota // almost free
	asking                // encodes a query or reads documents
	storing               // stores or deletes documents at once
	streaming             // stores documents as they arrive
	keeping               // backs up or restores; no time limit
)

// route is an entry of the route table: the handler, its description and the required role.
type route struct {
	method, path string
	name         string // operationId
	summary      string
	role         Role
	kind         kind
	opens        bool // opens the collection of the path, for writing if role is Write
	openAI       bool // report errors in OpenAI's format, too
	parameters   []parameter
	takes        reflect.Type // body; nil: none
	takesType    string       // media type of the body, if not JSON
	gives        reflect.Type // response; nil: none
	givesType    string
	status       int   // on success
	problems     []int // in addition to usualProblems
	handle       func(*exchange) error
}

// nothing stands for an empty body or response.
type nothing struct{}

// bound sets the handler of a route to a function from request body to response.
func bound[In, Out any](r route, f func(x *exchange, in *In) (*Out, error)) route {
	none := reflect.TypeFor[nothing]()
	r.takes, r.gives = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if r.takes == none {
		r.takes = nil
	}
	if r.gives == none {
		r.gives = nil
		r.status = http.StatusNoContent
	}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	r.handle = func(x *exchange) error {
		in := new(In)
		if r.takes != nil {
			if err := x.decode(in); err != nil {
				return err
			}
		}
		out, err := f(x, in)
		if err != nil {
			return err
		}
		if r.gives == nil {
			x.w.WriteHeader(r.status)
			return nil
		}
		if list, ok := any(out).(listAnswer); ok {
			return x.sendList(r.status, list)
		}
		content, err := json.Marshal(out)
		if err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
		x.send(r.status, "application/json", content)
		return nil
	}
	return r
}

// streamed completes a route whose bodies are streams of lines.
func streamed(r route, takesType string, takes, gives reflect.Type, f func(*exchange) error) route {
	r.takes, r.takesType, r.gives, r.givesType, r.status, r.kind = takes, takesType, gives, ndjson, http.StatusOK, streaming
	r.handle = f
	return r
}

const ndjson = "application/x-ndjson"

// exchange returns the exchange for a request.
func (s *Server) exchange(w http.ResponseWriter, r *http.Request) *exchange {
	return &exchange{Request: r, w: w, server: s, record: recordOf(r.Context()), share: limit.Share{Memory: s.memory}}
}

// serve checks the key and the rate limit, then answers the request.
func (s *Server) serve(to *route, answer func(*exchange) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := s.exchange(w, r)
		defer x.share.End()
		x.Request = r.WithContext(retrieve.WithMemory(r.Context(), x.share.Draw))
		x.record.route, x.openAI = to.path, to.openAI
		err := s.admit(x, to.role)
		x.share.Party = x.record.party
		if err == nil && to.role > Anyone {
			if err = s.rates.Take(x.record.party, time.Now()); err != nil {
				s.metrics.rejected.WithLabelValues("rate").Inc()
			}
		}
		if err == nil {
			err = answer(x)
		}
		if err != nil {
			x.fail(err)
		}
	})
}

// maxAsked limits the JSON values of a read request. A thousand ids, or a formula and a
// filter, need far fewer.
const maxAsked = 1 << 14

// bounded handles a request within the limits of its kind.
//
// It reads the body before the request enters admission control, so a slow client blocks
// nobody. Separate limits apply to the memory of bodies and to the batches encoded at once.
func (s *Server) bounded(x *exchange, r *route) (err error) {
	limit, period, entry := s.limits.QueryBytes, s.limits.SearchTime, s.searches
	switch r.kind {
	case free:
		entry = nil
	case keeping:
		period, entry = 0, nil
	case storing:
		limit, period, entry = s.limits.WriteBytes, s.limits.WriteTime, s.streams
	case streaming:
		limit, period, entry = s.limits.StreamBytes, 0, s.streams
	}
	if name := x.PathValue("name"); name != "" && !(workspace.IsName(name) && allows(x.Context(), name)) {
		return noCollection(name)
	}
	x.record.body.Once = r.kind != streaming
	// net/http closes the connection after an oversized body only if MaxBytesReader gets its
	// own ResponseWriter.
	if x.body, err = unpacked(x.record.ResponseWriter, x.Request, limit); err != nil {
		return bodyProblem(err)
	}
	if r.kind == streaming {
		err = x.share.Draw(streamCost) // one batch at a time
	} else {
		x.body = &drawing{x.body, &x.share}
	}
	if err != nil {
		return err
	}
	if r.kind == free || r.kind == asking {
		x.values = maxAsked
	}
	if r.takes != nil && r.kind != streaming {
		if x.content, err = io.ReadAll(x.body); err != nil {
			return bodyProblem(err)
		}
	}
	if r.takes == nil && (r.method == http.MethodPost || r.method == http.MethodPut) {
		if x.content, err = io.ReadAll(x.body); err != nil {
			return bodyProblem(err)
		}
		if body := string(bytes.TrimSpace(x.content)); body != "" && body != "{}" {
			return invalid("%s %s takes no body; remove it", r.method, r.path)
		}
	}
	if r.kind == streaming {
		leave, err := s.lasting.Enter(x.Context())
		if err != nil {
			return err
		}
		defer leave()
	}
	if entry != nil {
		if x.place, err = entry.Enter(x.Context()); err != nil {
			return err
		}
		defer x.rest()
	}
	if period > 0 {
		ctx, cancel := context.WithTimeout(x.Context(), period)
		defer cancel()
		x.Request = x.WithContext(ctx)
	}
	if r.opens {
		var release func()
		if x.collection, release, err = s.collections.Use(x.Context(), x.PathValue("name"), r.role == Write); err != nil {
			return err
		}
		defer release()
	}
	return x.explain(r.handle(x))
}

// fallback handles requests without a route: it serves the page or reports a problem.
func (s *Server) fallback(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r)
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "" && pattern != "/" && method != r.Method {
			allowed = append(allowed, method)
		}
	}
	switch {
	case len(allowed) > 0:
		for _, method := range allowed {
			w.Header().Add("Allow", method)
		}
		x.fail(newProblem("method", "%s has no method %s", r.URL.Path, r.Method))
	case s.servePage(x):
	default:
		x.fail(newProblem("not_found", "there is nothing at %s; /docs lists all paths", r.URL.Path))
	}
}
