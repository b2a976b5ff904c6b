package postgres

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

type arguments []any

// add adds a value and returns the parameter that stands for it.
func (a *arguments) add(value any) string {
	*a = append(*a, value)
	return fmt.Sprintf("$%d", len(*a))
}

// comparable is an *engine.InputError where a filter has what PostgreSQL cannot hold.
func comparable(filter query.Node) error {
	if filter == nil {
		return nil
	}
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok && !isMembers(p) && (!storable(p.Field) || !storable(p.Value)) {
			return engine.BadInput("filter", "%s is not valid UTF-8 or has a zero byte, which PostgreSQL cannot compare", p)
		}
	}
	return nil
}

func isMembers(p *query.Predicate) bool { _, ok := remote.Members(p); return ok }

// condition is a filter in SQL, on the document that an expression gives the ref
// of. The tree's shape becomes text; all that it says becomes arguments.
func condition(filter query.Node, ref string, args *arguments) string {
	switch n := filter.(type) {
	case *query.Predicate:
		if ids, ok := remote.Members(n); ok {
			return fmt.Sprintf("%s IN (SELECT ref FROM {c}.documents WHERE id = ANY(%s::text[]))", ref, args.add(ids))
		}
		if n.OnText() { // candidates, for Resolved
			return "true"
		}
		return "EXISTS (SELECT " + entryCondition(n, args) + " AND e.ref = " + ref + ")"
	case *query.Not:
		return "NOT " + condition(n.X, ref, args)
	case *query.And:
		return join(n.Parts, " AND ", ref, args)
	case *query.Or:
		return join(n.Parts, " OR ", ref, args)
	}
	return "true"
}

// set is a filter as a query for the refs of what passes, some of them twice,
// which gives the first without having found the others.
func set(filter query.Node, args *arguments) string {
	switch n := filter.(type) {
	case *query.Predicate:
		if !n.OnText() {
			return "SELECT e.ref " + entryCondition(n, args)
		}
	case *query.Or:
		texts := make([]string, len(n.Parts))
		for i, p := range n.Parts {
			texts[i] = set(p, args)
		}
		return "(" + strings.Join(texts, ") UNION ALL (") + ")"
	}
	return "SELECT d.ref FROM {c}.documents d WHERE " + condition(filter, "d.ref", args)
}

func join(parts []query.Node, operator, ref string, args *arguments) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = condition(p, ref, args)
	}
	return "(" + strings.Join(texts, operator) + ")"
}

// entryCondition returns the FROM and WHERE of the entries of a predicate. It follows
// predicate.Passes: a number in the metadata and a number in the predicate compare as
// numbers, everything else as strings, byte by byte. One entry is enough, and a document
// without the field satisfies nothing.
func entryCondition(p *query.Predicate, args *arguments) string {
	operator, text := p.Op.String(), beginning("e.text", p.Value)
	if p.Op == query.Glob {
		text = "e.text"
	}
	compare := fmt.Sprintf("%s %s %s::text", text, operator, args.add(p.ForSQL().Value))
	if x, ok := predicate.ParseNumber(p.Value); ok && p.Op != query.Glob {
		compare = fmt.Sprintf("(e.number %s %s::float8 OR e.number IS NULL AND %s)", operator, args.add(x), compare)
	}
	return fmt.Sprintf("FROM {c}.entries e WHERE %s = %s::text AND %s", beginning("e.field", p.Field), args.add(p.Field), compare)
}

// beginning is what of a column is compared with a value: its first 64
// characters, which are in an index, wherever that gives the same answer. It does
// where the value is shorter, since then the two differ within them or not at all.
func beginning(column, value string) string {
	const indexed = 64
	if utf8.RuneCountInString(value) < indexed {
		return fmt.Sprintf("left(%s, %d)", column, indexed)
	}
	return column
}

// format is the version of the tables that this version creates and reads.
const format = 4

