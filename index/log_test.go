package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/pages"
)

// restless prevents the checkpoint of an idle collection.
func restless(c *Collection) *Collection {
	if c.writer.rest != nil {
		c.writer.rest.Stop()
	}
	c.writer.rest = time.AfterFunc(time.Hour, func() {})
	return c
}

// uncleanLog returns a collection left by a killed process, with all its data in the log:
// a number of batches with one document each. Batch i has document doc-i.
func uncleanLog(t *testing.T, batches int) (dir string, docs []engine.Document) {
	t.Helper()
	c := restless(create(t, Options{}))
	docs = randomDocuments(source(t, 41), batches, testDim)
	for i := range docs {
		must(t, c.Upsert(t.Context(), docs[i:i+1]))
	}
	return killed(t, c), docs
}

// killed copies the files of an open collection, without the index of its log.
func killed(t *testing.T, c *Collection) string {
	t.Helper()
	dir := copyOf(t, c.dir)
	must(t, os.Remove(filepath.Join(dir, ledgerName+"-shm")))
	return dir
}

// logFrames returns the frames of a log and the transaction number of each.
func logFrames(t *testing.T, log []byte) (frames []pages.Frame, transaction []int) {
	t.Helper()
	n := 0
	must(t, pages.EachFrame(bytes.NewReader(log), int64(len(log)), binary.LittleEndian, ledgerPage, pages.Frame{}, func(f pages.Frame, _ []byte) {
		frames, transaction = append(frames, f), append(transaction, n)
		if f.Commit != 0 {
			n++
		}
	}))
	return frames, transaction
}

func readLogOf(t *testing.T, dir string) (logState, []byte) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, logName))
	must(t, err)
	l, err := at(dir).readLog()
	must(t, err)
	return l, b
}

// expectRefused expects a collection whose log has lost batches to be rejected and left
// unchanged.
func expectRefused(t *testing.T, dir string) {
	t.Helper()
	before, err := os.ReadFile(filepath.Join(dir, logName))
	must(t, err)
	for _, readOnly := range []bool{true, false} {
		var damage *DamageError
		if _, err := Open(t.Context(), dir, Options{ReadOnly: readOnly}); !errors.As(err, &damage) || damage.File != logName || !strings.Contains(err.Error(), "nsfl repair") {
			t.Errorf("opening, for reading only %v: got error %v, want damage of the log", readOnly, err)
		}
	}
	report, err := Verify(t.Context(), dir)
	must(t, err)
	if !slices.ContainsFunc(report.Damage, func(d Damage) bool { return d.File == logName }) {
		t.Errorf("got %v from Verify, want damage of the log", report.Damage)
	}
	if after, err := os.ReadFile(filepath.Join(dir, logName)); err != nil || !bytes.Equal(before, after) {
		t.Errorf("got another log, or error %v, want it as before", err)
	}
}

// expectKept expects a collection whose log ends in doubt to open without the last batch,
// and the remains of that batch to be kept.
func expectKept(t *testing.T, dir string, want map[string]engine.Document) {
	t.Helper()
	_, before := readLogOf(t, dir)
	report, err := Verify(t.Context(), dir)
	must(t, err)
	if len(report.Damage) > 0 || len(report.Doubts) != 1 || report.Doubts[0].File != logName {
		t.Errorf("got damage %v and doubts %v from Verify, want one doubt about the log", report.Damage, report.Doubts)
	}
	reader, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	expectDocuments(t, reader, want)
	if notices := reader.Notices(); len(notices) != 1 {
		t.Errorf("got the reader's notices %q, want one", notices)
	}
	must(t, reader.Close())
	if _, after := readLogOf(t, dir); !bytes.Equal(before, after) {
		t.Error("a reader has changed the log")
	}
	var tails int64
	for _, name := range flatFiles(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		tails += info.Size()
	}
	c, err := Open(t.Context(), dir, Options{})
	must(t, err)
	expectDocuments(t, c, want)
	if notices := c.Notices(); len(notices) != 1 || !strings.Contains(notices[0], keptName) {
		t.Errorf("got notices %q, want one that names the directory of what is kept", notices)
	}
	for _, n := range c.lengths(c.current.state) {
		tails -= n
	}
	must(t, c.Close())
	if kept, err := os.ReadFile(filepath.Join(dir, keptName, "1", logName+"@0")); err != nil || !bytes.Equal(before, kept) {
		t.Errorf("got another log kept, or error %v, want it as before", err)
	}
	kept, err := os.ReadDir(filepath.Join(dir, keptName, "1"))
	must(t, err)
	for _, e := range kept {
		if info, err := e.Info(); err == nil && !strings.HasPrefix(e.Name(), logName) {
			tails -= info.Size()
		}
	}
	if tails != 0 {
		t.Errorf("got %d uncommitted bytes that are not kept, want none", tails)
	}
	if report := expectSound(t, dir); len(report.Doubts) != 1 || report.Doubts[0].File != keptName {
		t.Errorf("doubts after opening: %v, want one about %s", report.Doubts, keptName)
	}
	must(t, os.RemoveAll(filepath.Join(dir, keptName)))
	if report := expectSound(t, dir); len(report.Doubts) > 0 {
		t.Errorf("got doubts %v, want none when nothing is kept any more", report.Doubts)
	}
}

