package server

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// bodyDeadline reads the body of a request with a deadline. If once is set, the whole body
// has to arrive within the stall time. Otherwise each read has that long, and all reads have
// to end by until, which moves on with the bytes that arrive. A handler without a connection
// has no deadlines.
type bodyDeadline struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration
	once    bool
	until   time.Time // zero: none
}

// slowest is the rate, in bytes per second, at which a body must arrive after until is set.
const slowest = 64 << 10

// newBodyDeadline sets the first deadline at once, so that a request that is refused without
// reading its body does not hold its connection.
func newBodyDeadline(w http.ResponseWriter, r *http.Request, stall time.Duration) *bodyDeadline {
	p := &bodyDeadline{ReadCloser: r.Body, control: http.NewResponseController(w), stall: stall, once: true}
	if r.ContentLength != 0 {
		p.extend()
	}
	return p
}

func (p *bodyDeadline) extend() {
	deadline := time.Now().Add(p.stall)
	if !p.until.IsZero() && p.until.Before(deadline) {
		deadline = p.until
	}
	_ = p.control.SetReadDeadline(deadline)
}

func (p *bodyDeadline) Read(b []byte) (int, error) {
	if !p.once {
		p.extend()
	}
	n, err := p.ReadCloser.Read(b)
	if !p.until.IsZero() {
		p.until = p.until.Add(time.Duration(n) * time.Second / slowest)
	}
	if errors.Is(err, io.EOF) {
		// After the body, net/http reads to detect that the client has gone. A deadline
		// that expires then would be taken for that.
		_ = p.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
