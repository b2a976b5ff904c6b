package mcp

import (
	"cmp"
	"log/slog"
	"net/http"
	"runtime"
	"time"
)

// Access is what a client may do. Each includes those before it.
type Access uint8

const (
	Read   Access = iota // search and look
	Write                // add documents
	Create               // make collections
)

// Options are the free choices of a server; the zero value lets clients read.
type Options struct {
	// Access is what every client may do.
	Access Access
	// AccessOf, where there is one, decides for each request over HTTP instead.
	AccessOf func(*http.Request) Access
	// AnyHost lets requests that arrive on loopback name any host. Without it they
	// are refused, since they may come from a page that wants to look like this
	// machine (DNS rebinding); it is for a caller that has looked itself.
	AnyHost bool
	// Describe says an error of the collections in words that a client may read.
	// Nil: the error's own, which may hold paths.
	Describe func(error) string
	// Log gets what clients are not told. Nil: nothing is logged.
	Log *slog.Logger

	Limits Limits
}

// Limits keep one client from taking all of the machine. Zero values stand for
// the defaults beside them.
type Limits struct {
	Calls      int           // at once, of the client of Serve; 2 for each processor
	SearchTime time.Duration // of a call that reads; 30 s
	WriteTime  time.Duration // of a call that adds documents; 2 min
	Results    int           // of one search; 100
	Documents  int           // of one call that adds them; 256
	Bytes      int64         // of a message, and about of what a search finds; 8 MiB
}

func (o Options) withDefaults() Options {
	l := &o.Limits
	l.Calls = cmp.Or(l.Calls, 2*runtime.GOMAXPROCS(0))
	l.SearchTime = cmp.Or(l.SearchTime, 30*time.Second)
	l.WriteTime = cmp.Or(l.WriteTime, 2*time.Minute)
	l.Results = cmp.Or(l.Results, 100)
	l.Documents = cmp.Or(l.Documents, 256)
	l.Bytes = cmp.Or(l.Bytes, 8<<20)
	if o.Describe == nil {
		o.Describe = error.Error
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
