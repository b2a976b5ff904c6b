package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

type relation struct {
	oid     uint32
	name    string // with its schema, quoted
	kind    string // r, p: a table; m: a materialised view; v: a view; f: a foreign table
	rows    float64
	columns []column
}

type column struct {
	remote.Column
	number   int16
	modifier int    // of a vector: its dimension, or -1
	element  string // the type of the elements of a list
	typ      string // without its modifier; of a domain the base type
	exact    bool   // equal texts are the same bytes
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

var kinds = map[string]remote.Kind{
	"text": remote.Text, "varchar": remote.Text, "bpchar": remote.Text, "name": remote.Text, "citext": remote.Text,
	"int2": remote.Value, "int4": remote.Value, "int8": remote.Value, "float4": remote.Value, "float8": remote.Value, "numeric": remote.Value,
	"bool": remote.Value, "date": remote.Value, "time": remote.Value, "timestamp": remote.Value, "timestamptz": remote.Value, "uuid": remote.Value,
	"json": remote.Object, "jsonb": remote.Object,
	"vector": remote.Vector, "halfvec": remote.Vector, "sparsevec": remote.Vector,
}

// describe reads the description of a relation, [schema.]name, from the catalogue.
func describe(ctx context.Context, tx pgx.Tx, name string) (*relation, error) {
	r := &relation{}
	var parts []string
	err := tx.QueryRow(ctx, `SELECT parse_ident($1)`, name).Scan(&parts)
	if err != nil || len(parts) > 2 {
		return nil, engine.BadInput("the table's name", "%q is not like items or shop.items; a name with capitals or spaces is written in double quotes", name)
	}
	r.name = pgx.Identifier(parts).Sanitize()
	err = tx.QueryRow(ctx, `SELECT c.oid, quote_ident(n.nspname) || '.' || quote_ident(c.relname), c.relkind::text, c.reltuples
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)`, r.name).Scan(&r.oid, &r.name, &r.kind, &r.rows)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, engine.BadInput("table="+name, "there is no such table, or the user may not look into its schema")
	}
	if err != nil {
		return nil, err
	}
	const text = `SELECT a.attname, a.attnum, a.atttypmod, format_type(a.atttypid, a.atttypmod), b.typname, b.typtype = 'e',
			coalesce(e.typname, ''), coalesce(e.typtype = 'e', false), coalesce(l.collisdeterministic, true),
			EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY(i.indkey))
		FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
			JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
			LEFT JOIN pg_type e ON e.oid = b.typelem AND b.typcategory = 'A'
			LEFT JOIN pg_collation l ON l.oid = a.attcollation
		WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
		ORDER BY a.attnum`
	rows, err := tx.Query(ctx, text, r.oid)
	if err != nil {
		return nil, err
	}
	r.columns, err = pgx.CollectRows(rows, readColumn)
	if err == nil && len(r.columns) == 0 {
		err = fmt.Errorf("the user may read no column of %s: have an administrator run GRANT SELECT ON %s TO …", r.name, r.name)
	}
	return r, err
}

func readColumn(row pgx.CollectableRow) (c column, err error) {
	var label, labels bool // one of a list of words that the database has, and lists of such
	err = row.Scan(&c.Name, &c.number, &c.modifier, &c.Type, &c.typ, &label, &c.element, &labels, &c.exact, &c.Key)
	c.Kind = kinds[c.typ]
	switch {
	case label:
		c.Kind = remote.Text
	case labels, kinds[c.element] == remote.Text, kinds[c.element] == remote.Value:
		c.Kind = remote.Value
	}
	return c, err
}

func (r *relation) column(name string) *column {
	for i := range r.columns {
		if r.columns[i].Name == name {
			return &r.columns[i]
		}
	}
	return nil
}

func (r *relation) described() []remote.Column {
	out := make([]remote.Column, len(r.columns))
	for i, c := range r.columns {
		out[i] = c.Column
	}
	return out
}

// access is the index that leads to the vectors near another.
type access struct {
	method   string // hnsw or ivfflat; empty: a view's, which is not known
	class    string // of operators: cosine, ip or l2
	operator string // <=>, <#> or <->
	vectors  string // the expression that is indexed, of the row t
	typ      string // of the other operand
	lists    int    // of ivfflat
}

// operators lists the operator of each class, the best first: the cosine, the product, the
// distance.
var operators = []struct{ class, operator string }{{"cosine", "<=>"}, {"ip", "<#>"}, {"l2", "<->"}}

