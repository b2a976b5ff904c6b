package pushdown_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

const dimension = 8

// connect is a session on the server that NSFL_TEST_PGVECTOR names, or on one of the test's
// own.
func connect(t testing.TB) *pgx.Conn {
	t.Helper()
	dsn := os.Getenv("NSFL_TEST_PGVECTOR")
	if dsn == "" {
		dsn = postgrestest.New(t).DSN()
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(ctx) })
	if _, err := conn.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector"); err != nil {
		t.Fatal(err)
	}
	return conn
}

func randomVector(r *rand.Rand) []float32 {
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(r.NormFloat64() + 0.5)
	}
	return v
}

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

// bed is a table to query, and its rows.
type bed struct {
	conn *pgx.Conn
	rows map[int64][]float32
	year map[int64]float64 // NaN: none
}

// newBed makes a temporary table of odd names: some rows have no vector, one a vector of
// length 0.
func newBed(t testing.TB, kind string) *bed {
	t.Helper()
	ctx := context.Background()
	b := &bed{connect(t), map[int64][]float32{}, map[int64]float64{}}
	if _, err := b.conn.Exec(ctx, fmt.Sprintf(`CREATE TEMP TABLE "it""ems" ("i d" bigint, "ve'c" %s(%d), year int, kind text, data jsonb)`, kind, dimension)); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	insert := func(id int64, vector, year any, label string, data map[string]any) {
		text, err := json.Marshal(data)
		if err == nil {
			_, err = b.conn.Exec(ctx, `INSERT INTO "it""ems" VALUES ($1, $2::vector::`+kind+`, $3, $4, $5)`, id, vector, year, label, string(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for id := range int64(60) {
		v := randomVector(r)
		b.rows[id], b.year[id] = v, float64(1990+id)
		var year any = 1990 + id
		data := map[string]any{"year": 1990 + id, "tags": []string{"even", "all"}[id%2:], "in": map[string]any{"deep": fmt.Sprint("x", id)}}
		if id%7 == 0 {
			b.year[id], year = math.NaN(), nil
			delete(data, "year")
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		insert(id, string(text), year, []string{"a", "B", "ü"}[id%3], data)
	}
	insert(100, nil, 2000, "a", nil)
	insert(101, fmt.Sprint("[0", strings.Repeat(",0", dimension-1), "]"), 2000, "a", nil)
	return b
}

var oddNames = pushdown.Names{Table: `it"ems`, ID: "i d", Vector: "ve'c"}

// ask runs a statement with its parameters, or the script.
func (b *bed) ask(t testing.TB, out *pushdown.Output, inline bool) map[int64]float64 {
	t.Helper()
	ctx := context.Background()
	var args []any
	for _, p := range out.Parameters {
		switch v := p.Value.(type) {
		case []float32:
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, string(text))
		default:
			args = append(args, v)
		}
	}
	if inline {
		args = nil
	}
	rows, err := b.conn.Query(ctx, out.Statement, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Text)
	}
	scores := map[int64]float64{}
	last := math.Inf(1)
	for rows.Next() {
		var id int64
		var score float64
		if err := rows.Scan(&id, &score); err != nil {
			t.Fatal(err)
		}
		if scores[id] = score; score > last {
			t.Fatalf("not in the order of scores\n%s", out.Text)
		}
		last = score
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v\n%s", err, out.Text)
	}
	return scores
}

// want are the scores by Eval, of the rows that pass and are among the nearest.
func (b *bed) want(q *pushdown.Query) map[int64]float64 {
	var ids []int64
	for id := range b.rows {
		if q.Filter == nil || query.Holds(q.Filter, func(n query.Node) bool { return b.year[id] >= 2015 }) {
			ids = append(ids, id)
		}
	}
	if len(q.Near) > 0 {
		pool := map[int64]bool{}
		for _, near := range q.Near {
			slices.SortFunc(ids, func(x, y int64) int { return cmp.Compare(cosine(b.rows[y], near), cosine(b.rows[x], near)) })
			for _, id := range ids[:min(q.Candidates, len(ids))] {
				pool[id] = true
			}
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool { return !pool[id] })
	}
	documents := make([][]float64, len(ids))
	for i, id := range ids {
		for _, v := range q.Vectors {
			documents[i] = append(documents[i], cosine(b.rows[id], v))
		}
	}
	maxima, out := q.Score.Maxima(documents), map[int64]float64{}
	for i, id := range ids {
		out[id] = q.Score.Eval(documents[i], maxima)
	}
	return out
}

// newQuery asks for a program with random vectors.
func newQuery(t testing.TB, r *rand.Rand, p *logic.Program) *pushdown.Query {
	q := &pushdown.Query{Score: scored(t, p), K: 1000, Candidates: 1000, Filter: p.Formula().Filter, Names: oddNames}
	for range p.Formula().Terms.Len() {
		q.Vectors = append(q.Vectors, randomVector(r))
	}
	return q
}

func (b *bed) agrees(t *testing.T, q *pushdown.Query, o pushdown.SQLOptions) {
	t.Helper()
	out, err := pushdown.SQL(q, o)
	if err != nil {
		t.Fatal(err)
	}
	got, want := b.ask(t, out, q.Inline), b.want(q)
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d\n%s", len(got), len(want), out.Text)
	}
	tolerance := 1e-5
	for id, score := range want {
		if !(math.Abs(got[id]-score) < tolerance) {
			t.Fatalf("row %d scores %v, want %v: %s\n%s", id, got[id], score, q.Score.Formula.Root, out.Text)
		}
	}
}

// TestSQL: scores equal Eval on every template and on random formulas, over all
// rows and over pools, with parameters and inline, with and without a filter.
func TestSQL(t *testing.T) {
	b := newBed(t, "vector")
	r := rand.New(rand.NewPCG(5, 5))
	one := func(p *logic.Program) {
		q := newQuery(t, r, p)
		for j := range r.IntN(4) {
			q.Near, q.Candidates = append(q.Near, randomVector(r)), 10+j
		}
		q.Inline = r.IntN(2) == 0
		b.agrees(t, q, pushdown.SQLOptions{})
	}
	for _, text := range templates {
		one(compiled(t, text, logic.Options{}))
		one(compiled(t, "("+text+") AND year:>=2015", randomOptions(r)))
	}
	for range 300 {
		one(randomProgram(t, r, 3))
	}
}

// TestSQLTypes: a column of half precision is compared at its own, and candidates come by
// the metric that is named.
func TestSQLTypes(t *testing.T) {
	for _, kind := range []string{"halfvec", "sparsevec"} {
		b := newBed(t, kind)
		r := rand.New(rand.NewPCG(6, 6))
		for id, v := range b.rows { // contents of the column
			var text string
			if err := b.conn.QueryRow(context.Background(), `SELECT "ve'c"::vector FROM "it""ems" WHERE "i d" = $1`, id).Scan(&text); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatal(err)
			}
			b.rows[id] = v
		}
		for _, near := range []int{0, 1} {
			q := newQuery(t, r, compiled(t, "A AND B AND NOT C", logic.Options{}))
			for range near {
				q.Near = append(q.Near, randomVector(r))
			}
			b.agrees(t, q, pushdown.SQLOptions{Type: kind})
		}
	}
	q := newQuery(t, rand.New(rand.NewPCG(7, 7)), compiled(t, "A", logic.Options{}))
	q.Near = q.Vectors
	for metric, sign := range map[string]string{"": "<=>", "cosine": "<=>", "ip": "<#>", "l2": "<->"} {
		out, err := pushdown.SQL(q, pushdown.SQLOptions{Metric: metric})
		if err != nil || !strings.Contains(out.Statement, "ORDER BY t.\"ve'c\" "+sign) {
			t.Errorf("metric %q: %v\n%s", metric, err, out.Statement)
		}
	}
	if _, err := pushdown.SQL(q, pushdown.SQLOptions{Metric: "l3"}); err == nil {
		t.Error("an unknown metric was taken")
	}
	if _, err := pushdown.SQL(q, pushdown.SQLOptions{Type: "bit"}); err == nil {
		t.Error("an unknown type was taken")
	}
}

// TestSQLFilter: predicates on columns and in JSON, where a row without the value satisfies
// none of them and all negations.
func TestSQLFilter(t *testing.T) {
	b := newBed(t, "vector")
	r := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct {
		filter   string
		types    map[string]string
		metadata string
		want     func(id int64) bool
	}{
		{"year:>=2015", nil, "", func(id int64) bool { return b.year[id] >= 2015 }},
		{"NOT year:>=2015", nil, "", func(id int64) bool { return !(b.year[id] >= 2015) }},
		{"year:2017", map[string]string{"year": "integer"}, "", func(id int64) bool { return b.year[id] == 2017 }},
		{"kind:B", nil, "", func(id int64) bool { return id%3 == 1 }},
		{"kind:>B", map[string]string{"kind": "text"}, "", func(id int64) bool { return id%3 != 1 }},
		{"NOT (kind:B OR year:<2000)", nil, "", func(id int64) bool { return id%3 != 1 && !(b.year[id] < 2000) }},
		{"year:>2015", nil, "data", func(id int64) bool { return b.year[id] > 2015 }},
		{"NOT year:>2015", nil, "data", func(id int64) bool { return !(b.year[id] > 2015) }},
		{"tags:even", nil, "data", func(id int64) bool { return id%2 == 0 }},
		{"in.deep:x7 OR in.deep:x8", nil, "data", func(id int64) bool { return id == 7 || id == 8 }},
		{`kind:"a'; DROP TABLE x"`, nil, "", func(int64) bool { return false }},
		{`kind:"\\' OR true --"`, nil, "", func(int64) bool { return false }},
	} {
		for _, inline := range []bool{false, true} {
			q := newQuery(t, r, compiled(t, "A ("+c.filter+")", logic.Options{}))
			q.Names.Types, q.Names.Metadata, q.Inline = c.types, c.metadata, inline
			out, err := pushdown.SQL(q, pushdown.SQLOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := b.ask(t, out, inline)
			for id := range b.rows {
				if _, ok := got[id]; ok != c.want(id) {
					t.Errorf("%s, inline %t: row %d is there: %t\n%s", c.filter, inline, id, ok, out.Text)
				}
			}
		}
	}
	for filter, types := range map[string]map[string]string{"text:word": nil, "year:3": {"year": "tsvector"}, "year:4": {"year": "int); DROP TABLE x; --"}} {
		q := newQuery(t, r, compiled(t, "A "+filter, logic.Options{}))
		q.Names.Types = types
		if out, err := pushdown.SQL(q, pushdown.SQLOptions{}); err == nil {
			t.Errorf("%s with %v became\n%s", filter, types, out.Text)
		}
	}
}
