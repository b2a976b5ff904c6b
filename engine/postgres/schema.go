package postgres

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

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

// hnsw makes the index of a table's vectors, whose length is 1, so that the inner
// product is the cosine.
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
