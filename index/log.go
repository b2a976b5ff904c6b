package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/nsfl-go/nsfl/engine"
)

const (
	logName = ledgerName + "-wal"

	logHeader   = 32
	frameHeader = 24
	logMagic    = 0x377f0682 // the last bit is the order of bytes in checksums
	logVersion  = 3007000
	ledgerPage  = 4096 // what SQLite makes ledgers with
)

// logged is what a ledger's log holds beside what SQLite reads of it. SQLite goes from
// frame to frame as long as their checksums continue each other, and takes what comes
// after for nothing: FORMAT.md says what may lie there, and what it tells.
type logged struct {
	size  int64
	whole int64 // where the frames end that continue each other
	rest  bool  // the end of a transaction lies beyond: it was not finished, or a part of it is damaged
	lost  bool  // so does what was written after the end of one
}

func (l logged) sound() bool { return !l.rest && !l.lost }

// damage says what is wrong with a log that is not sound.
func (l logged) damage() Damage {
	problem := "the last batch in the log is not whole: it was not finished, or it is damaged; who opens the collection for writing keeps it in " + keptName + " and goes on without it"
	if l.lost {
		problem = "batches that were stored lie beyond a place in the log that is not as it was written; nsfl repair saves what can be"
	}
	return Damage{File: logName, Offset: l.whole, Length: l.size - l.whole, Problem: problem}
}

// readLog reads the log. It is nobody else's to change meanwhile.
func (p place) readLog() (logged, error) {
	f, err := p.file(logName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return logged{}, nil
	}
	if err != nil {
		return logged{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return logged{}, err
	}
	l, err := readLog(f, info.Size())
	return l, saying("reading "+logName, err)
}

// inspectLog reads the log of a collection that another may write. As long as one
// does, SQLite does not go by the log alone, and beside them it cannot be read as a
// whole.
func (p place) inspectLog() (logged, error) {
	l, err := p.readLog()
	if err != nil || l.sound() {
		return l, err
	}
	lock, err := p.lock(os.O_RDONLY)
	switch {
	case errors.Is(err, engine.ErrLocked):
		return logged{}, nil
	case err != nil:
		return l, nil // without a lock there is no writer
	}
	defer func() { _ = lock.Close() }()
	return p.readLog()
}

// sums are the two halves of a checksum.
type sums [2]uint32

// next continues a checksum over a number of bytes that 8 divides.
func (s sums) next(order binary.ByteOrder, b []byte) sums {
	for ; len(b) >= 8; b = b[8:] {
		s[0] += order.Uint32(b) + s[1]
		s[1] += order.Uint32(b[4:]) + s[0]
	}
	return s
}

// storedSums reads a checksum.
func storedSums(b []byte) sums {
	return sums{binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])}
}

// frame is what a frame of the log says, and how it stands to the one before.
type frame struct {
	page, commit uint32 // commit: the pages of the ledger, where a transaction ends
	salts        uint64
	sums         sums
	continues    bool // its checksum continues that of the one before
}

func readFrame(order binary.ByteOrder, before sums, b []byte) frame {
	f := frame{
		page: binary.BigEndian.Uint32(b), commit: binary.BigEndian.Uint32(b[4:]),
		salts: binary.BigEndian.Uint64(b[8:]), sums: storedSums(b[16:]),
	}
	f.continues = f.page != 0 && before.next(order, b[:8]).next(order, b[frameHeader:]) == f.sums
	return f
}

// erased is the end of a transaction that a frame says nothing of, though its checksum
// does: one byte made the number 0. Checksums grow evenly with the number.
func erased(order binary.ByteOrder, before sums, b []byte) uint32 {
	with := func(commit uint32) sums {
		var h [8]byte
		copy(h[:4], b)
		binary.BigEndian.PutUint32(h[4:], commit)
		return before.next(order, h[:]).next(order, b[frameHeader:])
	}
	for shift := 0; shift < 32; shift += 8 {
		none, one := with(0), with(1<<shift)
		for n := uint32(1); n < 256; n++ {
			if (sums{none[0] + n*(one[0]-none[0]), none[1] + n*(one[1]-none[1])}) == storedSums(b[16:]) {
				return n << shift
			}
		}
	}
	return 0
}

