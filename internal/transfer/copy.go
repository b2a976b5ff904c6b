package transfer

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// The names of the notes that a copy keeps in its target and does not copy: its progress, and
// temporarily a random text that shows whether the target is the source.
const (
	stateNote = "copy"
	probeNote = "copy-probe"
)

// page is how many documents are read and stored at a time.
const page = 256

// Options configure a copy.
type Options struct {
	// Source is the name of the source, the same in every run.
	Source string
	// Restart copies everything again.
	Restart bool
	// Later lists prefixes of the names of notes that hold only for a complete copy: Finish
	// copies them.
	Later []string
	// Progress, if not nil, is called with the number of copied documents.
	Progress func(documents int)
}

// State is the progress of a copy.
type State struct {
	Source    string `json:"source"`
	Mark      string `json:"mark"`      // of the source's list
	Documents int    `json:"documents"` // that were copied, those that were replaced meanwhile twice
	Complete  bool   `json:"complete"`  // Finish has been called
	Checksum  string `json:"checksum,omitempty"`
}

// ErrSelf means that source and target are the same collection.
var ErrSelf = errors.New("the source and the target are the same collection")

// TargetError means that a target holds something other than a copy of the source.
type TargetError struct{ Problem string }

func (e *TargetError) Error() string { return e.Problem }

// Read returns the state of a copy to a target, or nil if there is none.
func Read(ctx context.Context, to engine.Collection) (*State, error) {
	notes, err := to.Notes(ctx, stateNote)
	if err != nil || notes[stateNote] == "" {
		return nil, err
	}
	var s State
	if err := json.Unmarshal([]byte(notes[stateNote]), &s); err != nil {
		return nil, fmt.Errorf("reading the note %q of an earlier copy: %w; remove the target and copy again", stateNote, err)
	}
	return &s, nil
}

func (s *State) write(ctx context.Context, to engine.Collection) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return to.SetNotes(ctx, map[string]string{stateNote: string(text)})
}

// Copy copies documents and notes, or continues an interrupted copy, and returns its state,
// also after an error. It returns a *TargetError if the target has documents that no copy from
// the source has stored there. It does not overwrite notes of the target.
func Copy(ctx context.Context, from, to engine.Collection, o Options) (*State, error) {
	if err := probe(ctx, from, to); err != nil {
		return nil, err
	}
	if a, b := from.Encoder(), to.Encoder(); a != "" && a != b { // the encoder of an attached store is unknown
		return nil, &TargetError{fmt.Sprintf("the source has vectors of %q, the target of %q: they cannot be in one collection", a, b)}
	}
	now, err := begin(ctx, to, o)
	if err != nil {
		return nil, err
	}
	now.Complete = false
	if err := now.write(ctx, to); err != nil {
		return nil, err
	}
	if err := copyNotes(ctx, from, to, func(name string) bool { return !o.later(name) }); err != nil {
		return nil, err
	}
	for {
		docs, mark, err := from.List(ctx, engine.Page{After: now.Mark, Limit: page, Parts: engine.AllParts})
		if err != nil {
			return now, err
		}
		if len(docs) == 0 {
			return now, nil
		}
		if err := to.Upsert(ctx, docs); err != nil {
			return now, err
		}
		// A page that is stored but not noted is stored again, which changes nothing.
		now.Mark, now.Documents = mark, now.Documents+len(docs)
		if err := now.write(ctx, to); err != nil {
			return now, err
		}
		if o.Progress != nil {
			o.Progress(now.Documents)
		}
	}
}

// probe returns ErrSelf if a note written to the target appears in the source, whatever the
// addresses of the two.
func probe(ctx context.Context, from, to engine.Collection) error {
	secret := rand.Text()
	if err := to.SetNotes(ctx, map[string]string{probeNote: secret}); err != nil {
		return err
	}
	notes, err := from.Notes(ctx, probeNote)
	if err == nil && notes[probeNote] == secret {
		err = ErrSelf
	}
	return errors.Join(err, to.SetNotes(ctx, map[string]string{probeNote: ""}))
}

// begin returns the state to continue from.
func begin(ctx context.Context, to engine.Collection, o Options) (*State, error) {
	s, err := Read(ctx, to)
	if err != nil {
		return nil, err
	}
	if s != nil && s.Source == o.Source {
		if o.Restart {
			s = &State{Source: o.Source}
		}
		return s, nil
	}
	size, err := to.Size(ctx)
	switch {
	case err != nil:
		return nil, err
	case size.Documents > 0 && s != nil:
		return nil, &TargetError{fmt.Sprintf("the target holds a copy of %s; name another one", s.Source)}
	case size.Documents > 0:
		return nil, &TargetError{fmt.Sprintf("the target holds %d documents that no copy has stored there; name an empty or a new one", size.Documents)}
	}
	return &State{Source: o.Source}, nil
}

func (o *Options) later(name string) bool {
	for _, prefix := range o.Later {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// copyNotes copies the wanted notes that the target does not have.
func copyNotes(ctx context.Context, from, to engine.Collection, wanted func(name string) bool) error {
	notes, err := from.Notes(ctx, "")
	if err != nil {
		return err
	}
	there, err := to.Notes(ctx, "")
	if err != nil {
		return err
	}
	maps.DeleteFunc(notes, func(name, _ string) bool {
		return name == stateNote || name == probeNote || there[name] != "" || !wanted(name)
	})
	if len(notes) == 0 {
		return nil
	}
	return to.SetNotes(ctx, notes)
}

// Finish records that a copy is complete and has been compared, and copies the notes that hold
// only for a complete copy.
func Finish(ctx context.Context, from, to engine.Collection, s *State, sum Sum, o Options) error {
	if err := copyNotes(ctx, from, to, o.later); err != nil {
		return err
	}
	done := *s
	done.Complete, done.Documents, done.Checksum = true, sum.Documents, sum.String()
	return done.write(ctx, to)
}
