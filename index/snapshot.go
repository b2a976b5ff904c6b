package index

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"math"
	"sync"

	"github.com/nsfl-go/nsfl/query"
)

// maxRows is how many rows the records and the kernels can number.
const maxRows = math.MaxUint32

// snapshot is a collection after some commit. Nothing in it changes, but for
// the cache of filters.
type snapshot struct {
	dir string
	state
	shape
	table
	maps    [fileKinds]*mapping
	dead    bitmap // deleted slots; may be shorter than there are slots
	deaths  int    // how many
	buried  uint64 // the sum of the tombstones that were read
	coder   coder
	words   []uint16     // the pieces of all documents
	filters *filterCache // that of the epoch

	refs int // guarded by Collection.mu

	measured sync.Once
	top      float32
}

// fileBytes is what is committed of a file.
func (s *snapshot) fileBytes(k fileKind) []byte { return s.maps[k].data[:s.lengths(s.state)[k]] }

func (s *snapshot) vectors() []float32 { return cast[float32](s.fileBytes(fileVectors)) }
func (s *snapshot) codeBytes() []byte  { return s.fileBytes(fileCodes) }
func (s *snapshot) scales() []float32  { return cast[float32](s.fileBytes(fileScales)) }

// widest is the largest of the codes' scales.
func (s *snapshot) widest() float32 {
	s.measured.Do(func() {
		for _, x := range s.scales() {
			s.top = max(s.top, x)
		}
	})
	return s.top
}

// pieces returns the pieces of a document's words, in the mapped file: they are valid as
// long as the snapshot is held.
func (s *snapshot) pieces(slot int) []uint16 {
	first, n := pieceSpan(s.bytes(slot))
	return s.words[first:][:n:n]
}

// live is the number of documents.
func (s *snapshot) live() int { return s.slots - s.deaths }

// find is the slot of a live document.
func (s *snapshot) find(o Ordinal) (slot int, ok bool) {
	slot, ok = s.table.find(o)
	return slot, ok && !s.dead.has(slot)
}

func (s *snapshot) unmap() {
	for _, m := range s.maps {
		if m != nil {
			m.release()
		}
	}
}

// view is a snapshot and a read transaction of the ledger that agree.
type view struct {
	*snapshot
	tx      *sql.Tx
	release func()
}

func (v *view) close() {
	v.detach()
	v.release()
}

// detach ends the transaction and leaves the snapshot to the caller to release.
func (v *view) detach() *snapshot {
	_ = v.tx.Rollback() // it has only read
	return v.snapshot
}

// errPassed says that a snapshot newer than the transaction is published.
var errPassed = errors.New("a newer snapshot is published")

// view opens a read transaction and finds, or makes, the snapshot for it.
func (c *Collection) view(ctx context.Context) (*view, error) {
	for try := 0; ; try++ {
		tx, err := c.ledger.db.BeginTx(ctx, nil)
		if err != nil {
			return nil, c.ledger.explain("reading the ledger", err)
		}
		s, err := c.snapshotFor(ctx, tx)
		if err == nil {
			return &view{s, tx, func() { c.release(s) }}, nil
		}
		_ = tx.Rollback()
		// Compact removes files after it commits, perhaps just after this
		// transaction began; a new one names the new files.
		const tries = 100
		if again := errors.Is(err, errPassed) || errors.Is(err, fs.ErrNotExist); !again || try == tries {
			return nil, err
		}
	}
}

// acquire is the newest snapshot. The caller releases it.
func (c *Collection) acquire(ctx context.Context) (*snapshot, error) {
	if c.writer == nil {
		var generation int64
		if err := c.ledger.db.QueryRowContext(ctx, `SELECT generation FROM state`).Scan(&generation); err != nil {
			return nil, c.ledger.explain("reading the state", err)
		}
		c.mu.Lock()
		stale := generation != c.current.generation
		c.mu.Unlock()
		if stale {
			v, err := c.view(ctx)
			if err != nil {
				return nil, err
			}
			return v.detach(), nil
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current.refs++
	return c.current, nil
}

func (c *Collection) release(s *snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(s)
}

// drop takes one reference; c.mu is held.
func (c *Collection) drop(s *snapshot) {
	if s.refs--; s.refs == 0 {
		s.unmap()
	}
}

// snapshotFor is the snapshot of what tx sees, with a reference for the caller.
// When it is newer than the current one, it becomes that.
func (c *Collection) snapshotFor(ctx context.Context, tx *sql.Tx) (*snapshot, error) {
	st, err := c.ledger.readState(ctx, tx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.current
	if before != nil && before.generation >= st.generation {
		if before.generation > st.generation {
			return nil, errPassed
		}
		before.refs++
		return before, nil
	}
	s, err := c.build(ctx, tx, st, before)
	if err != nil {
		return nil, err
	}
	s.refs = 2 // the collection's and the caller's
	c.current = s
	if before != nil {
		c.drop(before)
	}
	return s, nil
}

// build makes the snapshot of a state, from the one before where it can.
func (c *Collection) build(ctx context.Context, tx *sql.Tx, st state, before *snapshot) (_ *snapshot, err error) {
	if before == nil || before.epoch != st.epoch {
		before = &snapshot{filters: &filterCache{known: map[query.Predicate]knownSlots{}}}
	}
	s := &snapshot{dir: c.dir, state: st, shape: c.shape, dead: before.dead, deaths: before.deaths, buried: before.buried, coder: before.coder, filters: before.filters}
	defer func() {
		if err != nil {
			s.unmap()
		}
	}()
	lengths := c.lengths(st)
	for k := range fileKinds {
		if m := before.maps[k]; m != nil && m.covers(lengths[k]) {
			s.maps[k] = m.retain()
		} else if s.maps[k], err = openMapping(c.place, c.fileName(k, st.epoch), lengths[k]); err != nil {
			return nil, err
		}
	}
	s.table = table{s.fileBytes(fileDocs), s.fileBytes(fileIDs), st.rows, st.idBytes, st.wordPieces}
	s.words = cast[uint16](s.fileBytes(fileWords))
	err = s.guard(func() error {
		if slot, problem := s.check(before.slots); problem != "" {
			return &DamageError{c.dir, Damage{File: c.fileName(fileDocs, st.epoch),
				Offset: int64(slot) * recordSize, Length: recordSize, Problem: problem}}
		}
		return s.bury(ctx, c.ledger, tx, before.generation)
	})
	if err != nil {
		return nil, err
	}
	if c.codes == Signs && s.coder.signs == nil && st.slots > 0 {
		mean, err := c.ledger.readMean(ctx, tx, st.epoch, c.dim)
		if err != nil {
			return nil, err
		}
		if s.coder, err = newCoder(c.shape, mean); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// bury marks what was deleted after a generation.
func (s *snapshot) bury(ctx context.Context, l *ledger, tx *sql.Tx, after int64) error {
	var o Ordinal
	var generation int64
	copied := false
	err := eachRow(ctx, tx, []any{&generation, &o}, func() {
		s.buried += itemSum(uint64(generation), uint64(o))
		if !copied {
			s.dead, copied = s.dead.grown(s.slots), true
		}
		// Verify reports a tombstone that is on no document; here it is harmless.
		if slot, ok := s.table.find(o); ok && !s.dead.has(slot) {
			s.dead.set(slot)
			s.deaths++
		}
	}, `SELECT generation, ordinal FROM tombstones WHERE generation > ?`, after)
	if err == nil && s.buried != s.tombstones {
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: "the tombstones do not have their sum"}}
	}
	return l.explain("reading the tombstones", err)
}
