package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index/internal/pages"
)

// saver writes the documents of a damaged collection to a new one, in batches.
type saver struct {
	*salvage
	c     *Collection
	texts func(d engine.Document, problem string) error

	batch   []engine.Document
	written map[string]Ordinal // ordinals of the saved documents by id
	found   map[Ordinal]bool
	total   uint64 // checksum total of the documents found, comparable to the state's
	err     error  // the first error
}

// documents saves the documents reachable from the root of the ledger's tree. If their
// total does not match the state, it searches all pages for documents that are in the
// table and not deleted.
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
		s.addLost(Damage{File: ledgerName, Problem: "documents are damaged", Documents: lost})
	}
	s.loseRecords()
	return s.flush(ctx)
}

// missing returns the slots, by ordinal, whose documents were not found.
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

// loseRecords reports damaged records that no recovered document accounts for. The ids of
// the neighbouring records reveal the id of a damaged one.
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
			Length: int64(slot+1-from) * recordSize, Problem: "records are damaged, and their documents may be missing from the ledger"}
		if id := s.idBetween(from-1, slot+1); slot == from && id != "" {
			if s.written[id] > 0 {
				continue
			}
			d.Documents = []string{id}
		}
		s.addLost(d)
	}
}

// idBetween returns the bytes between the ids of two slots.
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

// take saves a row if it is an undamaged document.
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
		s.written[d.ID] = math.MaxUint32 // do not save it twice if its ordinal is what is damaged
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

// readDocument decodes a row of the documents table if its checksum matches.
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