// TestLogFlips flips a bit in each part of every frame of a log. All stored data must be
// present or kept, or the collection rejected.
func TestLogFlips(t *testing.T) {
	const batches = 5
	r := source(t, 42)
	dir, docs := uncleanLog(t, batches)
	l, log := readLogOf(t, dir)
	if !l.sound() || l.valid != int64(len(log)) {
		t.Fatalf("the log of a killed process: got %+v, want it sound to its end", l)
	}
	frames, transaction := logFrames(t, log)
	if last := transaction[len(transaction)-1]; last != batches-1 {
		t.Fatalf("got %d transactions, want one for each batch", last+1)
	}
	want := map[string]engine.Document{}
	for _, d := range docs[:batches-1] {
		want[d.ID] = d
	}
	kept, refused := 0, 0
	for i := range frames {
		start := pages.LogHeader + i*(pages.FrameHeader+ledgerPage)
		for _, part := range [][2]int{{0, 4}, {4, 8}, {8, 16}, {16, 24}, {pages.FrameHeader, pages.FrameHeader + ledgerPage}} {
			at := start + part[0] + r.IntN(part[1]-part[0])
			damaged := slices.Clone(log)
			damaged[at] ^= 1 << r.IntN(8)
			l, err := readLog(bytes.NewReader(damaged), int64(len(damaged)))
			must(t, err)
			end := frames[i].Commit != 0
			switch {
			case l.sound() || l.valid != int64(start):
				t.Errorf("frame %d, byte %d: got %+v, want the chain to end there", i, at-start, l)
			case transaction[i] == batches-1 && l.lost && part[0] != 4:
				t.Errorf("frame %d of the last batch, byte %d: got %+v, want nothing lost", i, at-start, l)
			case transaction[i] < batches-2 && !l.lost, transaction[i] == batches-2 && !end && !l.lost && part[0] != 16:
				t.Errorf("frame %d of batch %d, byte %d: got %+v, want lost batches", i, transaction[i], at-start, l)
			}
			if part[0] != pages.FrameHeader || !end && i > 0 {
				continue // opening these takes a while
			}
			hit := copyOf(t, dir)
			must(t, os.WriteFile(filepath.Join(hit, logName), damaged, 0o666))
			if l.lost {
				expectRefused(t, hit)
				refused++
			} else if transaction[i] == batches-1 {
				expectKept(t, hit, want)
				kept++
			}
		}
	}
	t.Logf("%d frames; of those opened %d are refused, %d kept", len(frames), refused, kept)
	if refused < batches-2 || kept == 0 {
		t.Error("too few were tried")
	}
	for at := range pages.LogHeader {
		damaged := slices.Clone(log)
		damaged[at] ^= 1 << r.IntN(8)
		if l, err := readLog(bytes.NewReader(damaged), int64(len(damaged))); err != nil || !l.lost {
			t.Errorf("byte %d of the header: got %+v and error %v, want lost batches", at, l, err)
		}
	}
}