// tables creates the tables of a collection. {c} is the schema and {d} the dimension.
//
// Names and values of entries compare byte by byte, whatever the collation of the database
// is. The keys of a B-tree are limited in size: the indexes contain only the beginnings, see
// beginning in filter.go.
const tables = `
CREATE SCHEMA IF NOT EXISTS {c};
CREATE TABLE {c}.settings (
	one       boolean PRIMARY KEY DEFAULT true CHECK (one),
	version   integer NOT NULL,
	dimension integer NOT NULL,
	encoder   text NOT NULL,
	documents bigint NOT NULL DEFAULT 0,
	vectors   bigint NOT NULL DEFAULT 0
);
CREATE SEQUENCE {c}.refs;
CREATE TABLE {c}.documents (
	ref      bigint PRIMARY KEY,
	id       text COLLATE "C" NOT NULL UNIQUE,
	title    text NOT NULL,
	text     text NOT NULL,
	metadata json,
	vectors  integer NOT NULL, -- of the document and of its passages
	vector   vector({d}) NOT NULL
);
CREATE TABLE {c}.passages (
	ref      bigint NOT NULL REFERENCES {c}.documents ON DELETE CASCADE,
	at       integer NOT NULL,
	text     text NOT NULL,
	vector   vector({d}), -- none where the document has no other passage
	place    json,        -- where it begins, as far as that is known
	PRIMARY KEY (ref, at)
);
CREATE TABLE {c}.entries (
	ref      bigint NOT NULL REFERENCES {c}.documents ON DELETE CASCADE,
	field    text COLLATE "C" NOT NULL,
	number   double precision, -- where the text reads as one
	text     text COLLATE "C" NOT NULL
);
CREATE INDEX ON {c}.entries (ref);
CREATE INDEX ON {c}.entries (left(field, 64), number);
CREATE INDEX ON {c}.entries (left(field, 64), left(text, 64));
CREATE TABLE {c}.notes (
	name     bytea NOT NULL, -- UTF-8, which may be longer than a key of an index
	value    bytea NOT NULL
);
CREATE UNIQUE INDEX ON {c}.notes (sha256(name));
CREATE TABLE {c}.words ( -- beside the documents, since a row that changes is indexed anew, vector and all
	ref      bigint PRIMARY KEY REFERENCES {c}.documents ON DELETE CASCADE,
	pieces   bytea NOT NULL,     -- as remote.PackPieces has them
	has      smallint[] NOT NULL -- each of them once
);
CREATE INDEX ON {c}.words USING gin (has) WITH (fastupdate = off); -- entries that wait to be indexed would be read whole
`

// Limits of pgvector's HNSW indexes. Above the first, they hold components of 16
// bits; above the second there is none, and all documents are compared.
const (
	maxIndexed     = 2000
	maxIndexedHalf = 4000
)

// indexed is what of a vector is indexed, as an expression over it.
func indexed(operand string, dim int) string {
	if dim > maxIndexed {
		return fmt.Sprintf("(%s::halfvec(%d))", operand, dim)
	}
	return operand
}

// hnsw returns the statement that creates the index of a table's vectors. Their length is 1:
// the inner product is the cosine.
func hnsw(table string, dim int) string {
	ops := "vector_ip_ops"
	if dim > maxIndexed {
		ops = "halfvec_ip_ops"
	}
	return fmt.Sprintf("CREATE INDEX IF NOT EXISTS %s ON {c}.%s USING hnsw (%s %s) WITH (m = 16, ef_construction = 64)",
		hnswName(table), table, indexed("vector", dim), ops)
}

func hnswName(table string) string { return table + "_hnsw" }

// statement fills in the names that cannot be parameters.
func statement(text, collection string, dim int) string {
	text = strings.ReplaceAll(text, "{d}", fmt.Sprint(dim))
	return strings.ReplaceAll(text, "{c}", pgx.Identifier{collection}.Sanitize())
}
