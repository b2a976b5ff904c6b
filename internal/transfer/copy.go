package transfer

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/nsfl-go/nsfl/engine"
)

// The names of the notes of a target that are not copied: the source of its documents, and
// temporarily a random text that shows whether the target is the source.
const (
	sourceNote = "copy"
	probeNote  = "copy-probe"
)

// page is how many documents are read and stored at a time.
const page = 256

// ErrSelf means that source and target are the same collection.
var ErrSelf = errors.New("the source and the target are the same collection")

// TargetError means that a target holds something other than a copy of the source.
type TargetError struct{ Problem string }

func (e *TargetError) Error() string { return e.Problem }

// Copy copies all documents, and then the notes that the target does not have. source is the
// name of the source, the same in every run. Progress is called with the number of copied
// documents. Copy returns a *TargetError if the target has documents that no copy from the
// source has stored there; those of an interrupted copy are stored again.
func Copy(ctx context.Context, from, to engine.Collection, source string, progress func(documents int)) error {
	if err := probe(ctx, from, to); err != nil {
		return err
	}
	if a, b := from.Encoder(), to.Encoder(); a != "" && a != b { // the encoder of an attached store is unknown
		return &TargetError{fmt.Sprintf("the source has vectors of %q, the target of %q: they cannot be in one collection", a, b)}
	}
	if err := claim(ctx, to, source); err != nil {
		return err
	}
	copied := 0
	for at := (engine.Page{Limit: page, Parts: engine.AllParts}); ; {
		docs, mark, err := from.List(ctx, at)
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			return copyNotes(ctx, from, to)
		}
		if err := to.Upsert(ctx, docs); err != nil {
			return err
		}
		at.After = mark
		copied += len(docs)
		progress(copied)
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

// claim records the source in a target that is empty or has documents of the source.
func claim(ctx context.Context, to engine.Collection, source string) error {
	notes, err := to.Notes(ctx, sourceNote)
	if err != nil {
		return err
	}
	var state struct {
		Source string `json:"source"`
	}
	if notes[sourceNote] != "" {
		if err := json.Unmarshal([]byte(notes[sourceNote]), &state); err != nil {
			return fmt.Errorf("reading the note %q of an earlier copy: %w; remove the target and copy again", sourceNote, err)
		}
	}
	if state.Source == source {
		return nil
	}
	size, err := to.Size(ctx)
	switch {
	case err != nil:
		return err
	case size.Documents > 0 && state.Source != "":
		return &TargetError{fmt.Sprintf("the target holds a copy of %s; name another one", state.Source)}
	case size.Documents > 0:
		return &TargetError{fmt.Sprintf("the target holds %d documents that no copy has stored there; name an empty or a new one", size.Documents)}
	}
	state.Source = source
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return to.SetNotes(ctx, map[string]string{sourceNote: string(text)})
}

func copyNotes(ctx context.Context, from, to engine.Collection) error {
	notes, err := from.Notes(ctx, "")
	if err != nil {
		return err
	}
	there, err := to.Notes(ctx, "")
	if err != nil {
		return err
	}
	maps.DeleteFunc(notes, func(name, _ string) bool {
		return name == sourceNote || name == probeNote || there[name] != ""
	})
	if len(notes) == 0 {
		return nil
	}
	return to.SetNotes(ctx, notes)
}
