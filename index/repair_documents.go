package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/pages"
)

// saver writes the documents of a wreck to a collection, in batches.
type saver struct {
	*wreck
	c     *Collection
	texts func(d engine.Document, problem string) error

	batch   []engine.Document
	written map[string]Ordinal // by id, the ordinal of what is saved
	found   map[Ordinal]bool
	total   uint64 // of what is found, as the state has it
	err     error  // the first one
}

// documents saves those that the ledger's tree leads to. If these are not all that the
// state counts, it looks for those that are in the table and not deleted, wherever they
// may be.
func (s *saver) documents(ctx context.Context) error {
	s.written, s.found = map[string]Ordinal{}, map[Ordinal]bool{}
	s.db.Rows(rootDocuments, func(r pages.Row) { s.take(ctx, r) })
	if s.stateRead() && s.total == s.state.documents {
		return s.flush(ctx)
	}
	missing := s.missing()
	if len(missing) > 0 {
		s.db.Search(func(id int64) bool {
			_, wanted := missing[Ordinal(id)]
			return wanted && id == int64(Ordinal(id)) && !s.found[Ordinal(id)]
		}, func(r pages.Row) { s.take(ctx, r) })
	}
	var lost []string
	for slot := range s.table.size() {
		o := s.table.ordinal(slot)
		if at, ok := missing[o]; ok && at == slot && !s.found[o] && s.written[s.table.id(slot)] == 0 {
			lost = append(lost, s.table.id(slot))
		}
	}
	if lost != nil {
		s.lose(Damage{File: ledgerName, Problem: "documents are not as they were written", Documents: lost})
	}
	s.loseRecords()
	return s.flush(ctx)
}

// missing are the slots, by ordinal, whose documents were not found.
func (s *saver) missing() map[Ordinal]int {
	missing := map[Ordinal]int{}
	dead := s.tombstones()
	for o, slot := range s.slots {
		if !s.found[o] && !dead[o] {
			missing[o] = slot
		}
	}
	return missing
}

// loseRecords tells of records that are not as they were written, where no document that
// was found explains them. The ids around one tell its own.
func (s *saver) loseRecords() {
	n := s.table.size()
	for slot := 0; slot < n; slot++ {
		if s.table.broken(slot) == "" {
			continue
		}
		from := slot
		for slot+1 < n && s.table.broken(slot+1) != "" {
			slot++
		}
		d := Damage{File: s.fileName(fileDocs, s.epoch), Offset: int64(from) * recordSize,
			Length: int64(slot+1-from) * recordSize, Problem: "records are not as they were written, and the ledger may lack their documents"}
		if id := s.idBetween(from-1, slot+1); slot == from && id != "" {
			if s.written[id] > 0 {
				continue
			}
			d.Documents = []string{id}
		}
		s.lose(d)
	}
}

// idBetween is what lies between the ids of two slots.
func (s *saver) idBetween(before, after int) string {
	lo, hi := uint64(0), uint64(len(s.table.ids))
	if before >= 0 {
		r := s.table.at(before)
		lo = r.idOffset + uint64(r.idLength)
	}
	if after < s.table.size() {
		hi = s.table.at(after).idOffset
	}
	if lo >= hi || hi > uint64(len(s.table.ids)) {
		return ""
	}
	return string(s.table.ids[lo:hi])
}

// take saves a row, if it is a document and as it was written.
func (s *saver) take(ctx context.Context, r pages.Row) {
	o := Ordinal(r.ID)
	d, ok := readDocument(r)
	if !ok || s.err != nil || s.written[d.ID] >= o {
		return
	}
	if s.err = ctx.Err(); s.err != nil {
		return
	}
	s.found[o], s.written[d.ID] = true, o
	s.total += itemSum(uint64(o), uint64(r.Values[6].(int64)))
	if problem := s.addVectors(&d, o); problem != "" {
		s.report.Texts++
		s.written[d.ID] = math.MaxUint32 // it is not saved twice, should its ordinal be what is wrong
		s.err = s.texts(d, problem)
		return
	}
	const most = 512
	if s.batch = append(s.batch, d); len(s.batch) == most {
		s.err = s.flush(ctx)
	}
}

func (s *saver) flush(ctx context.Context) error {
	if s.err == nil {
		s.err = s.c.Upsert(ctx, s.batch)
	}
	s.report.Documents += len(s.batch)
	s.batch = nil
	return s.err
}

// readDocument reads a row of documents that has its checksum.
func readDocument(r pages.Row) (d engine.Document, ok bool) {
	if len(r.Values) != 7 || r.ID < 1 || r.ID != int64(Ordinal(r.ID)) {
		return d, false
	}
	id, isID := r.Values[1].(string)
	title, isTitle := r.Values[2].(string)
	text, isText := r.Values[3].(string)
	passages, metadata := nullString(r.Values[4]), nullString(r.Values[5])
	sum, isSum := r.Values[6].(int64)
	if !isID || !isTitle || !isText || !isSum || uint32(sum) != bodyChecksum(id, title, text, passages, metadata) {
		return d, false
	}
	d = engine.Document{ID: id, Title: title, Text: text}
	if metadata.Valid {
		d.Metadata = json.RawMessage(metadata.String)
	}
	var err error
	d.Passages, err = readPassages(passages)
	return d, err == nil
}

func nullString(v any) sql.NullString {
	s, ok := v.(string)
	return sql.NullString{String: s, Valid: ok}
}
