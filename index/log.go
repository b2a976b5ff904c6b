package index

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/pages"
)

const (
	logName = ledgerName + "-wal"

	logMagic   = 0x377f0682 // the last bit is the byte order of checksums
	logVersion = 3007000
	ledgerPage = 4096 // the page size of new ledgers
)

// logState describes the part of a ledger's log that SQLite ignores. SQLite reads frames as
// long as their checksums chain, and ignores the rest. FORMAT.md explains how to tell
// harmless leftovers from lost batches.
type logState struct {
	size       int64
	valid      int64 // end of the valid chain of frames
	unfinished bool  // a commit frame follows the chain: a batch is unfinished or damaged
	lost       bool  // frames written after that commit follow too: acknowledged batches are lost
}

func (l logState) sound() bool { return !l.unfinished && !l.lost }

func (l logState) damage() Damage {
	problem := "the last batch in the log is incomplete or damaged; opening the collection for writing moves it to " + keptName + " and continues without it"
	if l.lost {
		problem = "stored batches follow a damaged place in the log; nsfl repair recovers what it can"
	}
	return Damage{File: logName, Offset: l.valid, Length: l.size - l.valid, Problem: problem}
}

// readLog reads the log. No other process may change it meanwhile.
func (p place) readLog() (logState, error) {
	f, err := p.file(logName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return logState{}, nil
	}
	if err != nil {
		return logState{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return logState{}, err
	}
	l, err := readLog(f, info.Size())
	return l, annotate("reading "+logName, err)
}

// inspectLog reads the log of a collection that another process may be writing. While one
// is, SQLite also relies on its shared memory index, and the log cannot be read as a
// whole.
func (p place) inspectLog() (logState, error) {
	l, err := p.readLog()
	if err != nil || l.sound() {
		return l, err
	}
	lock, err := p.lock(os.O_RDONLY)
	switch {
	case errors.Is(err, engine.ErrLocked):
		return logState{}, nil
	case err != nil:
		return l, nil // no lock means no writer
	}
	defer func() { _ = lock.Close() }()
	return p.readLog()
}

// erasedCommit returns the commit value missing from a frame whose checksum includes one: a
// single damaged byte turned it into 0. Checksums are linear in the value.
func erasedCommit(order binary.ByteOrder, before pages.Sums, b []byte) uint32 {
	with := func(commit uint32) pages.Sums {
		var h [8]byte
		copy(h[:4], b)
		binary.BigEndian.PutUint32(h[4:], commit)
		return before.Next(order, h[:]).Next(order, b[pages.FrameHeader:])
	}
	for shift := 0; shift < 32; shift += 8 {
		none, one := with(0), with(1<<shift)
		for n := uint32(1); n < 256; n++ {
			if (pages.Sums{none[0] + n*(one[0]-none[0]), none[1] + n*(one[1]-none[1])}) == pages.StoredSums(b[16:]) {
				return n << shift
			}
		}
	}
	return 0
}

// readLog reads a log of the given size.
func readLog(r io.ReaderAt, size int64) (logState, error) {
	out := logState{size: size}
	var b [pages.LogHeader]byte
	if size <= pages.LogHeader+pages.FrameHeader {
		return out, nil
	}
	if _, err := r.ReadAt(b[:], 0); err != nil {
		return out, err
	}
	magic, page := binary.BigEndian.Uint32(b[:]), int(binary.BigEndian.Uint32(b[8:]))
	sized := page >= 512 && page <= 1<<16 && page&(page-1) == 0
	header := pages.Frame{Salts: binary.BigEndian.Uint64(b[16:]), Sums: pages.StoredSums(b[24:])}
	header.Continues = magic&^1 == logMagic && binary.BigEndian.Uint32(b[4:]) == logVersion && sized &&
		pages.Sums{}.Next(pages.OrderOf(magic), b[:24]) == header.Sums
	if header.Continues {
		err := out.follow(r, pages.OrderOf(magic), page, header)
		return out, err
	}
	// The header is written and synced before any frame, so frames after an invalid
	// header once had a valid one.
	if !sized {
		page = ledgerPage
	}
	for _, page := range []int{page, ledgerPage} {
		for _, magic := range []uint32{magic, magic ^ 1} {
			if err := out.orphans(r, pages.OrderOf(magic), page); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// walked is a frame with its position relative to the valid chain.
type walked struct {
	pages.Frame
	in     bool // belongs to the current pass over the log: matching salts, or continues a frame that does
	beyond bool // belongs to the current pass, but SQLite does not reach it
}

// follow walks the frames after a valid header.
func (l *logState) follow(r io.ReaderAt, order binary.ByteOrder, page int, header pages.Frame) error {
	l.valid = pages.LogHeader
	last, before := walked{Frame: header, in: true}, walked{}
	commits, broken := 0, false
	return pages.EachFrame(r, l.size, order, page, header, func(f pages.Frame, b []byte) {
		now := walked{Frame: f, in: f.Salts == header.Salts || f.Continues && last.in}
		if !broken && f.Continues && f.Salts == header.Salts {
			l.valid += int64(pages.FrameHeader + page)
		} else if now.in {
			now.beyond = true
			if !broken && now.Commit == 0 {
				now.Commit = erasedCommit(order, last.Sums, b)
			}
			l.unfinished = l.unfinished || now.Commit != 0 || f.Page == 0
			if f.Continues && now.Commit != 0 {
				commits++
			}
		} else if f.Page == 0 || f.Commit != 0 && (uint32(f.Salts) == 0 || f.Salts>>32 == 0) {
			l.unfinished = true // a normal pass never leaves this: a write was lost or wiped
		}
		broken = broken || !f.Continues || f.Salts != header.Salts
		// Frames after a commit were written after the commit was synced. If the commit
		// frame and the one before it are both torn, it may not have been a commit.
		follows := f.Continues && last.beyond && last.Commit != 0 && (last.Continues || before.Continues)
		l.lost = l.lost || follows || commits > 1
		before, last = last, now
	})
}

// orphans looks for commit frames after an invalid header.
func (l *logState) orphans(r io.ReaderAt, order binary.ByteOrder, page int) error {
	return pages.EachFrame(r, l.size, order, page, pages.Frame{}, func(f pages.Frame, _ []byte) {
		l.unfinished = l.unfinished || f.Page != 0 && f.Commit != 0
		l.lost = l.lost || f.Continues && f.Commit != 0
	})
}
