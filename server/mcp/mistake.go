package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// advice is an error whose text an agent may see.
type advice struct{ text string }

func (a *advice) Error() string { return a.text }

func advise(format string, args ...any) error { return &advice{fmt.Sprintf(format, args...)} }

// sample and grammar describe queries in the error for an invalid one.
const (
	sample  = `(beach OR lake) AND sunset AND NOT people AND year:>=2015`
	grammar = `AND, OR, NOT (capitals) join atoms; words side by side are one atom; ( ) group; quote text that holds ( ) , : ^ or an operator; field:value and field:>=n are conditions, joined by AND.`
)

// known returns advice for an error that an agent can act on, or nil.
func known(err error) error {
	var (
		advised *advice
		syntax  *query.SyntaxError
		mixed   *query.MixedError
		many    *query.ManyError
		option  *retrieve.OptionError
		input   *engine.InputError
		quota   *index.QuotaError
	)
	switch {
	case errors.As(err, &advised):
		return advised
	case errors.As(err, &syntax):
		return advise("%v\nA correct query: %s\n%s", syntax, sample, grammar)
	case errors.Is(err, context.Canceled):
		return advise("the call was cancelled")
	case errors.Is(err, engine.ErrNotFound):
		return advise("%v; use ids exactly as search returns them", err)
	case errors.Is(err, engine.ErrReadOnly), errors.Is(err, engine.ErrLocked):
		return advise("the collection cannot be written to now: it is offered for reading only, or another program writes to it. Choose another collection, or try again later")
	case errors.Is(err, engine.ErrFull):
		return advise("no space is left on the server's disk; nothing was stored")
	case errors.As(err, &option), errors.As(err, &input), errors.As(err, &mixed), errors.As(err, &many), errors.Is(err, logic.ErrNoAtoms):
		return advise("%v", err)
	case errors.As(err, &quota):
		return advise("%v", quota)
	}
	return nil
}

// mistake describes an error for an agent. It logs errors that agents cannot act on.
func (t *tools) mistake(err error, limit time.Duration) error {
	if advice := known(err); advice != nil {
		return advice
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return advise("it took longer than %s; ask for less: a shorter query, fewer results or documents, or mode rerank", limit)
	}
	t.options.Log.Warn("a tool failed", "error", err)
	return advise("%s", t.options.Describe(err))
}
