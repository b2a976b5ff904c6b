package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/internal/workspace"
)

// event is a line of the audit log. Each change has two: one before it begins and one with its
// outcome.
type event struct {
	Time       time.Time `json:"time"`
	Request    string    `json:"request_id,omitempty"`
	Key        string    `json:"key,omitempty"` // key id
	Address    string    `json:"address,omitempty"`
	Action     string    `json:"action"`
	Collection string    `json:"collection,omitempty"`
	Count      int       `json:"count,omitempty"` // number of ids
	IDs        []string  `json:"ids,omitempty"`   // the first auditIDs ids
	Outcome    string    `json:"outcome"`         // begun, done or failed
	Error      string    `json:"error,omitempty"`
}

// auditIDs is how many ids a line lists.
const auditIDs = 10

// trail is the audit log. The first line of a change is synced to disk before the change
// begins, so every change is recorded.
type trail struct {
	name string
	log  *slog.Logger

	mu   sync.Mutex
	file *os.File
	torn bool // the last line is incomplete
}

// openTrail opens the audit log. It returns nil if name is empty.
func openTrail(name string, log *slog.Logger) (*trail, error) {
	if name == "" {
		return nil, nil
	}
	t := &trail{name: name, log: log}
	return t, t.reopen()
}

// reopen opens the file again, for log rotation.
func (t *trail) reopen() error {
	if t == nil {
		return nil
	}
	f, err := os.OpenFile(t.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		err = fmt.Errorf("opening the audit log: %w", err)
		t.log.Error("the audit log continues in the old file, if there is one", "error", err)
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		t.file.Close()
	}
	t.file, t.torn = f, false
	return nil
}

func (t *trail) write(e event) error {
	e.Time = time.Now().UTC()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.torn {
		line = append([]byte("\n"), line...)
	}
	n, err := t.file.Write(append(line, '\n'))
	if err != nil {
		t.torn = t.torn || n > 0
		return err
	}
	t.torn = false
	return t.file.Sync()
}

// begin logs that a change is about to start; done logs its outcome. If begin fails, the
// change must not be made.
func (t *trail) begin(r *record, c workspace.Change) (done func(error), err error) {
	if t == nil {
		return func(error) {}, nil
	}
	e := event{Action: string(c.Action), Collection: c.Collection, Count: len(c.IDs), IDs: c.IDs[:min(len(c.IDs), auditIDs)], Outcome: "begun"}
	if r != nil {
		e.Request, e.Key, e.Address = r.id, r.key, r.remote
	}
	if err := t.write(e); err != nil {
		t.log.Error("THE AUDIT LOG CANNOT BE WRITTEN: changes are refused until it can", "file", t.name, "error", err)
		return nil, newProblem("unavailable", "nothing can be changed, because the audit log cannot be written; see the server's log").because(err)
	}
	return func(err error) {
		e.Outcome = "done"
		if err != nil {
			e.Outcome, e.Error = "failed", problemOf(err).Code
		}
		if err := t.write(e); err != nil {
			t.log.Error("a change was made, and its outcome is missing from the audit log", "file", t.name, "request_id", e.Request, "outcome", e.Outcome, "error", err)
		}
	}, nil
}

// note logs an event that needs no permission.
func (t *trail) note(action string, err error) {
	if t == nil {
		return
	}
	e := event{Action: action, Outcome: "done"}
	if err != nil {
		e.Outcome, e.Error = "failed", err.Error()
	}
	if err := t.write(e); err != nil {
		t.log.Error("the audit log cannot be written", "file", t.name, "action", action, "error", err)
	}
}

func (t *trail) close() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("closing the audit log: %w", err)
	}
	return nil
}
