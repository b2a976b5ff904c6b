package limit

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// Listener is a listener that limits the number of open connections. When the limit is
// reached, it closes an idle connection to accept a new one: the one that has been idle
// longest, of the address with the most connections. One address may hold three quarters of
// the limit, so that connections that never become idle leave some for others.
type Listener struct {
	net.Listener
	most, share int
	reject      func() // for the metrics

	mu    sync.Mutex
	conns map[*limitedConn]bool
	of    map[string]int // connections by address
}

// limitedConn is a connection that counts toward the limit.
type limitedConn struct {
	net.Conn
	limit   *Listener
	address string
	idle    time.Time // since when; zero: a request is in progress
}

// Listen limits the open connections of a listener. The function reject counts refusals.
func Listen(l net.Listener, most int, reject func()) *Listener {
	return &Listener{Listener: l, most: most, share: max(1, most-most/4), reject: reject, conns: map[*limitedConn]bool{}, of: map[string]int{}}
}

// Accept waits for a connection that the limit allows. It closes the others.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if g := l.admit(c); g != nil {
			return g, nil
		}
		l.reject()
		_ = c.Close() // the client gets no response
	}
}

func (l *Listener) admit(c net.Conn) *limitedConn {
	g := &limitedConn{Conn: c, limit: l, address: AddressOf(c.RemoteAddr().String()), idle: time.Now()}
	l.mu.Lock()
	defer l.mu.Unlock()
	if hasMost := l.of[g.address] >= l.share; hasMost || len(l.conns) >= l.most {
		var out *limitedConn
		for other := range l.conns {
			if !other.idle.IsZero() && (!hasMost || other.address == g.address) && l.isBefore(other, out) {
				out = other
			}
		}
		if out == nil {
			return nil
		}
		l.remove(out)
		_ = out.Conn.Close() // no request is lost
	}
	l.conns[g] = true
	l.of[g.address]++
	return g
}

// isBefore reports whether g should be closed before other.
func (l *Listener) isBefore(g, other *limitedConn) bool {
	if other == nil || l.of[g.address] != l.of[other.address] {
		return other == nil || l.of[g.address] > l.of[other.address]
	}
	return g.idle.Before(other.idle)
}

func (l *Listener) remove(g *limitedConn) {
	if !l.conns[g] {
		return
	}
	delete(l.conns, g)
	if l.of[g.address]--; l.of[g.address] == 0 {
		delete(l.of, g.address)
	}
}

// Close closes the connection and removes it from the limit.
func (g *limitedConn) Close() error {
	g.limit.mu.Lock()
	g.limit.remove(g)
	g.limit.mu.Unlock()
	return g.Conn.Close()
}

// State is the ConnState hook of the http.Server. It records when connections become idle.
func (l *Listener) State(c net.Conn, state http.ConnState) {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	g, ok := c.(*limitedConn)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch state {
	case http.StateActive:
		g.idle = time.Time{}
	case http.StateIdle:
		g.idle = time.Now()
	}
}