// readLog reads a log of a size.
func readLog(r io.ReaderAt, size int64) (logged, error) {
	out := logged{size: size}
	var b [logHeader]byte
	if size <= logHeader+frameHeader {
		return out, nil
	}
	if _, err := r.ReadAt(b[:], 0); err != nil {
		return out, err
	}
	magic, page := binary.BigEndian.Uint32(b[:]), int(binary.BigEndian.Uint32(b[8:]))
	sized := page >= 512 && page <= 1<<16 && page&(page-1) == 0
	header := frame{salts: binary.BigEndian.Uint64(b[16:]), sums: storedSums(b[24:])}
	header.continues = magic&^1 == logMagic && binary.BigEndian.Uint32(b[4:]) == logVersion && sized &&
		sums{}.next(orderOf(magic), b[:24]) == header.sums
	if header.continues {
		err := out.follow(r, orderOf(magic), page, header)
		return out, err
	}
	// It is written and synced before any frame, so that frames without it are those
	// of a header that was good.
	if !sized {
		page = ledgerPage
	}
	for _, page := range []int{page, ledgerPage} {
		for _, magic := range []uint32{magic, magic ^ 1} {
			if err := out.orphans(r, orderOf(magic), page); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func orderOf(magic uint32) binary.ByteOrder {
	if magic&1 == 1 {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// walked is a frame in its place.
type walked struct {
	frame
	in     bool // it is of this pass of the log: it has its salts, or continues one that is
	beyond bool // and SQLite does not get to it
}

// follow goes through the frames after a header that is good.
func (l *logged) follow(r io.ReaderAt, order binary.ByteOrder, page int, header frame) error {
	l.whole = logHeader
	last, before := walked{frame: header, in: true}, walked{}
	commits, broken := 0, false
	return l.each(r, order, page, header, func(f frame, b []byte) {
		now := walked{frame: f, in: f.salts == header.salts || f.continues && last.in}
		if !broken && f.continues && f.salts == header.salts {
			l.whole += int64(frameHeader + page)
		} else if now.in {
			now.beyond = true
			if !broken && now.commit == 0 {
				now.commit = erased(order, last.sums, b)
			}
			l.rest = l.rest || now.commit != 0
			if f.continues && now.commit != 0 {
				commits++
			}
		}
		broken = broken || !f.continues || f.salts != header.salts
		// What follows the end of a transaction was written after that was synced. Where
		// the end is torn, and what stands before it too, it may not have been one.
		follows := f.continues && last.beyond && last.commit != 0 && (last.continues || before.continues)
		l.lost = l.lost || follows || commits > 1
		before, last = last, now
	})
}

// orphans looks for the end of a transaction among frames whose header is not good.
func (l *logged) orphans(r io.ReaderAt, order binary.ByteOrder, page int) error {
	return l.each(r, order, page, frame{}, func(f frame, _ []byte) {
		l.rest = l.rest || f.page != 0 && f.commit != 0
		l.lost = l.lost || f.continues && f.commit != 0
	})
}

// each calls f for all frames that are there to their end.
func (l *logged) each(r io.ReaderAt, order binary.ByteOrder, page int, before frame, f func(frame, []byte)) error {
	b := make([]byte, frameHeader+page)
	in := bufio.NewReaderSize(io.NewSectionReader(r, logHeader, l.size-logHeader), int(min(l.size, 1<<20)))
	for range (l.size - logHeader) / int64(len(b)) {
		switch _, err := io.ReadFull(in, b); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil // it was emptied meanwhile
		case err != nil:
			return err
		}
		before = readFrame(order, before.sums, b)
		f(before, b)
	}
	return nil
}
