package mcp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/internal/version"
	"github.com/nsfl-go/nsfl/server/auth"
)

// tools is shared by the servers of a set of collections.
type tools struct {
	collections Collections
	options     Options
	slots       chan struct{} // limits concurrent calls; nil means no limit
}

// Serve answers one client over a pair of streams, one message per line, until the client
// closes its side or ctx is done.
func Serve(ctx context.Context, c Collections, o Options, in io.Reader, out io.Writer) error {
	o = o.withDefaults()
	t := &tools{collections: c, options: o, slots: make(chan struct{}, o.Limits.Calls)}
	err := t.server(o.Role).Run(ctx, &sdk.IOTransport{
		Reader: io.NopCloser(in), Writer: keepOpen{out}, MaxLineLength: int(t.options.Limits.Bytes),
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("serving the client: %w", err)
	}
	return nil
}

type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// Handler answers clients over streamable HTTP. There are no sessions: each request has the
// permissions of its key. It rejects batches, which newer revisions of the protocol do not
// have. The caller checks keys and origins, and limits concurrent requests.
func Handler(c Collections, o Options) http.Handler {
	t := &tools{collections: c, options: o.withDefaults()}
	var servers [auth.Admin + 1]*sdk.Server
	for role := range servers {
		servers[role] = t.server(auth.Role(role))
	}
	choose := func(r *http.Request) *sdk.Server {
		role := t.options.Role
		if t.options.RoleOf != nil {
			role = t.options.RoleOf(r.Context())
		}
		return servers[min(role, auth.Admin)]
	}
	h := sdk.NewStreamableHTTPHandler(choose, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: t.options.Limits.Bytes,
		DisableLocalhostProtection: t.options.AnyHost, Logger: t.options.Log,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := bufio.NewReader(r.Body)
		if isList(body) {
			http.Error(w, "batches of calls are not supported; send each call as a request of its own", http.StatusBadRequest)
			return
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{body, r.Body}
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), carrierKey{}, r.Context())))
	})
}

// isList reports whether a body begins like a JSON array.
func isList(body *bufio.Reader) bool {
	for {
		c, err := body.ReadByte()
		if err != nil {
			return false
		}
		if !strings.ContainsRune(" \t\r\n", rune(c)) {
			return body.UnreadByte() == nil && c == '['
		}
	}
}

// carrierKey is the key of the HTTP request's context. The SDK does not cancel a call when
// its request ends, because clients may resume a session. Here there are no sessions, so a
// call ends with its request.
type carrierKey struct{}

// server returns a server with the tools that a client may use.
func (t *tools) server(role auth.Role) *sdk.Server {
	s := sdk.NewServer(
		&sdk.Implementation{Name: "nsfl", Title: "nsfl: Boolean search over embeddings", Version: version.This().String()},
		&sdk.ServerOptions{
			Instructions: instructions, Logger: t.options.Log,
			SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" },
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		})
	t.addSearch(s)
	t.addExplain(s)
	t.addGet(s)
	t.addList(s)
	if role >= auth.Write {
		t.addAdd(s, role)
	}
	return s
}

const instructions = `Searches collections of documents by meaning and by logic: AND, OR and NOT count. list_collections lists collections and their fields, the description of search has the query language, get_document reads a result.`

// texter is a result with a text of its own.
type texter interface{ text() string }

// tool adds a tool that returns structured content, and the same as JSON or as its own text.
// The error for wrong arguments contains an example.
func tool[In, Out any](t *tools, s *sdk.Server, def *definition, limit time.Duration, f func(context.Context, In) (Out, error)) {
	s.AddTool(def.tool, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		answer := &sdk.CallToolResult{}
		in, err := arguments[In](def.in, r.Params.Arguments)
		if err != nil {
			answer.SetError(advise("%v\nFor example: %s", err, def.example))
			return answer, nil
		}
		err = t.guard(ctx, def.tool.Name, limit, func(ctx context.Context) error {
			out, err := f(ctx, in)
			text := compact(out)
			if own, ok := any(out).(texter); ok {
				text = own.text()
			}
			answer.StructuredContent, answer.Content = out, []sdk.Content{&sdk.TextContent{Text: text}}
			return err
		})
		if err != nil {
			answer = &sdk.CallToolResult{}
			answer.SetError(err)
		}
		return answer, nil
	})
}

// guard runs one call within the limits on concurrency and time, until the client has gone,
// and recovers from panics.
func (t *tools) guard(ctx context.Context, name string, limit time.Duration, work func(context.Context) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if carrier, ok := ctx.Value(carrierKey{}).(context.Context); ok {
		defer context.AfterFunc(carrier, cancel)()
	}
	defer func() {
		if p := recover(); p != nil {
			t.options.Log.Error("a tool panicked", "tool", name, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%s failed because of a server error; see the log", name)
		}
	}()
	if t.slots != nil {
		select {
		case t.slots <- struct{}{}:
			defer func() { <-t.slots }()
		case <-ctx.Done():
			return t.mistake(ctx.Err(), limit)
		}
	}
	if err := work(ctx); err != nil {
		return t.mistake(err, limit)
	}
	return nil
}
