package testserver

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy stands between a store and a server, and does to their connections what
// networks do.
type Proxy struct {
	listener net.Listener
	target   string
	Allowed  atomic.Int64 // bytes to the server until a connection is cut, once; 0: no cut
	Stuck    atomic.Bool  // nothing is passed on any more
	Closed   atomic.Bool  // new connections are closed at once

	mu    sync.Mutex
	conns map[net.Conn]bool
	done  sync.WaitGroup
}

// NewProxy listens on a port of its own and passes on to a target, HOST:PORT.
func NewProxy(t *testing.T, target string) *Proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: l, target: target, conns: map[net.Conn]bool{}}
	p.done.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.Cut()
		p.done.Wait()
	})
	return p
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		if p.Closed.Load() {
			_ = client.Close()
			continue
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = true, true
		p.mu.Unlock()
		p.done.Go(func() { p.pass(server, client, &p.Allowed) })
		p.done.Go(func() { p.pass(client, server, nil) })
	}
}

// pass copies until one side ends, or the allowance is used up, and ends both.
func (p *Proxy) pass(to, from net.Conn, allowed *atomic.Int64) {
	defer p.end(to, from)
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if p.Stuck.Load() {
			continue
		}
		if allowed != nil {
			if left := allowed.Load(); left > 0 {
				if left <= int64(n) {
					allowed.Store(0)
					return
				}
				allowed.Add(-int64(n))
			}
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (p *Proxy) end(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
		delete(p.conns, c)
	}
}

func (p *Proxy) Cut() {
	p.mu.Lock()
	var all []net.Conn
	for c := range p.conns {
		all = append(all, c)
	}
	p.mu.Unlock()
	p.end(all...)
}

// Address is where the proxy listens, HOST:PORT.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Answering is a server that gives every connection an answer and reads on.
func Answering(t *testing.T, answer string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			done.Go(func() {
				defer func() { _ = c.Close() }()
				_, _ = io.ReadAtLeast(c, make([]byte, 8), 8) // the start of the request
				_, _ = io.WriteString(c, answer)
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); done.Wait() })
	return l.Addr().String()
}

// Unused is an address where nobody listens.
func Unused(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // nothing was written
	return l.Addr().String()
}
