package index

import (
	"fmt"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/pages"
	"github.com/nsfl-go/nsfl/internal/storekit"
)

// vectors returns the vectors of a slot if their checksum matches.
func (w *salvage) vectors(slot int) ([]float32, bool) {
	if w.files[fileVectors] == nil || w.dim < 1 || w.table.broken(slot) != "" {
		return nil, false
	}
	s := w.table.spans(w.shape, slot)[fileVectors]
	v := make([]float32, s.length/4)
	b := cast[byte](v)
	if _, err := w.files[fileVectors].ReadAt(b, s.offset); err != nil {
		return nil, false
	}
	return v, checksum(b) == w.table.at(slot).sums[fileVectors]
}

// addVectors adds the vectors to a document, or describes why it cannot.
func (w *salvage) addVectors(d *engine.Document, o Ordinal) (problem string) {
	slot, ok := w.slots[o]
	if !ok || checksum([]byte(d.ID)) != w.table.at(slot).sums[fileIDs] {
		return "the document's record is damaged"
	}
	v, ok := w.vectors(slot)
	if !ok {
		return "the document's vectors are damaged"
	}
	if len(v) != d.Rows()*w.dim {
		return fmt.Sprintf("the document has %d vectors and should have %d", len(v)/w.dim, d.Rows())
	}
	d.Vector = v[:w.dim]
	for i := range d.Passages {
		if i+1 < d.Rows() {
			d.Passages[i].Vector = v[(i+1)*w.dim : (i+2)*w.dim]
		}
	}
	return ""
}

// tombstones returns the ordinals of deleted documents.
func (w *salvage) tombstones() map[Ordinal]bool {
	dead, total := map[Ordinal]bool{}, uint64(0)
	unread := w.db.Rows(rootTombstones, func(r pages.Row) {
		if len(r.Values) != 2 {
			return
		}
		generation, ok1 := r.Values[0].(int64)
		o, ok2 := r.Values[1].(int64)
		if ok1 && ok2 {
			dead[Ordinal(o)] = true
			total += itemSum(uint64(generation), uint64(o))
		}
	})
	if unread > 0 || w.stateRead() && total != w.state.tombstones {
		w.addLost(Damage{File: ledgerName, Problem: "some tombstones are lost: deleted documents may reappear"})
	}
	return dead
}

func (w *salvage) notes() map[string]string {
	notes := map[string]string{}
	unread := w.db.Rows(rootNotes, func(r pages.Row) {
		name, value, ok := readPair(r)
		if !ok || storekit.CheckNotes(map[string]string{name: value}) != nil {
			w.addLost(damagedNote(name))
			return
		}
		notes[name] = value
	})
	if unread > 0 {
		w.addLost(Damage{File: ledgerName, Problem: "some notes cannot be read"})
	}
	return notes
}

// readPair decodes a setting or a note if its checksum matches.
func readPair(r pages.Row) (name, value string, ok bool) {
	if len(r.Values) != 3 {
		return "", "", false
	}
	name, isText := r.Values[0].(string)
	switch v := r.Values[1].(type) {
	case string:
		value = v
	case int64:
		value = strconv.FormatInt(v, 10)
	default:
		return name, "", false
	}
	sum, isSum := r.Values[2].(int64)
	return name, value, isText && isSum && sum == int64(textSum(name, value))
}
