package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// advice is an error whose text is for the agent as it is.
type advice struct{ text string }

func (a *advice) Error() string { return a.text }

func advise(format string, args ...any) error { return &advice{fmt.Sprintf(format, args...)} }

// mistake says an error so that an agent can act on it.
func (t *tools) mistake(err error, limit time.Duration) error {
	var (
		known  *advice
		syntax *query.SyntaxError
		mixed  *query.MixedError
		many   *query.ManyError
		option *retrieve.OptionError
		input  *engine.InputError
		quota  *engine.QuotaError
	)
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &syntax):
		return advise("%v\n%s", syntax, remedy(syntax))
	case errors.Is(err, context.DeadlineExceeded):
		return advise("it took longer than %s; ask for less: a shorter query, fewer results or documents, or mode rerank", limit)
	case errors.Is(err, context.Canceled):
		return advise("the call was cancelled")
	case errors.Is(err, engine.ErrNotFound):
		return advise("%v; ids are those that search returns, exactly as written there", err)
	case errors.Is(err, engine.ErrReadOnly), errors.Is(err, engine.ErrLocked):
		return advise("the collection cannot be written to now: it is offered for reading only, or another program writes to it. Choose another collection, or try again later")
	case errors.Is(err, engine.ErrFull):
		return advise("no space is left on the server's disk; nothing was stored")
	case errors.As(err, &option), errors.As(err, &input), errors.As(err, &mixed), errors.As(err, &many):
		return advise("%v", err)
	case errors.As(err, &quota):
		return advise("%v", quota)
	}
	t.options.Log.Warn("a tool failed", "error", err)
	return advise("%s", t.options.Describe(err))
}
