//go:build linux

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/pushdown"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// pushdowns compares where a formula is scored over a table with pgvector: here, from
// similarities that the server sends, or there, by the statement of package pushdown.
func pushdowns(ctx context.Context, args []string) error {
	p := pushing{address: os.Getenv("NSFL_TEST_PGVECTOR")}
	f := flag.NewFlagSet("pushdown", flag.ExitOnError)
	f.IntVar(&p.rows, "rows", 100_000, "rows of the table")
	f.IntVar(&p.dimension, "dimension", 384, "of the vectors")
	f.IntVar(&p.rounds, "rounds", 5, "of each formula; the median is shown")
	_ = f.Parse(args) // it exits
	if p.address == "" {
		return errors.New("pushdown needs a PostgreSQL server with pgvector: name it in NSFL_TEST_PGVECTOR")
	}
	conn, err := pgx.Connect(ctx, p.address)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is in progress
	p.conn, p.schema = conn, fmt.Sprint("bench_", os.Getpid())
	defer func() {
		if err := drop(p.address, p.schema); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
	}()
	return p.run(ctx)
}

// pushing is one run of it.
type pushing struct {
	address, schema         string
	rows, dimension, rounds int
	conn                    *pgx.Conn
	random                  *rand.Rand
}

// pushedFormulas are what is measured.
var pushedFormulas = []string{"A AND B", "A AND NOT B", "A AND B AND NOT C", "A OR B OR C", "(A OR B) AND NOT C"}

func (p *pushing) run(ctx context.Context) error {
	p.random = rand.New(rand.NewPCG(1, 1))
	if err := p.fill(ctx); err != nil {
		return err
	}
	fmt.Printf("%d rows of %d dimensions, medians in milliseconds over %s\n\n", p.rows, p.dimension, strings.Join(pushedFormulas, "; "))
	fmt.Println("| | the pool's similarities come here | the statement over the pool | all similarities come here | the statement over all rows | proven by pools | proven by the statement |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|")
	if err := p.line(ctx, "without an index"); err != nil {
		return err
	}
	start := time.Now()
	if err := p.exec(ctx, "CREATE INDEX ON {t} USING hnsw (embedding vector_cosine_ops)", "ANALYZE {t}"); err != nil {
		return err
	}
	took := time.Since(start)
	if err := p.line(ctx, "with HNSW"); err != nil {
		return err
	}
	fmt.Printf("\nThe index took %.0f s to build.\n", took.Seconds())
	return nil
}

// fill makes the table: vectors around a thousand centres.
func (p *pushing) fill(ctx context.Context) error {
	return p.exec(ctx,
		"CREATE EXTENSION IF NOT EXISTS vector",
		"CREATE SCHEMA "+p.schema,
		"SELECT setseed(0.5)",
		"SET maintenance_work_mem = '2GB'",
		fmt.Sprintf("CREATE TABLE {s}.centres AS SELECT n, l2_normalize(array_agg(random_normal())::vector) AS v FROM generate_series(0, 999) n, generate_series(1, %d) GROUP BY n", p.dimension),
		fmt.Sprintf("CREATE TABLE {t} (id bigint PRIMARY KEY, embedding vector(%d))", p.dimension),
		fmt.Sprintf(`INSERT INTO {t} SELECT i, l2_normalize(c.v + e.v) FROM generate_series(1, %[2]d) i JOIN {s}.centres c ON c.n = i %% 1000
			CROSS JOIN LATERAL (SELECT array_agg(random_normal() / sqrt(%[1]d))::vector AS v FROM generate_series(1, %[1]d) WHERE i > 0) e`, p.dimension, p.rows),
		"VACUUM ANALYZE {t}",
		"SET jit = off", "SET hnsw.ef_search = 1000", "SET hnsw.iterative_scan = relaxed_order",
	)
}

