package server

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// patient reads the body of a request, but does not wait for ever: all of it has
// to come within the time or, unless once, each piece of it and what is to come until
// some time, which moves on as it comes. Where deadlines
// cannot be set, as for a handler without a connection, there is no client to
// wait for.
type patient struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration
	once    bool
	until   time.Time // zero: there is none
}

// slowest is how many bytes a second move the time on until which a body is read.
const slowest = 64 << 10

// newPatient begins to wait: a request that is refused without being read does not
// hold its connection either.
func newPatient(w http.ResponseWriter, r *http.Request, stall time.Duration) *patient {
	p := &patient{ReadCloser: r.Body, control: http.NewResponseController(w), stall: stall, once: true}
	if r.ContentLength != 0 {
		p.extend()
	}
	return p
}

func (p *patient) extend() {
	deadline := time.Now().Add(p.stall)
	if !p.until.IsZero() && p.until.Before(deadline) {
		deadline = p.until
	}
	_ = p.control.SetReadDeadline(deadline)
}

func (p *patient) Read(b []byte) (int, error) {
	if !p.once {
		p.extend()
	}
	n, err := p.ReadCloser.Read(b)
	if !p.until.IsZero() {
		p.until = p.until.Add(time.Duration(n) * time.Second / slowest)
	}
	if errors.Is(err, io.EOF) {
		// Behind the body net/http listens for the client to go. A deadline that
		// passes there would be taken for that.
		_ = p.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
