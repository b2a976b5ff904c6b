package limit

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// Body reads the body of a request with a deadline. If Once is set, the whole body
// has to arrive within the stall time. Otherwise each read has that long, and all reads have
// to end by Until, which moves on with the bytes that arrive. A handler without a connection
// has no deadlines.
type Body struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration
	Once    bool
	Until   time.Time // zero: none
}

// slowest is the rate, in bytes per second, at which a body must arrive after Until is set.
const slowest = 64 << 10

// NewBody sets the first deadline at once, so that a request that is refused without
// reading its body does not hold its connection.
func NewBody(w http.ResponseWriter, r *http.Request, stall time.Duration) *Body {
	p := &Body{ReadCloser: r.Body, control: http.NewResponseController(w), stall: stall, Once: true}
	if r.ContentLength != 0 {
		p.extend()
	}
	return p
}

func (p *Body) extend() {
	deadline := time.Now().Add(p.stall)
	if !p.Until.IsZero() && p.Until.Before(deadline) {
		deadline = p.Until
	}
	_ = p.control.SetReadDeadline(deadline)
}

func (p *Body) Read(b []byte) (int, error) {
	if !p.Once {
		p.extend()
	}
	n, err := p.ReadCloser.Read(b)
	if !p.Until.IsZero() {
		p.Until = p.Until.Add(time.Duration(n) * time.Second / slowest)
	}
	if errors.Is(err, io.EOF) {
		// After the body, net/http reads to detect that the client has gone. A deadline
		// that expires then would be taken for that.
		_ = p.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