func (p *pushing) exec(ctx context.Context, statements ...string) error {
	names := strings.NewReplacer("{t}", p.schema+".items", "{s}", p.schema)
	for _, s := range statements {
		if _, err := p.conn.Exec(ctx, names.Replace(s)); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// line measures all formulas each way.
func (p *pushing) line(ctx context.Context, name string) error {
	var took [4][]time.Duration
	for _, text := range pushedFormulas {
		q, program, err := p.query(ctx, text)
		if err != nil {
			return err
		}
		all := *q
		all.Near = nil
		for round := range p.rounds + 1 {
			var first [2][]int64 // by pool, by all
			for way, f := range []func(context.Context, *pushdown.Query, *logic.Program) ([]int64, error){p.moved, p.pushed} {
				for form, q := range []*pushdown.Query{q, &all} {
					start := time.Now()
					ids, err := f(ctx, q, program)
					if err != nil {
						return err
					}
					if round > 0 { // the first warms up
						took[way+2*form] = append(took[way+2*form], time.Since(start))
					}
					if way == 0 {
						first[form] = ids
					} else if !slices.Equal(first[form], ids) {
						return fmt.Errorf("%s: the statement's first are %v, those ranked here %v", text, ids, first[form])
					}
				}
			}
		}
	}
	pools, ranked, err := p.proofs(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("| %s |", name)
	for _, t := range append(took[:], pools, ranked) {
		if t == nil {
			fmt.Print(" – |")
			continue
		}
		slices.Sort(t)
		fmt.Printf(" %.1f |", inMS(t[len(t)/2]))
	}
	fmt.Println()
	return nil
}

// query is a formula with vectors near to some of the rows.
func (p *pushing) query(ctx context.Context, text string) (*pushdown.Query, *logic.Program, error) {
	f, err := query.ParseFormula(text)
	if err != nil {
		return nil, nil, err
	}
	program, err := logic.Compile(f, logic.Options{})
	if err != nil {
		return nil, nil, err
	}
	score, err := pushdown.New(program)
	if err != nil {
		return nil, nil, err
	}
	q := &pushdown.Query{Score: score, K: results, Candidates: poolSize, Names: pushdown.Names{Table: p.schema + ".items", ID: "id", Vector: "embedding"}}
	atoms := map[string][]float32{}
	for i := range f.Terms.Len() {
		sum := make([]float32, p.dimension)
		for a := range query.Atoms(f.Terms.At(i)) {
			if atoms[a.Text] == nil {
				var row []float32
				if err := p.conn.QueryRow(ctx, "SELECT embedding::real[] FROM "+p.schema+".items WHERE id = $1", 1+p.random.IntN(p.rows)).Scan(&row); err != nil {
					return nil, nil, err
				}
				atoms[a.Text] = row
			}
			for j, x := range atoms[a.Text] {
				sum[j] += x
			}
		}
		if err := vec.Normalize(sum); err != nil {
			return nil, nil, err
		}
		q.Vectors = append(q.Vectors, sum)
	}
	q.Near = [][]float32{q.Vectors[f.Terms.Index(f.Monolithic())]}
	return q, program, nil
}

// pushed has the server rank.
func (p *pushing) pushed(ctx context.Context, q *pushdown.Query, _ *logic.Program) ([]int64, error) {
	out, err := pushdown.SQL(q, pushdown.SQLOptions{})
	if err != nil {
		return nil, err
	}
	var args []any
	for _, a := range out.Parameters {
		args = append(args, listed(a.Value.([]float32)))
	}
	rows, err := p.conn.Query(ctx, out.Statement, args...)
	if err != nil {
		return nil, err
	}
	var id int64
	var score float64
	var ids []int64
	_, err = pgx.ForEachRow(rows, []any{&id, &score}, func() error {
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

// moved has the server send similarities, and ranks here.
func (p *pushing) moved(ctx context.Context, q *pushdown.Query, program *logic.Program) ([]int64, error) {
	var columns []string
	var args []any
	for _, t := range q.Score.Terms {
		args = append(args, listed(q.Vectors[t]))
		columns = append(columns, fmt.Sprintf("1 - (t.embedding <=> $%d::vector)", len(args)))
	}
	table := p.schema + ".items"
	if len(q.Near) > 0 {
		args = append(args, listed(q.Near[0]))
		table = fmt.Sprintf("(SELECT id, embedding FROM %s ORDER BY embedding <=> $%d::vector LIMIT %d)", table, len(args), q.Candidates)
	}
	rows, err := p.conn.Query(ctx, "SELECT id, "+strings.Join(columns, ", ")+" FROM "+table+" t", args...)
	if err != nil {
		return nil, err
	}
	var id int64
	values := make([]float64, len(columns))
	targets := []any{&id}
	for i := range values {
		targets = append(targets, &values[i])
	}
	var ids []int64
	similarities := make([][]float32, program.Columns())
	_, err = pgx.ForEachRow(rows, targets, func() error {
		ids = append(ids, id)
		for i, t := range q.Score.Terms {
			similarities[t] = append(similarities[t], float32(values[i]))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range similarities {
		if similarities[i] == nil {
			similarities[i] = make([]float32, len(ids)) // nothing reads it
		}
	}
	scores := make([]float32, len(ids))
	if _, err := program.Rank(scores, similarities); err != nil {
		return nil, err
	}
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(ids[a], ids[b])) })
	best := make([]int64, 0, q.K)
	for _, i := range order[:min(q.K, len(order))] {
		best = append(best, ids[i])
	}
	return best, nil
}

// listed is a vector as pgvector reads it.
func listed(v []float32) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ",") }
