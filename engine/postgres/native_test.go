package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// A predicate on a column of any type passes the rows that it passes by their metadata, and
// finds the index of the column.
func TestNativePredicates(t *testing.T) {
	dsn := sharedDSN(t)
	name := schema(collection(t, dsn))
	run(t, dsn, "CREATE SCHEMA "+name)
	run(t, dsn, `CREATE EXTENSION IF NOT EXISTS vector`)
	table := name + ".things"
	run(t, dsn, "CREATE TABLE "+table+` (id integer PRIMARY KEY, body text, embedding vector(2), i integer, price numeric, small real, big float8,
		yes boolean, key uuid, day date, at timestamp, zoned timestamptz)`)
	run(t, dsn, "INSERT INTO "+table+` SELECT n, 'thing ' || n, ARRAY[1, n]::real[]::vector, n - 50, (n - 50) * 0.1, (n - 50) * 0.1, (n - 50) * 0.1,
		n % 2 = 0, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
		DATE '2020-01-01' + n, TIMESTAMP '2020-02-01 12:00' + n * INTERVAL '90 minutes', TIMESTAMPTZ '2020-02-01 12:00:00.5Z' + n * INTERVAL '7 seconds'
		FROM generate_series(1, 400) n`)
	run(t, dsn, "INSERT INTO "+table+` VALUES (0, 'odd', '[1,0]', NULL, 0.10000000000000000001, 1e-45, 1e300, NULL, NULL, '0044-03-15 BC', 'infinity', '-infinity'),
		(-1, 'odd', '[1,0]', 2147483647, 123456789012345678901234567890, 3e38, -0.0, NULL, NULL, '10000-01-01', '12345-06-07 08:09', '0044-03-15 BC'),
		(-2, 'odd', '[1,0]', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`)
	values := map[string][]string{
		"i": {"3", "3.5", "-49.5", "1e300", "x"}, "price": {"0.1", "0.3", "12.05", "1e-9", "1e25", "x"}, "small": {"0.1", "0.3", "12.05", "1e-45", "1e39", "x"},
		"big": {"0.1", "0.30000000000000004", "12.05", "0", "x"}, "yes": {"true", "false", "1", "m"},
		"key":   {"00000000-0000-4000-8000-000000000100", "00000000-0000-4000-8000", "00000000-0000-4000-8000-00000000010A", "x"},
		"day":   {"2020", "2020-03", "2020-03-04", "2020-03-04T05", "0044", "9999", "1", "x", "2020-13"},
		"at":    {"2020", "2020-03", "2020-03-04", "2020-02-01T15:00:00", "2020-02-01T15", "2020-02-01T15:00:00.5", "0001", "9999-12-31T23:59:59", "infinity"},
		"zoned": {"2020", "2020-02-01", "2020-02-01T12:00:14", "2020-02-01T12:00:14.5+00:00", "2020-02-01T12:01", "2020-02-01T12:00:14.5+02:00", "0044"},
	}
	for field := range values {
		run(t, dsn, fmt.Sprintf("CREATE INDEX ON %s (%s)", table, field))
	}
	run(t, dsn, "ANALYZE "+table)
	ctx := context.Background()
	s := attachedTo(t, dsn+"&table="+table+"&text=body")
	var all []engine.Document
	for d, err := range engine.All(ctx, s, engine.Page{Limit: 1000, Parts: engine.Metadata}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "SET enable_seqscan = off; SET timezone = 'UTC'"); err != nil {
		t.Fatal(err)
	}
	for field, list := range values {
		for _, value := range list {
			for op := query.Equal; op <= query.GreaterEqual; op++ {
				p := &query.Predicate{Field: field, Op: op, Value: value}
				for _, filter := range []query.Node{p, &query.Not{X: p}} {
					var got, want []string
					hits, err := tableDriver{s}.Versions(ctx, remote.Where{Native: filter}, 1<<20)
					if err != nil {
						t.Fatalf("%s: %v", filter, err)
					}
					for _, h := range hits {
						got = append(got, h.Ref.Key)
					}
					for _, d := range all {
						values, err := predicate.Values(d.Metadata)
						if err != nil {
							t.Fatal(err)
						}
						if predicate.Passes(filter, values) {
							want = append(want, d.ID)
						}
					}
					slices.Sort(got)
					slices.Sort(want)
					if !slices.Equal(got, want) {
						t.Errorf("%s: got %d rows, want %d; the first %.60q, want %.60q", filter, len(got), len(want), got, want)
					}
				}
			}
		}
	}
	for field, value := range map[string]string{
		"i": "3", "price": "0.3", "small": "0.3", "big": "0.1", "key": "00000000-0000-4000-8000-000000000100",
		"day": "2020-03-04", "at": "2020-02-01T15", "zoned": "2020-02-01T12:00:14",
	} {
		var args arguments
		rows, err := conn.Query(ctx, fmt.Sprintf("EXPLAIN SELECT FROM %s t WHERE %s", table, s.fields.where(&query.Predicate{Field: field, Value: value}, &args)), args...)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s:%s: %v", field, value, err)
		}
		if text := strings.Join(plan, "\n"); !strings.Contains(text, "Index Cond") {
			t.Errorf("%s:%s: got this plan, want one by the index:\n%s", field, value, text)
		}
	}
}
