package milvus

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// A batch goes to the server in pieces of at most so many entities and about so many bytes.
const pieceEntities, pieceBytes = 500, 4 << 20

// maxEntity is how large a document may be with its vectors and words, so that it fits into
// a message.
const maxEntity = maxMessage / 2

// row is a document as it is stored.
type row struct {
	*engine.Document
	key, version             string
	units                    [][]float32 // the vector of the whole, then those of passages that are kept
	pieces                   []uint16
	bounds                   []byte
	packed, passages, spoken string // vectors and texts of passages, pieces
}

// bytes is about how large it is in a message, with its passages.
func (r *row) bytes() int {
	return len(r.ID) + len(r.Title) + len(r.Text) + len(r.Metadata) + len(r.packed) + len(r.passages) + len(r.spoken) + 10*len(r.pieces) +
		len(r.units)*(4*len(r.units[0])+len(r.bounds)+200)
}

// rowsOf checks documents, scales their vectors and spells their words.
func rowsOf(ctx context.Context, docs []engine.Document, dim int) ([]row, error) {
	if err := engine.Check(docs, dim, nil); err != nil { // before anything long is read
		return nil, err
	}
	spelled, err := pooling.Spell(ctx, docs)
	if err != nil {
		return nil, err
	}
	version, rows := newVersion(), make([]row, len(docs))
	return rows, engine.Check(docs, dim, func(i int) (problem string) {
		values, err := engine.Values(docs[i].Metadata)
		if err != nil {
			return err.Error()
		}
		r := &rows[i]
		*r = row{Document: &docs[i], key: hashed(docs[i].ID), version: version, pieces: spelled[i], spoken: pooling.SpellTokens(spelled[i])}
		if r.units, problem = pooling.Units(&docs[i], dim); problem != "" {
			return problem
		}
		r.packed = packedRows(r.units[1:])
		if r.bounds, err = boundsOf(values); err == nil && len(docs[i].Passages) > 0 {
			var noted []byte
			noted, err = json.Marshal(engine.Note(docs[i].Passages))
			r.passages = string(noted)
		}
		if err != nil {
			return err.Error()
		}
		if n := r.bytes(); n > maxEntity {
			return fmt.Sprintf("with its vectors and words it has %d bytes, at most %d are possible in Milvus: divide it", n, maxEntity)
		}
		return ""
	})
}

