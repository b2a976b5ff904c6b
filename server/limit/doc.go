// Package limit keeps clients from exhausting a server: admission control, memory, request
// rates, connections, and deadlines for bodies. Each is shared among parties, which are keys
// or addresses. The package does not know what requests do.
package limit

import (
	"fmt"
	"time"
)

// Refusal is the error for a request above a limit.
type Refusal struct {
	Kind  string // busy or too_large
	Text  string
	Retry time.Duration // busy: time until a retry; 0 if unknown
}

func (r *Refusal) Error() string { return r.Text }

func busy(retry time.Duration, format string, args ...any) error {
	return &Refusal{Kind: "busy", Text: fmt.Sprintf(format, args...), Retry: retry}
}

func tooLarge(format string, args ...any) error {
	return &Refusal{Kind: "too_large", Text: fmt.Sprintf(format, args...)}
}