// halved is how an index has vectors that were cast.
var halved = regexp.MustCompile(`^\(*("?)(.+?)("?)\)*::(?:.+\.)?(vector|halfvec)\((\d+)\)\)*$`)

func (r *relation) accesses(ctx context.Context, tx pgx.Tx, c *column, dim int) (out []access, err error) {
	rows, err := tx.Query(ctx, `SELECT m.amname, o.opcname, i.indkey[0], pg_get_indexdef(i.indexrelid, 1, true), coalesce(array_to_string(x.reloptions, ','), ''), i.indpred IS NOT NULL
		FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam JOIN pg_opclass o ON o.oid = i.indclass[0]
		WHERE i.indrelid = $1 AND i.indisvalid AND m.amname IN ('hnsw', 'ivfflat') ORDER BY i.indpred IS NOT NULL, m.amname, i.indexrelid`, r.oid)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a access
		var class, indexed, options string
		var number int16
		var partial bool
		if err := rows.Scan(&a.method, &class, &number, &indexed, &options, &partial); err != nil {
			return nil, err
		}
		switch cast := halved.FindStringSubmatch(indexed); {
		case number == c.number:
			a.vectors, a.typ = "t."+quoted(c.Name), c.typ
		case number == 0 && cast != nil && strings.ReplaceAll(cast[2], `""`, `"`) == c.Name && cast[5] == strconv.Itoa(dim):
			a.typ = cast[4] + "(" + cast[5] + ")"
			a.vectors = "(t." + quoted(c.Name) + "::" + a.typ + ")"
		default:
			continue
		}
		if _, after, ok := strings.Cut(options, "lists="); ok {
			a.lists, _ = strconv.Atoi(strings.Split(after, ",")[0])
		}
		for _, o := range operators {
			if strings.Contains(class, "_"+o.class+"_") {
				a.class, a.operator = o.class, o.operator
				out = append(out, a)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b access) int { return cmp.Compare(a.class, b.class) }) // as in operators
	return out, rows.Err()
}

// propose is engine.ErrNotCollection, which says of a database without the collection which
// of its tables have vectors, and how to search each of them.
func propose(ctx context.Context, conn *pgx.Conn, server string) error {
	var lines []string
	err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT DISTINCT CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE quote_ident(n.nspname) || '.' END || quote_ident(c.relname)
			FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
			WHERE t.typname IN ('vector', 'halfvec', 'sparsevec') AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
				AND has_column_privilege(a.attrelid, a.attnum, 'SELECT') AND NOT EXISTS (SELECT FROM pg_class s WHERE s.relnamespace = n.oid AND s.relname = 'settings')
			ORDER BY 1 LIMIT 20`)
		if err != nil {
			return err
		}
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, name := range names {
			r, err := describe(ctx, tx, name)
			if err != nil {
				return err
			}
			at := server + "?table=" + remote.Escape(name)
			roles, err := remote.Roles{}.Fill(at, r.described())
			if err != nil { // it asks what opening the table will ask
				lines = append(lines, "    "+at)
				continue
			}
			lines = append(lines, fmt.Sprintf("    %s&%s", at, roles))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return engine.ErrNotCollection
	}
	return fmt.Errorf("%w; but these tables have vectors, and can be searched as they are:\n%s", engine.ErrNotCollection, strings.Join(lines, "\n"))
}

// key is the column that identifies the rows of a table.
type key struct {
	column string              // the expression of the row t that an index may have
	typ    string              // that texts become before they are compared with it
	is     func(s string) bool // whether a text is one of that type, as the server writes it
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func keyOf(c *column) key {
	name := "t." + quoted(c.Name)
	switch c.typ {
	case "int2", "int4", "int8":
		return key{name, "bigint", func(s string) bool {
			n, err := strconv.ParseInt(s, 10, 64)
			return err == nil && strconv.FormatInt(n, 10) == s
		}}
	case "uuid":
		return key{name, "uuid", uuid.MatchString}
	case "text", "varchar":
		return key{name, "text", storable}
	}
	return key{name + "::text", "text", storable}
}

// those are the ids of refs that can be one.
func (k key) those(refs []engine.Ref) []string {
	out := []string{}
	for _, r := range refs {
		if k.is(r.Key) {
			out = append(out, r.Key)
		}
	}
	return out
}
