package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/disk"
	"github.com/nsfl-go/nsfl/index/internal/pages"
)

// Root pages of the ledger's tables: the schema creates them in this order, and none is
// ever dropped.
const (
	rootSettings   = 3
	rootState      = 4
	rootDocuments  = 5
	rootTombstones = 8
	rootNotes      = 9
)

// salvage reads a damaged collection without trusting any part of it.
type salvage struct {
	place
	shape
	encoder string
	state   state // zero if it cannot be trusted
	epoch   int
	table   table
	slots   map[Ordinal]int // of records whose checksum matches
	files   [fileKinds]disk.File
	db      *pages.Database
	report  *Repaired
	open    []disk.File
}

func openSalvage(p place) (*salvage, error) {
	w := &salvage{place: p, report: &Repaired{}}
	err := w.openAll()
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *salvage) close() {
	for _, f := range w.open {
		_ = f.Close() // only read
	}
}

// addLost records damage that could not be recovered.
func (w *salvage) addLost(d Damage) { w.report.Lost = append(w.report.Lost, d) }

func (w *salvage) openAll() error {
	ledger, length, err := w.openFile(ledgerName)
	if errors.Is(err, fs.ErrNotExist) {
		return engine.ErrNotCollection
	}
	if err != nil {
		return err
	}
	log, logLength, err := w.openFile(ledgerName + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if w.db, err = pages.Open(ledger, length, log, logLength); err != nil {
		return err
	}
	committed, err := w.chooseEpoch()
	if err != nil {
		return err
	}
	if err := w.readTable(committed); err != nil {
		return err
	}
	return w.readSettings()
}

// openFile opens a file and returns its length.
func (w *salvage) openFile(name string) (disk.File, int64, error) {
	f, err := w.file(name, os.O_RDONLY)
	if err != nil {
		return nil, 0, err
	}
	w.open = append(w.open, f)
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// chooseEpoch picks the epoch of the state if its files exist, otherwise the newest
// files. It returns the number of committed slots, or -1 if unknown.
func (w *salvage) chooseEpoch() (committed int, err error) {
	epochs := map[int]bool{}
	entries, err := w.disk.ReadDir(w.dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "docs-%d.tab", &n); err == nil {
			epochs[n], w.epoch = true, max(w.epoch, n)
		}
	}
	if len(epochs) == 0 {
		return 0, errors.New("there is no table of documents, so no vectors can be recovered; index the documents again")
	}
	committed = -1
	w.db.Rows(rootState, func(r pages.Row) {
		if st, ok := readStateRow(r); ok && epochs[st.epoch] {
			w.state, w.epoch, committed = st, st.epoch, st.slots
		}
	})
	if committed < 0 {
		w.addLost(Damage{File: ledgerName, Problem: "the state is damaged; using the newest files"})
	}
	return committed, nil
}

// stateRead reports whether the ledger's state could be read.
func (w *salvage) stateRead() bool { return w.state.format != 0 }

// readStateRow decodes the state and checks its checksum.
func readStateRow(r pages.Row) (st state, ok bool) {
	n := make([]int64, 11)
	if len(r.Values) != len(n) {
		return st, false
	}
	for i, v := range r.Values {
		if n[i], ok = v.(int64); !ok && i > 0 { // the first column is the row number
			return st, false
		}
	}
	st = state{format: FormatVersion, generation: n[1], epoch: int(n[2]), slots: int(n[3]), rows: int(n[4]), idBytes: n[5], last: Ordinal(n[6]), wordPieces: n[7],
		totals: totals{uint64(n[8]), uint64(n[9])}}
	return st, n[10] == int64(st.checksum())
}

// readTable reads the records and opens the files they refer to.
func (w *salvage) readTable(committed int) error {
	var lengths [fileKinds]int64
	for k := range fileKinds {
		f, length, err := w.openFile(w.fileName(k, w.epoch))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		w.files[k], lengths[k] = f, length
	}
	n := lengths[fileDocs] / recordSize
	if committed >= 0 {
		n = min(n, int64(committed))
	}
	w.table.records = make([]byte, n*recordSize)
	w.table.ids = make([]byte, lengths[fileIDs])
	if err := readFully(w.files[fileDocs], w.table.records); err != nil {
		return err
	}
	if err := readFully(w.files[fileIDs], w.table.ids); err != nil {
		return err
	}
	w.table.endRow, w.table.endID, w.table.endPiece = maxRows, lengths[fileIDs], lengths[fileWords]/pieceSize
	w.slots = map[Ordinal]int{}
	for slot := range w.table.size() {
		if w.table.broken(slot) == "" {
			w.slots[w.table.ordinal(slot)] = slot
		}
	}
	return nil
}

func readFully(f disk.File, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	_, err := f.ReadAt(b, 0)
	return err
}

// readSettings reads the settings and determines the dimension for which the checksums of
// the vectors match.
func (w *salvage) readSettings() error {
	values := map[string]string{}
	w.db.Rows(rootSettings, func(r pages.Row) {
		if name, value, ok := readPair(r); ok {
			values[name] = value
		}
	})
	w.encoder = values["encoder"]
	if _, ok := values["encoder"]; !ok {
		w.addLost(Damage{File: ledgerName, Problem: "the encoder setting cannot be read; the new collection has none"})
	}
	stored, _ := strconv.Atoi(values["dimension"])
	w.dim = w.dimension(stored)
	if w.dim < 1 || w.dim > engine.MaxDimension {
		return errors.New("the dimension of the vectors cannot be determined from the settings or the files; index the documents again")
	}
	return nil
}

// dimension returns the stored dimension or, if more checksums match with it, the one
// implied by the lengths of the files.
func (w *salvage) dimension(stored int) int {
	best, most := stored, -1
	candidates := []int{stored}
	if f := w.files[fileVectors]; f != nil {
		if info, err := f.Stat(); err == nil {
			for _, slot := range w.slots {
				if end := int64(w.table.end(slot)); slot == w.table.size()-1 && end > 0 {
					candidates = append(candidates, int(info.Size()/4/end))
				}
			}
		}
	}
	for _, dim := range slices.Compact(candidates) {
		fit := 0
		w.dim = dim
		for slot := range min(w.table.size(), 64) {
			if _, ok := w.vectors(slot); ok {
				fit++
			}
		}
		if fit > most {
			best, most = dim, fit
		}
	}
	return best
}