// TestLogUnfinished checks that the remains of a last batch after a kill or a power cut
// are not reported as damage, and that those of a power cut are kept.
func TestLogUnfinished(t *testing.T) {
	dir, docs := uncleanLog(t, 3)
	_, log := readLogOf(t, dir)
	frames, transaction := logFrames(t, log)
	want := map[string]engine.Document{}
	for _, d := range docs[:2] {
		want[d.ID] = d
	}
	const size = pages.FrameHeader + ledgerPage
	for i := slices.Index(transaction, 2); i < len(frames); i++ {
		for _, cut := range []int{0, 1, pages.FrameHeader, size - 1} {
			part := log[:pages.LogHeader+i*size+cut]
			if l, err := readLog(bytes.NewReader(part), int64(len(part))); err != nil || !l.sound() {
				t.Errorf("cut in frame %d at %d: got %+v and error %v, want it sound", i, cut, l, err)
			}
		}
		erased := slices.Clone(log)
		clear(erased[pages.LogHeader+i*size+4:][:4])
		if l, err := readLog(bytes.NewReader(erased), int64(len(erased))); err != nil || l.lost || l.sound() != (frames[i].Commit == 0) {
			t.Errorf("without the end that frame %d may be: got %+v and error %v, want doubts after a commit only", i, l, err)
		}
		// A sector may end within the frame header.
		for _, at := range []int{8, 12, 16, pages.FrameHeader} {
			start := pages.LogHeader + i*size
			for _, wiped := range [][2]int{{start, start + at}, {start + at, start + size}} {
				torn := slices.Clone(log)
				clear(torn[wiped[0]:wiped[1]])
				if l, err := readLog(bytes.NewReader(torn), int64(len(torn))); err != nil || l.lost || frames[i].Commit != 0 && l.sound() {
					t.Errorf("frame %d wiped from %d to %d: got %+v and error %v, want doubts after a commit, and nothing lost", i, wiped[0]-start, wiped[1]-start, l, err)
				}
			}
		}
		gap := slices.Clone(log)
		clear(gap[pages.LogHeader+i*size:][:size])
		l, err := readLog(bytes.NewReader(gap), int64(len(gap)))
		must(t, err)
		if l.lost || !l.unfinished {
			t.Errorf("without frame %d of %d: got %+v, want an unfinished batch", i, len(frames), l)
		} else if l.unfinished {
			hit := copyOf(t, dir)
			must(t, os.WriteFile(filepath.Join(hit, logName), gap, 0o666))
			expectKept(t, hit, want)
		}
	}
}

