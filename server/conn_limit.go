package server

import (
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

// lobby is a listener that bounds how many connections are open, and keeps room for
// new ones: where there is none, the one that has asked for nothing for longest is
// closed, of the address that has the most. One address may have three quarters of all,
// so that connections that are busy for ever leave room for others.
type lobby struct {
	net.Listener
	most, share int
	reject      func() // for the metrics

	mu     sync.Mutex
	guests map[*guest]bool
	of     map[string]int // how many an address has
}

// guest is a connection.
type guest struct {
	net.Conn
	lobby   *lobby
	address string
	idle    time.Time // since when; zero: it is asking
}

func newLobby(l net.Listener, most int, reject func()) *lobby {
	return &lobby{Listener: l, most: most, share: max(1, most-most/4), reject: reject, guests: map[*guest]bool{}, of: map[string]int{}}
}

// Accept waits for a connection that there is room for.
func (l *lobby) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if g := l.admit(c); g != nil {
			return g, nil
		}
		l.reject()
		_ = c.Close() // there is nobody to tell
	}
}

func (l *lobby) admit(c net.Conn) *guest {
	g := &guest{Conn: c, lobby: l, address: addressOf(c.RemoteAddr().String()), idle: time.Now()}
	l.mu.Lock()
	defer l.mu.Unlock()
	if hasMost := l.of[g.address] >= l.share; hasMost || len(l.guests) >= l.most {
		var out *guest
		for other := range l.guests {
			if !other.idle.IsZero() && (!hasMost || other.address == g.address) && l.isBefore(other, out) {
				out = other
			}
		}
		if out == nil {
			return nil
		}
		l.remove(out)
		_ = out.Conn.Close() // it has asked for nothing
	}
	l.guests[g] = true
	l.of[g.address]++
	return g
}

// isBefore reports whether a connection is to be closed before another.
func (l *lobby) isBefore(g, other *guest) bool {
	if other == nil || l.of[g.address] != l.of[other.address] {
		return other == nil || l.of[g.address] > l.of[other.address]
	}
	return g.idle.Before(other.idle)
}

func (l *lobby) remove(g *guest) {
	if !l.guests[g] {
		return
	}
	delete(l.guests, g)
	if l.of[g.address]--; l.of[g.address] == 0 {
		delete(l.of, g.address)
	}
}

// Close closes the connection.
func (g *guest) Close() error {
	g.lobby.mu.Lock()
	g.lobby.remove(g)
	g.lobby.mu.Unlock()
	return g.Conn.Close()
}

// state is told by net/http what a connection does.
func (l *lobby) state(c net.Conn, state http.ConnState) {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	g, ok := c.(*guest)
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

// count is how many connections are open, and how many of them ask for nothing.
func (l *lobby) count() (open, idle int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for g := range l.guests {
		if !g.idle.IsZero() {
			idle++
		}
	}
	return len(l.guests), idle
}
