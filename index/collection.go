package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/disk"
	"github.com/nsfl-go/nsfl/internal/lockfile"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Options configure Create and Open.
type Options struct {
	// Dimension is the length of the vectors. Create requires it; Open checks it unless
	// it is 0.
	Dimension int
	// Encoder is an opaque identity of the model that produced the vectors. Create stores
	// it; Open checks it unless it is empty.
	Encoder string
	// ReadOnly opens the collection without a lock, alongside a writer or in a directory
	// that is not writable.
	ReadOnly bool
}

// Collection is an open collection. It is safe for concurrent use; batches run one at a
// time.
type Collection struct {
	place
	settings
	ledger *ledger  // for read transactions
	writer *writer  // nil if opened read-only
	log    logState // state of the log when it was opened

	notices []string
	quota   atomic.Pointer[Quota]
	fields  fieldCache

	life   sync.RWMutex // held for reading by every call, for writing by Close
	closed bool

	mu      sync.Mutex
	current *snapshot
}

var (
	_ engine.Collection = (*Collection)(nil)
	_ engine.Scanner    = (*Collection)(nil)
)

// OpenOrCreate opens the collection in dir. If there is none, it creates one, provided
// that a dimension is given and the options are not read-only. It leaves a directory that
// contains other files alone.
func OpenOrCreate(ctx context.Context, dir string, o Options) (*Collection, error) {
	c, err := Open(ctx, dir, o)
	if !errors.Is(err, engine.ErrNotCollection) || o.ReadOnly || o.Dimension == 0 {
		return c, err
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	case len(entries) > 0:
		return nil, fmt.Errorf("opening %s: it is not a collection but contains other files; use an empty or new directory", dir)
	}
	return Create(ctx, dir, o)
}

// Create makes a collection in dir, creating the directory if necessary, and opens it for
// writing. It returns ErrExists if dir already holds a collection.
func Create(ctx context.Context, dir string, o Options) (*Collection, error) {
	return at(dir).makeCollection(ctx, o)
}

func (p place) makeCollection(ctx context.Context, o Options) (*Collection, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &Collection{place: p}
	err := c.make(ctx, o)
	if err == nil {
		err = c.open(ctx, o)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("making a collection in %s: %w", p.dir, err), c.shut())
	}
	return c, nil
}

// make takes the lock and creates the files before the tables: a collection does not
// exist until its settings are stored.
func (c *Collection) make(ctx context.Context, o Options) error {
	if err := c.disk.MkdirAll(c.dir); err != nil {
		return explainOS("making the directory", err)
	}
	if err := c.takeLock(); err != nil {
		return err
	}
	l, err := openLedger(c.place, forCreating)
	if err != nil {
		return err
	}
	return errors.Join(l.create(ctx, settings{shape{o.Dimension}, o.Encoder}), l.close())
}

func (o Options) check() error {
	switch {
	case o.Dimension < 1 || o.Dimension > engine.MaxDimension:
		return engine.BadInput("option Dimension", "%d is not between 1 and %d", o.Dimension, engine.MaxDimension)
	case !utf8.ValidString(o.Encoder):
		return engine.BadInput("option Encoder", "is not valid UTF-8")
	}
	return nil
}

// create writes the tables and settings unless the ledger already has them.
func (l *ledger) create(ctx context.Context, s settings) error {
	switch _, err := l.readSettings(ctx); {
	case err == nil:
		return ErrExists
	case !errors.Is(err, engine.ErrNotCollection):
		return err
	}
	f, err := openFiles(l.place, s.shape, state{format: FormatVersion, epoch: 1}, os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return explainOS("making the files", err)
	}
	if err := errors.Join(f.sync(), f.close(), l.syncDir()); err != nil {
		return explainOS("making the files", err)
	}
	if err := l.initialize(ctx, s); err != nil {
		return l.explain("making the ledger", err)
	}
	return explainOS("making the directory", errors.Join(l.syncDir(), l.disk.SyncDir(filepath.Dir(l.dir))))
}

// Open opens a collection. It returns ErrNotCollection if there is none, ErrLocked if
// another process is writing, *MismatchError for a different encoder or dimension,
// *FormatError for a newer format, and *DamageError for damage.
func Open(ctx context.Context, dir string, o Options) (*Collection, error) {
	return at(dir).openCollection(ctx, o)
}

