package server

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// patient reads the body of a request, but does not wait for ever: all of it has
// to come within the time or, unless once, each piece of it. Where deadlines
// cannot be set, as for a handler without a connection, there is no client to
// wait for.
type patient struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration
	once    bool
}

// newPatient begins to wait: a request that is refused without being read does not
// hold its connection either.
func newPatient(w http.ResponseWriter, r *http.Request, stall time.Duration) *patient {
	p := &patient{r.Body, http.NewResponseController(w), stall, true}
	if r.ContentLength != 0 {
		p.extend()
	}
	return p
}

func (p *patient) extend() { _ = p.control.SetReadDeadline(time.Now().Add(p.stall)) }

func (p *patient) Read(b []byte) (int, error) {
	if !p.once {
		p.extend()
	}
	n, err := p.ReadCloser.Read(b)
	if errors.Is(err, io.EOF) {
		// Behind the body net/http listens for the client to go. A deadline that
		// passes there would be taken for that.
		_ = p.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
