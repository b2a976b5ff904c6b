package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/server/limit"
	"github.com/nsfl-go/nsfl/sphere"
)

// Problem is an error response in the format of RFC 9457.
type Problem struct {
	Title     string  `json:"title"`
	Status    int     `json:"status"`
	Code      string  `json:"code" doc:"what went wrong, as a code for programs"`
	Detail    string  `json:"detail" doc:"what went wrong, for people"`
	RequestID string  `json:"request_id,omitempty"`
	Syntax    *Syntax `json:"syntax,omitempty"`
	// OpenAI is the same error for OpenAI's clients.
	OpenAI *OpenAIError `json:"error,omitempty" doc:"the error in OpenAI's form, on routes that are OpenAI's"`

	field string        // invalid field of the body
	cause error         // for the log
	retry time.Duration // busy: time until a retry
}

// Syntax is the position of a syntax error in a query.
type Syntax struct {
	Query  string `json:"query,omitempty" doc:"omitted if it is longer than a query may be"`
	Offset int    `json:"offset" doc:"in bytes"`
	Length int    `json:"length" doc:"in bytes; 0 at the end of the query"`
	Caret  string `json:"caret" doc:"the query, or the part around the error, with a caret under it"`
}

func (p *Problem) Error() string { return p.Detail }
func (p *Problem) Unwrap() error { return p.cause }

// statuses maps problem codes to HTTP statuses.
var statuses = map[string]int{
	"syntax": 400, "invalid": 400, "unauthorized": 401, "forbidden": 403, "quota": 403, "not_found": 404, "method": 405,
	"exists": 409, "gone": 410, "too_large": 413, "media_type": 415, "read_only": 423, "busy": 429,
	"cancelled": 499, "internal": 500, "encoder": 502, "unavailable": 503, "timeout": 504, "full": 507,
}

// newProblem returns a problem. Clients see its text.
func newProblem(code, format string, args ...any) *Problem {
	status := statuses[code]
	title := cmp.Or(http.StatusText(status), "Client Closed Request")
	return &Problem{Title: title, Status: status, Code: code, Detail: fmt.Sprintf(format, args...)}
}

func invalid(format string, args ...any) *Problem { return newProblem("invalid", format, args...) }

// because sets the cause, which goes to the log only.
func (p *Problem) because(err error) *Problem {
	p.cause = err
	return p
}

// in sets the invalid field of the body.
func (p *Problem) in(field string) *Problem {
	p.field = field
	return p
}

// problemOf converts an error to a problem. The text of unknown errors may contain paths and
// addresses, so it goes to the log only.
func problemOf(err error) *Problem {
	var (
		problem  *Problem
		syntax   *query.SyntaxError
		mixed    *query.MixedError
		many     *query.ManyError
		option   *retrieve.OptionError
		input    *engine.InputError
		tooLarge *http.MaxBytesError
		unasked  *workspace.EncoderError
		refusal  *workspace.Error
		filtered *retrieve.FilteredError
		above    *limit.Refusal
	)
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &refusal):
		return newProblem(string(refusal.Kind), "%s", refusal.Message).because(refusal.Cause)
	case errors.As(err, &above):
		p := newProblem(above.Kind, "%s", above.Text)
		p.retry = above.Retry
		return p
	case errors.As(err, &filtered):
		return newProblem("not_found", "document %q exists but does not match the filter", filtered.ID)
	case errors.As(err, &syntax):
		return syntaxProblem(syntax)
	case errors.As(err, &tooLarge):
		return newProblem("too_large", "the body has more than %d bytes; send less at once", tooLarge.Limit)
	case errors.As(err, &mixed), errors.As(err, &many), errors.As(err, &option), errors.As(err, &input),
		errors.Is(err, logic.ErrNoAtoms), errors.Is(err, sphere.ErrNoDirection):
		return invalid("%v", err)
	case errors.Is(err, context.DeadlineExceeded):
		return newProblem("timeout", "the request took longer than its time limit; ask for less at once").because(err)
	case errors.Is(err, context.Canceled):
		return newProblem("cancelled", "the client closed the connection").because(err)
	case errors.As(err, &unasked):
		return newProblem("encoder", "the collection's encoder does not answer; see the server's log").because(err)
	case errors.Is(err, engine.ErrNotFound):
		return newProblem("not_found", "%v", err)
	}
	return problemOfStore(err)
}

// problemOfStore converts errors of collections.
func problemOfStore(err error) *Problem {
	var damage *index.DamageError
	var quota *index.QuotaError
	var format *engine.FormatError
	var other *nsfl.EncoderError
	code, text := "internal", "a server error; the log has details under the id of this request"
	switch {
	case errors.Is(err, engine.ErrReadOnly), errors.Is(err, engine.ErrLocked):
		code, text = "read_only", "another program has the collection open for writing, so it is read-only here; close it there"
	case errors.Is(err, engine.ErrFull):
		code, text = "full", "no space is left on the server's disk; nothing of the batch was stored"
	case errors.As(err, &quota):
		code, text = "quota", quota.Error()
	case errors.Is(err, engine.ErrNotCollection):
		code, text = "not_found", "there is no such collection"
	case errors.Is(err, engine.ErrSpent):
		code, text = "unavailable", "the write failed, and it is unknown whether it was stored; try again"
	case errors.Is(err, engine.ErrClosed):
		code, text = "unavailable", "the collection has been closed; try again"
	case errors.As(err, &damage):
		code, text = "unavailable", "the collection is damaged; run nsfl verify on the server to see where"
	case errors.As(err, &format):
		code, text = "unavailable", "the collection was written by a newer version of nsfl"
	case errors.As(err, &other):
		code, text = "unavailable", "the collection was created with another version of its encoder; create it again"
	}
	return newProblem(code, "%s", text).because(err)
}

func syntaxProblem(e *query.SyntaxError) *Problem {
	p := newProblem("syntax", "%s", e.Msg)
	span := e.Span()
	p.Syntax = &Syntax{Offset: span.Start, Length: span.End - span.Start, Caret: e.Caret()}
	if len(e.Query) <= query.MaxBytes { // otherwise do not echo it
		p.Syntax.Query = e.Query
	}
	return p
}

// bodyProblem converts an error from reading a body.
func bodyProblem(err error) error {
	switch {
	case errors.As(err, new(*Problem)), errors.As(err, new(*limit.Refusal)), errors.As(err, new(*http.MaxBytesError)):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newProblem("timeout", "the body did not arrive within the time limit; send it faster or in smaller parts").because(err)
	}
	return invalid("the body cannot be read to its end").because(err)
}