func (p place) openCollection(ctx context.Context, o Options) (*Collection, error) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 { // the files are mapped as they are
		return nil, errors.New("collections need a little-endian machine")
	}
	c := &Collection{place: p}
	if err := c.lockAndOpen(ctx, o); err != nil {
		return nil, errors.Join(c.wrapOpen(err), c.shut())
	}
	return c, nil
}

func (c *Collection) lockAndOpen(ctx context.Context, o Options) error {
	if _, err := c.disk.Stat(c.path(ledgerName)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return engine.ErrNotCollection
		}
		return err
	}
	inspect := c.inspectLog
	if !o.ReadOnly {
		if err := c.takeLock(); err != nil {
			return err
		}
		inspect = c.readLog
	}
	var err error
	if c.log, err = inspect(); err != nil {
		return err
	}
	if c.log.lost {
		return &DamageError{c.dir, c.log.damage()}
	}
	if c.log.unfinished && o.ReadOnly {
		c.notices = append(c.notices, c.log.damage().String())
	}
	return c.open(ctx, o)
}

// wrapOpen adds the directory to errors that do not name it.
func (c *Collection) wrapOpen(err error) error {
	var mismatch *engine.MismatchError
	var format *engine.FormatError
	if errors.As(err, &mismatch) || errors.As(err, &format) {
		return err
	}
	return fmt.Errorf("opening %s: %w", c.dir, err)
}

// open reads the ledger and the table; a writer already holds the lock. Files are
// truncated only once both are known to be sound.
func (c *Collection) open(ctx context.Context, o Options) (err error) {
	if c.ledger, err = openLedger(c.place, forReading); err != nil {
		return err
	}
	if c.settings, err = c.ledger.readSettings(ctx); err != nil {
		return err
	}
	if o.Encoder != "" && o.Encoder != c.encoder {
		return &engine.MismatchError{Dir: c.dir, What: "encoder", Stored: strconv.Quote(c.encoder), Given: strconv.Quote(o.Encoder)}
	}
	if o.Dimension != 0 && o.Dimension != c.dim {
		return &engine.MismatchError{Dir: c.dir, What: "dimension", Stored: strconv.Itoa(c.dim), Given: strconv.Itoa(o.Dimension)}
	}
	if c.writer != nil {
		if err := c.keep(ctx); err != nil {
			return annotate("keeping what is in doubt", err)
		}
		if err := c.writer.open(c.place); err != nil {
			return err
		}
	}
	v, err := c.view(ctx)
	if err != nil {
		return err
	}
	defer v.close()
	if c.writer == nil {
		return nil
	}
	return c.writer.clear(c.place, c.shape, v.state)
}

// takeLock makes c the writer. shut releases the lock.
func (c *Collection) takeLock() error {
	f, err := c.lock(os.O_RDWR | os.O_CREATE)
	if err != nil {
		return explainOS("taking the lock", err)
	}
	c.writer = &writer{lock: f, turn: make(workers.Slots, 1), compacting: make(workers.Slots, 1)}
	return nil
}

// lock takes the lock until the file is closed. It returns ErrLocked if another process
// holds it.
func (p place) lock(flag int) (disk.File, error) {
	f, err := p.file(lockName, flag)
	if err != nil {
		return nil, err
	}
	err = lockfile.Take(f)
	if errors.Is(err, lockfile.ErrTaken) {
		err = engine.ErrLocked
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close waits for calls in progress and closes the collection.
func (c *Collection) Close() error {
	c.life.Lock()
	defer c.life.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	return c.shut()
}

func (c *Collection) shut() error {
	var errs []error
	if c.current != nil {
		c.release(c.current)
	}
	if c.ledger != nil {
		errs = append(errs, c.ledger.close())
	}
	if c.writer != nil {
		errs = append(errs, c.writer.close())
	}
	return errors.Join(errs...)
}

// call runs f while holding off Close, and wraps its error with doing.
func (c *Collection) call(doing string, f func() error) error {
	c.life.RLock()
	defer c.life.RUnlock()
	err := engine.ErrClosed
	if !c.closed {
		err = f()
	}
	return annotate(doing, err)
}
