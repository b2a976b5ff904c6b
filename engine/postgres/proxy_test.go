package postgres

import (
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between a store and a server, and does to their connections what
// networks do.
type proxy struct {
	listener net.Listener
	target   string
	allowed  atomic.Int64 // bytes to the server until a connection is cut, once; 0: no cut
	stuck    atomic.Bool  // nothing is passed on any more

	mu    sync.Mutex
	conns map[net.Conn]bool
	done  sync.WaitGroup
}

func newProxy(t *testing.T, target string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target, conns: map[net.Conn]bool{}}
	p.done.Go(p.accept)
	t.Cleanup(func() {
		l.Close()
		p.cut()
		p.done.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = true, true
		p.mu.Unlock()
		p.done.Go(func() { p.pass(server, client, &p.allowed) })
		p.done.Go(func() { p.pass(client, server, nil) })
	}
}

// pass copies until one side ends, or the allowance is used up, and ends both.
func (p *proxy) pass(to, from net.Conn, allowed *atomic.Int64) {
	defer p.end(to, from)
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if p.stuck.Load() {
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

func (p *proxy) end(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		c.Close()
		delete(p.conns, c)
	}
}

// cut ends all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	var all []net.Conn
	for c := range p.conns {
		all = append(all, c)
	}
	p.mu.Unlock()
	p.end(all...)
}

// through is the address of a server with the proxy in between.
func (p *proxy) through(dsn string) string {
	return strings.Replace(dsn, p.target, p.listener.Addr().String(), 1)
}

// answering is a server that gives every connection an answer and reads on.
func answering(t *testing.T, answer string) string {
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
				defer c.Close()
				io.ReadAtLeast(c, make([]byte, 8), 8) // the beginning of what it is asked
				io.WriteString(c, answer)
			})
		}
	})
	t.Cleanup(func() { l.Close(); done.Wait() })
	return l.Addr().String()
}
