package index

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
)

// operation is one change to a collection.
type operation struct {
	upsert  []engine.Document
	remove  []string
	notes   map[string]string
	compact bool
}

// operationAt returns the n-th operation, which depends only on n.
func operationAt(n int) operation {
	r := rand.New(rand.NewPCG(uint64(n), 77))
	id := func() string { return fmt.Sprintf("doc-%d", r.IntN(60)) }
	switch r.IntN(13) {
	case 0:
		return operation{compact: true}
	case 1, 2:
		var op operation
		for range 1 + r.IntN(6) {
			op.remove = append(op.remove, id())
		}
		return op
	case 3:
		return operation{notes: map[string]string{fmt.Sprintf("note-%d", r.IntN(3)): fmt.Sprintf("written by %d", n)}}
	}
	batch := map[string]bool{}
	for range 1 + r.IntN(12) {
		batch[id()] = true
	}
	var op operation
	for i := range 60 {
		if id := fmt.Sprintf("doc-%d", i); batch[id] {
			op.upsert = append(op.upsert, randomDocument(r, id, testDim))
		}
	}
	return op
}

func (op operation) run(ctx context.Context, c *Collection) error {
	switch {
	case op.compact:
		return c.Compact(ctx)
	case op.remove != nil:
		_, err := c.Delete(ctx, op.remove)
		return err
	case op.notes != nil:
		return c.SetNotes(ctx, op.notes)
	}
	return c.Upsert(ctx, op.upsert)
}

// model is the expected content of a collection.
type model struct {
	documents map[string]engine.Document
	notes     map[string]string
}

// after returns the model after an operation.
func (m model) after(op operation) model {
	m = model{maps.Clone(m.documents), maps.Clone(m.notes)}
	if m.documents == nil {
		m = model{map[string]engine.Document{}, map[string]string{}}
	}
	for _, id := range op.remove {
		delete(m.documents, id)
	}
	for _, d := range op.upsert {
		m.documents[d.ID] = d
	}
	maps.Copy(m.notes, op.notes)
	return m
}

// differs describes how a collection differs from the model.
func (m model) differs(ctx context.Context, c *Collection) error {
	seen := 0
	for after := ""; ; {
		docs, last, err := c.List(ctx, engine.Page{After: after, Limit: 50, Parts: engine.AllParts})
		if err != nil {
			return err
		}
		if len(docs) == 0 {
			break
		}
		for _, d := range docs {
			stored, ok := m.documents[d.ID]
			if !ok {
				return fmt.Errorf("there is %q, which should not be", d.ID)
			}
			if err := sameDocument(stored, d); err != nil {
				return err
			}
		}
		seen += len(docs)
		after = last
	}
	if seen != len(m.documents) {
		return fmt.Errorf("%d documents listed, want %d", seen, len(m.documents))
	}
	notes, err := c.Notes(ctx, "")
	if err != nil {
		return err
	}
	if !maps.Equal(notes, m.notes) {
		return fmt.Errorf("notes %v, want %v", notes, m.notes)
	}
	return c.withSnapshot(ctx, "looking at words", func(s *snapshot) error {
		for slot := range s.slots {
			d := m.documents[s.id(slot)]
			if !s.dead.has(slot) && !slices.Equal(s.pieces(slot), words.Pieces(d.Segments())) {
				return fmt.Errorf("%s has other pieces of words", d.ID)
			}
		}
		return nil
	})
}

// oneOf returns nil if a collection equals one of the models.
func oneOf(ctx context.Context, c *Collection, models []model) error {
	var errs []error
	for _, m := range models {
		err := m.differs(ctx, c)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return fmt.Errorf("as none of %d models: %v", len(models), errs)
}

// sound reports what is wrong with a collection: damage found by Verify, failure to open
// for reading or writing, or contents that match none of the models.
func sound(ctx context.Context, dir string, models []model) error {
	report, err := Verify(ctx, dir)
	if err != nil {
		return err
	}
	if len(report.Damage) > 0 {
		return fmt.Errorf("damaged: %v", report.Damage)
	}
	for _, o := range []Options{{ReadOnly: true}, {}} {
		c, err := Open(ctx, dir, o)
		if err != nil {
			return err
		}
		err = oneOf(ctx, c, models)
		if closeErr := c.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return err
		}
	}
	if report, err = Verify(ctx, dir); err == nil && len(report.Damage) > 0 {
		err = fmt.Errorf("damaged after opening: %v", report.Damage)
	}
	return err
}