// Upsert stores documents, in place of those that have their ids. Each of them is stored
// whole or not at all, but where it fails some of the batch may be stored and some not, as
// the package says; to do it again does no harm. A document that is replaced keeps its Ref.
func (s *Store) Upsert(ctx context.Context, docs []engine.Document) error {
	const doing = "storing documents"
	rows, err := rowsOf(ctx, docs, s.dim)
	if err != nil {
		return s.calls.Explain(doing, err)
	}
	return s.calls.Write(ctx, doing, func(ctx context.Context) error {
		for _, piece := range pieces(rows, (*row).bytes) {
			if err := s.put(ctx, piece); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// pieces cuts a batch into what fits into a message each.
func pieces[T any](items []T, bytes func(*T) int) (out [][]T) {
	first, sum := 0, 0
	for i := range items {
		n := bytes(&items[i])
		if i > first && (i-first == pieceEntities || sum+n > pieceBytes) {
			out = append(out, items[first:i])
			first, sum = i, 0
		}
		sum += n
	}
	if first < len(items) {
		out = append(out, items[first:])
	}
	return out
}

// put stores documents: their passages, then themselves, and then the passages that they had
// before are removed. Whoever reads meanwhile finds the whole of one version.
func (s *Store) put(ctx context.Context, rows []row) error {
	keys := make([]string, len(rows))
	for i := range rows {
		keys[i] = rows[i].key
	}
	before, err := s.versions(ctx, keys)
	if err != nil {
		return err
	}
	if err := s.putPassages(ctx, rows); err != nil {
		return err
	}
	column := func(field string, part func(*row) string) *wire.FieldData {
		return texts(field, partsOf(rows, part))
	}
	long := func(field string, part func(*row) string) *wire.FieldData {
		return lists(field, partsOf(rows, func(r *row) []string { return divided(part(r)) }))
	}
	err = s.table.upsert(ctx, len(rows),
		column(keyField, func(r *row) string { return r.key }), column(idField, func(r *row) string { return r.ID }),
		column(versionField, func(r *row) string { return r.version }),
		long(titleField, func(r *row) string { return r.Title }), long(textField, func(r *row) string { return r.Text }),
		long(metadataField, func(r *row) string { return string(r.Metadata) }), long(passagesField, func(r *row) string { return r.passages }),
		long(vectorsField, func(r *row) string { return r.packed }), long(piecesField, func(r *row) string { return r.spoken }),
		objects(boundsField, partsOf(rows, func(r *row) []byte { return r.bounds })),
		vectors(vectorField, s.dim, partsOf(rows, func(r *row) []float32 { return r.units[0] })),
		sparse(wordsField, partsOf(rows, func(r *row) []uint16 { return r.pieces })),
	)
	if err != nil {
		return err
	}
	return s.removePassages(ctx, before)
}

func partsOf[T any](rows []row, part func(*row) T) []T {
	out := make([]T, len(rows))
	for i := range rows {
		out[i] = part(&rows[i])
	}
	return out
}

// putPassages stores those that are found on their own.
func (s *Store) putPassages(ctx context.Context, rows []row) error {
	type passage struct {
		*row
		number int
	}
	var all []passage
	for i := range rows {
		for j := range rows[i].units[1:] {
			all = append(all, passage{&rows[i], j})
		}
	}
	for _, some := range pieces(all, func(p *passage) int { return 4*s.dim + len(p.bounds) + 200 }) {
		var keys, documents, versions []string
		var bounds [][]byte
		var units [][]float32
		for _, p := range some {
			keys, documents, versions = append(keys, fmt.Sprintf("%s%s%04x", p.key, p.version, p.number)), append(documents, p.key), append(versions, p.version)
			bounds, units = append(bounds, p.bounds), append(units, p.units[1+p.number])
		}
		err := s.passages.upsert(ctx, len(some), texts(keyField, keys), texts(idField, documents), texts(versionField, versions),
			objects(boundsField, bounds), vectors(vectorField, s.dim, units))
		if err != nil {
			return err
		}
	}
	return nil
}

// versions are those of the documents that are there, by their keys.
func (s *Store) versions(ctx context.Context, keys []string) (map[string]string, error) {
	out := map[string]string{}
	for some := range slices.Chunk(keys, maxPage) {
		err := s.table.ofKeys(ctx, some, []string{keyField, versionField}, func(r *rows) error {
			for i, k := range r.keys {
				out[k] = r.text(i, versionField)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// removePassages removes those of documents in some versions.
func (s *Store) removePassages(ctx context.Context, versions map[string]string) error {
	of := map[string][]string{}
	for key, version := range versions {
		of[version] = append(of[version], quote(key))
	}
	for version, keys := range of {
		expr := versionField + " == " + quote(version) + " and " + idField + " in [" + strings.Join(keys, ",") + "]"
		if err := s.passages.remove(ctx, expr); err != nil {
			return err
		}
	}
	return nil
}

// Delete removes the documents that have the given ids and tells how many there were. Where
// it fails, some of them may be gone; to do it again does no harm.
func (s *Store) Delete(ctx context.Context, ids []string) (deleted int, err error) {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = s.keyOf(id)
	}
	slices.Sort(keys)
	err = s.calls.Write(ctx, "deleting documents", func(ctx context.Context) error {
		for some := range slices.Chunk(slices.Compact(keys), maxPage) {
			there, err := s.versions(ctx, some)
			if err != nil {
				return err
			}
			if len(there) > 0 {
				if err := s.table.remove(ctx, s.table.anyOf(some)); err != nil {
					return err
				}
			}
			if err := s.removePassages(ctx, there); err != nil {
				return err
			}
			deleted += len(there)
		}
		return ctx.Err()
	})
	if err != nil {
		return 0, fmt.Errorf("%w; %d of them are gone, and to delete them again does no harm", err, deleted)
	}
	return deleted, nil
}

// upsert stores n entities.
func (t *table) upsert(ctx context.Context, n int, fields ...*wire.FieldData) error {
	return t.ask(ctx, "Upsert", &wire.UpsertRequest{DbName: t.database, CollectionName: t.name, FieldsData: fields, NumRows: uint32(n)}, new(wire.MutationResult))
}

// remove removes the entities that pass an expression.
func (t *table) remove(ctx context.Context, expr string) error {
	return t.ask(ctx, "Delete", &wire.DeleteRequest{DbName: t.database, CollectionName: t.name, Expr: expr}, new(wire.MutationResult))
}
