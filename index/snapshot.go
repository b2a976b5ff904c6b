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

// maxRows is the largest row count that records and kernels can address.
const maxRows = math.MaxUint32

// snapshot is the state of a collection after a commit. It is immutable except for the
// filter cache.
type snapshot struct {
	dir string
	state
	shape
	table
	maps       [fileKinds]*mapping
	dead       bitmap       // deleted slots; may be shorter than slots
	deaths     int          // number of deleted slots
	tombstoned uint64       // checksum total of the tombstones read
	words      []uint16     // word pieces of all documents
	filters    *filterCache // shared within the epoch

	refs int // guarded by Collection.mu

	measured sync.Once
	top      float32
}

// fileBytes returns the committed bytes of a file.
func (s *snapshot) fileBytes(k fileKind) []byte { return s.maps[k].data[:s.lengths(s.state)[k]] }

func (s *snapshot) vectors() []float32 { return cast[float32](s.fileBytes(fileVectors)) }
func (s *snapshot) codeBytes() []byte  { return s.fileBytes(fileCodes) }
func (s *snapshot) scales() []float32  { return cast[float32](s.fileBytes(fileScales)) }

// maxScale returns the largest scale of the codes.
func (s *snapshot) maxScale() float32 {
	s.measured.Do(func() {
		for _, x := range s.scales() {
			s.top = max(s.top, x)
		}
	})
	return s.top
}

// pieces returns a document's word pieces from the mapped file, valid while the snapshot
// is held.
func (s *snapshot) pieces(slot int) []uint16 {
	first, n := pieceSpan(s.bytes(slot))
	return s.words[first:][:n:n]
}

func (s *snapshot) live() int { return s.slots - s.deaths }

// find returns the slot of a live document.
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

// view is a snapshot and a read transaction of the same state.
type view struct {
	*snapshot
	tx      *sql.Tx
	release func()
}

func (v *view) close() {
	v.detach()
	v.release()
}

// detach ends the transaction. The caller must release the snapshot.
func (v *view) detach() *snapshot {
	_ = v.tx.Rollback() // read-only
	return v.snapshot
}

// errPassed reports that a snapshot newer than the transaction has been published.
var errPassed = errors.New("a newer snapshot is published")

// view opens a read transaction and finds, or builds, its snapshot.
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
		// Compact removes old files after it commits, possibly just after this
		// transaction began. A new transaction refers to the new files.
		const tries = 100
		if again := errors.Is(err, errPassed) || errors.Is(err, fs.ErrNotExist); !again || try == tries {
			return nil, err
		}
	}
}

// acquire returns the newest snapshot. The caller must release it.
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

// drop releases one reference. c.mu must be held.
func (c *Collection) drop(s *snapshot) {
	if s.refs--; s.refs == 0 {
		s.unmap()
	}
}

// snapshotFor returns the snapshot of the state that tx sees, with a reference for the
// caller. If it is newer than the current snapshot, it replaces it.
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
	s.refs = 2 // one for the collection, one for the caller
	c.current = s
	if before != nil {
		c.drop(before)
	}
	return s, nil
}

// build creates the snapshot of a state, reusing the previous one where possible.
func (c *Collection) build(ctx context.Context, tx *sql.Tx, st state, before *snapshot) (_ *snapshot, err error) {
	if before == nil || before.epoch != st.epoch {
		before = &snapshot{filters: &filterCache{known: map[query.Predicate]knownSlots{}}}
	}
	s := &snapshot{dir: c.dir, state: st, shape: c.shape, dead: before.dead, deaths: before.deaths, tombstoned: before.tombstoned, filters: before.filters}
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
		return s.tombstone(ctx, c.ledger, tx, before.generation)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// tombstone marks the documents deleted after a generation.
func (s *snapshot) tombstone(ctx context.Context, l *ledger, tx *sql.Tx, after int64) error {
	var o Ordinal
	var generation int64
	copied := false
	err := eachRow(ctx, tx, []any{&generation, &o}, func() {
		s.tombstoned += itemSum(uint64(generation), uint64(o))
		if !copied {
			s.dead, copied = s.dead.grown(s.slots), true
		}
		// Verify reports a tombstone without a document; here it is harmless.
		if slot, ok := s.table.find(o); ok && !s.dead.has(slot) {
			s.dead.set(slot)
			s.deaths++
		}
	}, `SELECT generation, ordinal FROM tombstones WHERE generation > ?`, after)
	if err == nil && s.tombstoned != s.tombstones {
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: "the checksum of the tombstones does not match"}}
	}
	return l.explain("reading the tombstones", err)
}
