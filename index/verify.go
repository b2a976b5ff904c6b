package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/disk"
)

// Report is the result of Verify.
type Report struct {
	Documents int
	Vectors   int
	Bytes     int64    // of the flat files, all of which were read
	Beyond    int64    // uncommitted bytes, which are never read
	Damage    []Damage // empty if the collection is intact
	Doubts    []Damage // either damage or an unfinished batch
}

// Verify reads everything in a collection and checks it against its checksums, the files
// against the ledger, and the ledger against itself. It also works on collections that
// Open rejects, and alongside a writer. The error reports what prevented the check;
// damage is in the report.
func Verify(ctx context.Context, dir string) (*Report, error) {
	return at(dir).verify(ctx, 0)
}

// Scrub is Verify with a rate limit, to leave the disk to others: it reads bytesPerSecond
// bytes of the files per second. It reads the ledger at full speed, because a long read
// prevents the log from being truncated.
func Scrub(ctx context.Context, dir string, bytesPerSecond int64) (*Report, error) {
	return at(dir).verify(ctx, bytesPerSecond)
}

func (p place) verify(ctx context.Context, bytesPerSecond int64) (*Report, error) {
	var r *verifier
	err := errMoved
	for errors.Is(err, errMoved) {
		r = &verifier{place: p, report: &Report{}, pace: newPace(bytesPerSecond)}
		err = r.run(ctx)
	}
	if err = r.found(err); err != nil {
		return nil, fmt.Errorf("verifying %s: %w", p.dir, err)
	}
	return r.report, nil
}

// found adds an error that is damage to the report, and returns any other error.
func (r *verifier) found(err error) error {
	var damaged *DamageError
	if !errors.As(err, &damaged) {
		return err
	}
	r.report.Damage = append(r.report.Damage, damaged.Damage)
	return nil
}

// errMoved reports that a Compact removed the files before they could be opened.
var errMoved = errors.New("the files belong to another epoch")

type verifier struct {
	place
	settings
	state
	report *Report
	files  [fileKinds]disk.File // nil if missing
	buf    []byte
	table
	sound []bool // by slot: the record can be trusted
	slot  map[Ordinal]int
	gaps  []gap // where records cannot be trusted
	dead  bitmap
	pace  *pace
}

// gap is a run of records that cannot be trusted. Their ordinals lie strictly between the
// two.
type gap struct{ after, before Ordinal }

func (r *verifier) run(ctx context.Context) error {
	if _, err := r.disk.Stat(r.path(ledgerName)); errors.Is(err, fs.ErrNotExist) {
		return engine.ErrNotCollection
	}
	log, err := r.inspectLog()
	if err != nil {
		return err
	}
	if log.lost {
		r.add(log.damage())
	} else if log.unfinished {
		r.report.Doubts = append(r.report.Doubts, log.damage())
	}
	if kept, err := r.disk.ReadDir(r.path(keptName)); err == nil && len(kept) > 0 {
		r.report.Doubts = append(r.report.Doubts, Damage{File: keptName,
			Problem: "a batch that may have been acknowledged is kept there; store its documents again if they are missing, then delete the directory"})
	}
	l, err := openLedger(r.place, forReading)
	if err != nil {
		return err
	}
	defer func() { _ = l.close() }() // read-only
	if r.settings, err = l.readSettings(ctx); err != nil {
		return err
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return l.explain("reading the ledger", err)
	}
	defer tx.Rollback()
	if r.state, err = l.readState(ctx, tx); err != nil {
		return err
	}
	r.report.Vectors = r.rows
	defer r.closeFiles()
	if err := r.openFiles(); err != nil {
		return err
	}
	if now, err := l.readState(ctx, l.db); err != nil || now.epoch != r.epoch {
		return cmp.Or(err, errMoved)
	}
	if err := r.readTable(); err != nil {
		return err
	}
	err = l.explain("checking the table", r.checkTable(ctx, tx))
	if err == nil {
		err = r.checkLedger(ctx, l, tx)
	}
	if err = r.found(err); err != nil {
		return err
	}
	_ = tx.Rollback() // read-only, and reading the files takes longer
	return l.explain("checking the files", r.checkFiles(ctx, l.db))
}

// add reports damage, and merges adjacent damage of the same kind.
func (r *verifier) add(d Damage) {
	// Several files are read in parallel.
	recent := r.report.Damage[max(0, len(r.report.Damage)-int(fileKinds)):]
	for i := range recent {
		before := &recent[i]
		if d.Length > 0 && before.File == d.File && before.Problem == d.Problem && before.Offset+before.Length == d.Offset {
			before.Length += d.Length
			before.Documents = append(before.Documents, d.Documents...)
			return
		}
	}
	r.report.Damage = append(r.report.Damage, d)
}

