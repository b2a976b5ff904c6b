package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/nsfl-go/nsfl/server/auth"
)

// Options configure a server. The zero value lets clients read.
type Options struct {
	// Role is the permission of every client: auth.Write adds documents, auth.Admin also creates
	// collections.
	Role auth.Role
	// RoleOf, if set, returns the permission of an HTTP request instead.
	RoleOf func(context.Context) auth.Role
	// AnyHost accepts any Host header on loopback, for callers that check it themselves.
	// Otherwise foreign names are rejected, to prevent DNS rebinding.
	AnyHost bool
	// Describe returns a message that a client may see for an error of the collections.
	// Nil means the error's own, which may contain paths.
	Describe func(error) string
	// Log gets errors that clients do not see. Nil disables logging.
	Log *slog.Logger

	Limits Limits
}

// Limits keep a client from exhausting the machine. A zero value means the default named in
// the comment.
type Limits struct {
	Calls      int           // concurrent calls of the client of Serve; 2 per processor
	SearchTime time.Duration // for a call that reads; 30 s
	WriteTime  time.Duration // for a call that adds documents; 2 min
	Results    int           // per search; 100
	Documents  int           // per call that adds them; 256
	Bytes      int64         // of a message, and approximately of the documents of a search; 8 MiB
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