// TestLogPasses checks that frames of an older pass, or of a rolled-back transaction, are
// not mistaken for lost batches.
func TestLogPasses(t *testing.T) {
	c := restless(create(t, Options{}))
	r := source(t, 43)
	docs := randomDocuments(r, 60, testDim)
	must(t, c.Upsert(t.Context(), docs[:40]))
	for i := 40; i < 50; i++ {
		must(t, c.Upsert(t.Context(), docs[i:i+1]))
	}
	_, err := c.writer.ledger.db.Exec(`PRAGMA wal_checkpoint(PASSIVE)`)
	must(t, err)
	must(t, c.Upsert(t.Context(), docs[50:51]))
	l, log := readLogOf(t, killed(t, c))
	if !l.sound() || l.valid >= int64(len(log)) {
		t.Errorf("before frames of an older pass: got %+v, want it sound", l)
	}

	_, err = c.writer.ledger.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size(1); PRAGMA cache_spill(1)`)
	must(t, err)
	must(t, c.Upsert(t.Context(), docs[51:52]))
	tx, err := c.writer.ledger.db.Begin()
	must(t, err)
	for i := range 200 {
		_, err := tx.Exec(`INSERT INTO notes VALUES (?, ?, 0)`, fmt.Sprint(i), strings.Repeat("x", 3000))
		must(t, err)
	}
	if l, _ := readLogOf(t, killed(t, c)); !l.sound() {
		t.Errorf("with a transaction that has spilled: got %+v, want it sound", l)
	}
	must(t, tx.Rollback())
	dir := killed(t, c)
	if l, _ := readLogOf(t, dir); !l.sound() {
		t.Errorf("with a transaction that was rolled back: got %+v, want it sound", l)
	}
	want := map[string]engine.Document{}
	for _, d := range docs[:52] {
		want[d.ID] = d
	}
	expectReadable(t, dir, want)
	must(t, c.Upsert(t.Context(), docs[52:53]))
	if l, _ := readLogOf(t, killed(t, c)); l.lost {
		t.Errorf("after a transaction that was rolled back: got %+v, want nothing lost", l)
	}
}

// TestLogBesideWriter: while a writer is active, SQLite does not rely on the log alone.
func TestLogBesideWriter(t *testing.T) {
	c := restless(create(t, Options{}))
	docs := randomDocuments(source(t, 44), 5, testDim)
	want := map[string]engine.Document{}
	for _, d := range docs {
		must(t, c.Upsert(t.Context(), []engine.Document{d}))
		want[d.ID] = d
	}
	f, err := os.OpenFile(filepath.Join(c.dir, logName), os.O_RDWR, 0)
	must(t, err)
	var b [8]byte
	_, err = f.ReadAt(b[:], pages.LogHeader+8)
	must(t, err)
	_, err = f.WriteAt([]byte("flipped!"), pages.LogHeader+8) // the salts, which only recovery reads
	must(t, err)
	if l, err := c.readLog(); err != nil || !l.lost {
		t.Fatalf("readLog: got %+v and error %v, want lost batches", l, err)
	}
	expectReadable(t, c.dir, want)
	_, err = f.WriteAt(b[:], pages.LogHeader+8)
	must(t, errors.Join(err, f.Close()))
}

// TestRest expects an empty log after a while without writes, unless it is being read.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := Create(t.Context(), filepath.Join(t.TempDir(), "c"), Options{Dimension: testDim})
		must(t, err)
		size := func() int64 {
			info, err := os.Stat(filepath.Join(c.dir, logName))
			must(t, err)
			return info.Size()
		}
		v, err := c.view(t.Context())
		must(t, err)
		must(t, c.Upsert(t.Context(), randomDocuments(source(t, 45), 3, testDim)))
		time.Sleep(2 * restTime)
		synctest.Wait()
		if size() == 0 {
			t.Error("the log is empty while somebody reads it")
		}
		v.close()
		time.Sleep(2 * restTime)
		synctest.Wait()
		if n := size(); n != 0 {
			t.Errorf("got %d bytes in the log, want none", n)
		}
		must(t, c.Close())
	})
}

// FuzzLog checks that reading terminates and stays within the log.
func FuzzLog(f *testing.F) {
	f.Add([]byte{}, 0, byte(0))
	f.Add(bytes.Repeat([]byte{0x37, 0x7f, 6, 0x82}, 3000), 7, byte(1))
	f.Fuzz(func(t *testing.T, b []byte, at int, with byte) {
		expectBounded(t, b)
		// Give the random bytes valid checksums.
		made := madeLog(b)
		if l := expectBounded(t, made); !l.sound() || l.valid != int64(len(made)) {
			t.Fatalf("a log that is whole: got %+v, want it sound to its end", l)
		}
		if n := len(made); n > pages.LogHeader && with != 0 {
			made[uint(at)%uint(n)] ^= with
			if l := expectBounded(t, made); l.sound() && l.valid == int64(n) {
				t.Fatalf("got a sound log, want the flip at %d found", uint(at)%uint(n))
			}
		}
	})
}

func expectBounded(t *testing.T, b []byte) logState {
	l, err := readLog(bytes.NewReader(b), int64(len(b)))
	if err != nil || l.valid > int64(len(b)) || l.lost && l.valid == int64(len(b)) {
		t.Fatalf("readLog: got %+v and error %v, want a valid part within %d bytes", l, err, len(b))
	}
	return l
}

// madeLog returns a log of 512-byte pages; every third frame is a commit.
func madeLog(content []byte) []byte {
	const page = 512
	log := make([]byte, pages.LogHeader)
	binary.BigEndian.PutUint32(log, logMagic)
	binary.BigEndian.PutUint32(log[4:], logVersion)
	binary.BigEndian.PutUint32(log[8:], page)
	binary.BigEndian.PutUint64(log[16:], 0x1234567890abcdef)
	s := pages.Sums{}.Next(binary.LittleEndian, log[:24])
	binary.BigEndian.PutUint32(log[24:], s[0])
	binary.BigEndian.PutUint32(log[28:], s[1])
	for n := uint32(1); len(content) >= page; content, n = content[page:], n+1 {
		var h [pages.FrameHeader]byte
		binary.BigEndian.PutUint32(h[:], n)
		if n%3 == 0 {
			binary.BigEndian.PutUint32(h[4:], n)
		}
		copy(h[8:], log[16:24])
		s = s.Next(binary.LittleEndian, h[:8]).Next(binary.LittleEndian, content[:page])
		binary.BigEndian.PutUint32(h[16:], s[0])
		binary.BigEndian.PutUint32(h[20:], s[1])
		log = append(append(log, h[:]...), content[:page]...)
	}
	if len(log) == pages.LogHeader {
		return nil
	}
	return log
}
