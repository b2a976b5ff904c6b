package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// TestLayout: the statement that is written by a table's layout gives what the table itself
// ranks first, whatever its columns are.
func TestLayout(t *testing.T) {
	ctx, dsn := context.Background(), sharedDSN(t)
	f, err := query.ParseFormula("A AND NOT B n:>=10 NOT even:true")
	if err != nil {
		t.Fatal(err)
	}
	program, err := logic.Compile(f, logic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	score, err := pushdown.New(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []shelf{
		{id: "bigint", vector: fmt.Sprintf("vector(%d)", dim)},
		{id: "text", vector: fmt.Sprintf("halfvec(%d)", dim)},
		{id: "integer", vector: fmt.Sprintf("sparsevec(%d)", dim)},
		{id: "bigint", vector: "vector", json: true},
	} {
		r := rand.New(rand.NewPCG(5, 6))
		docs := scatter(r, 200)
		for i := range docs {
			docs[i].Metadata = fmt.Appendf(nil, `{"n": %d, "even": %t}`, i, i%2 == 0)
		}
		table := attachedTo(t, s.fill(t, dsn, schema(collection(t, dsn)), docs)+"&only=n:<150")
		q := &pushdown.Query{Score: score, K: 15, Inline: true}
		for range f.Terms.Len() {
			q.Vectors = append(q.Vectors, scattered(r))
		}
		var o pushdown.SQLOptions
		var only query.Node
		q.Names, o, only = table.Layout()
		q.Filter = query.AllOf(only, f.Filter)
		want, _, _, err := table.Rank(ctx, score, q.Vectors, f.Filter, q.K)
		if err != nil {
			t.Fatal(err)
		}
		for _, near := range [][][]float32{nil, q.Vectors[:1]} {
			q.Near, q.Candidates = near, 1000
			out, err := pushdown.SQL(q, o)
			if err != nil {
				t.Fatal(err)
			}
			conn, err := pgx.Connect(ctx, dsn)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := conn.Query(ctx, "SELECT id::text FROM ("+out.Statement+") s ORDER BY score DESC, id")
			if err != nil {
				t.Fatalf("%v\n%s", err, out.Text)
			}
			got, err := pgx.CollectRows(rows, pgx.RowTo[string])
			_ = conn.Close(ctx) // all is read
			if err != nil {
				t.Fatalf("%v\n%s", err, out.Text)
			}
			if len(got) != len(want) {
				t.Fatalf("%s: %d rows, want %d\n%s", s.vector, len(got), len(want), out.Text)
			}
			for i, id := range got {
				if n, err := strconv.Atoi(id); err != nil || n%2 == 0 || n < 10 || n >= 150 || id != want[i].Key {
					t.Errorf("%s: row %d is %s, want %s", s.vector, i, id, want[i].Key)
				}
			}
		}
	}
}
