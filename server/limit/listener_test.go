package limit

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"testing"
	"time"
)

// visit opens a connection from an address of this machine, and says something.
func visit(t *testing.T, to, from, say string) (net.Conn, *bufio.Reader) {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := d.Dial("tcp", to)
	if err != nil {
		t.Skipf("this machine has no address %s: %v", from, err)
	}
	t.Cleanup(func() { c.Close() })
	_, _ = io.WriteString(c, say) // it may have been closed
	return c, bufio.NewReader(c)
}

const ask = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

// answered reports whether a connection gets an answer, and stays.
func answered(r *bufio.Reader) bool {
	response, err := http.ReadResponse(r, nil)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == 200
}

// count returns the number of open connections and of the idle ones among them.
func (l *Listener) count() (open, idle int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for g := range l.conns {
		if !g.idle.IsZero() {
			idle++
		}
	}
	return len(l.conns), idle
}

// Whoever holds connections, idle or busy, leaves room for others.
func TestConnections(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := make(chan struct{}, 100)
	limited := Listen(listener, 8, func() { refused <- struct{}{} })
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }), ConnState: limited.State}
	defer server.Close()
	go server.Serve(limited)
	to := listener.Addr().String()
	until := func(open, idle int) {
		t.Helper()
		for began := time.Now(); ; runtime.Gosched() {
			if o, i := limited.count(); o == open && i == idle {
				return
			} else if time.Since(began) > time.Minute {
				t.Fatalf("%d connections are open, %d idle; want %d and %d", o, i, open, idle)
			}
		}
	}
	isClosed := func(c net.Conn, within time.Duration) bool {
		_ = c.SetReadDeadline(time.Now().Add(within))
		_, err := c.Read(make([]byte, 1))
		return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
	}
	var idle []net.Conn
	for i := range 20 {
		c, r := visit(t, to, "127.0.0.1", ask)
		if !answered(r) {
			t.Fatalf("connection %d from one address is not answered", i)
		}
		idle = append(idle, c)
		until(min(i+1, 6), min(i+1, 6))
	}
	if !isClosed(idle[0], time.Minute) || !isClosed(idle[13], time.Minute) {
		t.Error("the longest idle is not closed")
	}
	var second []net.Conn
	for range 2 {
		c, r := visit(t, to, "127.0.0.2", ask)
		if !answered(r) {
			t.Error("another address does not get in")
		}
		second = append(second, c)
	}
	until(8, 8)
	// Where all places are taken, who has the most gives one.
	if _, r := visit(t, to, "127.0.0.3", ask); !answered(r) {
		t.Error("a third address does not get in")
	}
	if !isClosed(idle[14], time.Minute) || isClosed(second[0], 100*time.Millisecond) {
		t.Error("the wrong one was closed")
	}
	// Headers that never end are no request yet.
	for range 20 {
		visit(t, to, "127.0.0.1", "GET /")
	}
	// Bodies that never end are, and nobody can have all connections with them.
	for i := range 6 {
		visit(t, to, "127.0.0.1", "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
		until(8, 7-i)
	}
	visit(t, to, "127.0.0.1", ask)
	<-refused
	if _, r := visit(t, to, "127.0.0.4", ask); !answered(r) {
		t.Error("busy connections keep another address out")
	}
}