// read returns a part of a file, valid until the next read.
func (r *verifier) read(k fileKind, s span) ([]byte, error) {
	r.buf = slices.Grow(r.buf[:0], s.length)[:s.length]
	n, err := r.files[k].ReadAt(r.buf, s.offset)
	if n == s.length {
		err = nil
	}
	return r.buf, err
}

func (r *verifier) openFiles() error {
	for k, length := range r.lengths(r.state) {
		name := r.fileName(fileKind(k), r.epoch)
		f, err := r.file(name, os.O_RDONLY)
		problem, size := "the file is missing", int64(0)
		if err == nil {
			r.files[k] = f
			info, err := f.Stat()
			if err != nil {
				return err
			}
			problem, size = "the file is shorter than its committed length", info.Size()
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		r.report.Bytes += min(length, size)
		r.report.Beyond += max(0, size-length)
		if size < length {
			r.add(Damage{File: name, Offset: size, Length: length - size, Problem: problem})
		}
	}
	return nil
}

func (r *verifier) closeFiles() {
	for _, f := range r.files {
		if f != nil {
			_ = f.Close() // only read
		}
	}
}

// readTable reads as much of the table as exists.
func (r *verifier) readTable() error {
	r.table = table{endRow: r.rows, endID: r.idBytes, endPiece: r.wordPieces}
	f := r.files[fileDocs]
	if f == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	length := min(r.lengths(r.state)[fileDocs], info.Size())
	r.records = make([]byte, length/recordSize*recordSize)
	_, err = f.ReadAt(r.records, 0)
	return err
}

// checkTable determines which records can be trusted, and names the documents of the
// others.
func (r *verifier) checkTable(ctx context.Context, tx *sql.Tx) error {
	n := r.size()
	r.sound, r.slot = make([]bool, n), make(map[Ordinal]int, n)
	for slot := 0; slot < n; {
		problem := r.broken(slot)
		if problem == "" && (slot == 0 || r.sound[slot-1]) {
			problem = r.misplaced(slot)
		}
		if problem == "" {
			r.sound[slot] = true
			r.slot[r.ordinal(slot)] = slot
			slot++
			continue
		}
		from := slot
		for slot++; slot < n && r.broken(slot) != ""; {
			slot++
		}
		if err := r.addGap(ctx, tx, from, slot, problem); err != nil {
			return err
		}
	}
	if n < r.slots {
		return r.addGap(ctx, tx, n, r.slots, "records are missing")
	}
	return nil
}

// addGap reports that the records of slots lo to hi-1 cannot be trusted. The ordinals
// around them identify their documents.
func (r *verifier) addGap(ctx context.Context, tx *sql.Tx, lo, hi int, problem string) error {
	g := gap{before: math.MaxUint32}
	if lo > 0 && r.sound[lo-1] {
		g.after = r.ordinal(lo - 1)
	} else if n := len(r.gaps); n > 0 {
		g.after = r.gaps[n-1].after
	}
	if hi < r.size() {
		g.before = r.ordinal(hi)
	}
	r.gaps = append(r.gaps, g)
	ids, err := idsWhere(ctx, tx, `ordinal > ? AND ordinal < ?`, g.after, g.before)
	r.add(Damage{File: r.fileName(fileDocs, r.epoch), Offset: int64(lo) * recordSize,
		Length: int64(hi-lo) * recordSize, Problem: problem, Documents: ids})
	return err
}

func idsWhere(ctx context.Context, q queryer, condition string, args ...any) (ids []string, err error) {
	var id string
	err = eachRow(ctx, q, []any{&id}, func() { ids = append(ids, id) },
		`SELECT id FROM documents WHERE `+condition+` ORDER BY ordinal`, args...)
	return ids, err
}

// checkFiles compares each document's part of the other files with the checksums in its
// record.
func (r *verifier) checkFiles(ctx context.Context, q queryer) error {
	for slot, sound := range r.sound {
		if slot%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !sound {
			continue
		}
		if err := r.pace.keep(ctx, r.spans(r.shape, slot)); err != nil {
			return err
		}
		rec := r.at(slot)
		for k, s := range r.spans(r.shape, slot) {
			if fileKind(k) == fileDocs || r.files[k] == nil {
				continue
			}
			name, problem := r.fileName(fileKind(k), r.epoch), "the checksum does not match"
			b, err := r.read(fileKind(k), s)
			if errors.Is(err, io.EOF) {
				problem = "bytes are missing"
			} else if err != nil {
				return fmt.Errorf("reading %s: %w", name, err)
			} else if checksum(b) == rec.sums[k] {
				continue
			}
			ids, err := idsWhere(ctx, q, `ordinal = ?`, rec.ordinal)
			if err != nil {
				return err
			}
			r.add(Damage{File: name, Offset: s.offset, Length: int64(s.length), Problem: problem, Documents: ids})
		}
	}
	return nil
}
