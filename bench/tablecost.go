//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/postgres"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/retrieve"
)

// dimension is the dimension of the built-in encoder's vectors, and results the number of
// results of a search.
const dimension, results = 384, 10

// tableCost has the texts and queries of a measurement.
type tableCost struct {
	encoder           encoder.Encoder
	dsn               string
	passages          []string
	vectors           [][]float32 // of the passages
	warming, measured []string    // formulas
}

// conditions lists the filters to measure, with the same condition in SQL. The last two pass
// 0.23 % of the rows, the first of them by an index.
var conditions = []struct{ filter, sql string }{
	{"", "true"},
	{" price:<2.3", "price < 2.3"},
	{" weight:<0.0023", "weight < 0.0023"},
}

func (m *tableCost) read(ctx context.Context) error {
	docs, err := demo.Documents()
	if err != nil {
		return err
	}
	for _, d := range docs {
		m.passages = append(m.passages, d.Passages...)
	}
	encoded, err := m.encoder.Encode(ctx, encoder.Document, m.passages)
	if err != nil {
		return err
	}
	m.vectors = encoded.Vectors
	queries, err := demo.Queries()
	for i, q := range queries {
		if i%2 == 0 {
			m.warming = append(m.warming, q.Formula)
		} else {
			m.measured = append(m.measured, q.Formula)
		}
	}
	return err
}

// table creates a table unless the server has it: texts of three passages, with the sum of
// their vectors and some noise.
func (m *tableCost) table(ctx context.Context, conn *pgx.Conn, name string, n int) error {
	var there bool
	if err := conn.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, name).Scan(&there); err != nil || there {
		return err
	}
	progress("storing %d rows", n)
	_, err := conn.Exec(ctx, fmt.Sprintf(`CREATE EXTENSION IF NOT EXISTS vector;
		CREATE TABLE %[1]s (id bigint, title text, body text, price numeric, weight float8, embedding vector(%[2]d));
		CREATE TEMPORARY TABLE loaded (id bigint, title text, body text, price float8, weight float8, embedding text)`, name, dimension))
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(3, uint64(n)))
	const some = 20_000
	for first := 0; first < n; first += some {
		row := func(i int) ([]any, error) {
			var texts []string
			v := make([]float32, dimension)
			for range 3 {
				p := random.IntN(len(m.passages))
				texts = append(texts, m.passages[p])
				vec.AddScaled(v, m.vectors[p], 1)
			}
			v = noisy(v, random)
			if err := vec.Normalize(v); err != nil {
				return nil, err
			}
			title := strings.Join(strings.Fields(texts[0])[:3], " ")
			return []any{int64(first + i), title, strings.Join(texts, " "), 1000 * random.Float64(), random.Float64(), strings.ReplaceAll(fmt.Sprint(v), " ", ",")}, nil
		}
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{"loaded"}, []string{"id", "title", "body", "price", "weight", "embedding"}, pgx.CopyFromSlice(min(some, n-first), row)); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, fmt.Sprintf(`INSERT INTO %s SELECT id, title, body, price::numeric(10, 2), weight, embedding::vector FROM loaded; TRUNCATE loaded`, name)); err != nil {
			return err
		}
	}
	progress("indexing %d rows", n)
	construction := 64 // pgvector's default
	if n > 100_000 {
		construction = 32 // which takes half the time
	}
	_, err = conn.Exec(ctx, fmt.Sprintf(`DROP TABLE loaded; SET maintenance_work_mem = '4GB'; ALTER TABLE %[1]s ADD PRIMARY KEY (id);
		CREATE INDEX ON %[1]s USING hnsw (embedding vector_cosine_ops) WITH (ef_construction = %[2]d); CREATE INDEX ON %[1]s (price)`, name, construction))
	if err == nil {
		_, err = conn.Exec(ctx, "VACUUM ANALYZE "+name)
	}
	return err
}

// measure prints the figures of a table.
func (m *tableCost) measure(ctx context.Context, w io.Writer, n int) error {
	conn, err := pgx.Connect(ctx, m.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is in progress
	name := fmt.Sprintf("rows_%d", n)
	if err := m.table(ctx, conn, name, n); err != nil {
		return err
	}
	store, err := postgres.Attach(ctx, m.dsn+"&table="+name+"&text=body&title=title", engine.Options{})
	if err != nil {
		return err
	}
	c, err := nsfl.New(ctx, store, &nsfl.Config{Encoder: m.encoder})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // it is only read
	for _, condition := range conditions {
		var pass int
		if err := conn.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM %s WHERE %s", name, condition.sql)).Scan(&pass); err != nil {
			return err
		}
		plain := func(text string) error {
			encoded, err := m.encoder.Encode(ctx, encoder.Query, []string{text})
			if err != nil {
				return err
			}
			rows, err := conn.Query(ctx, fmt.Sprintf("SELECT id, body FROM %s WHERE %s ORDER BY embedding <=> $1::vector LIMIT %d", name, condition.sql, results), strings.ReplaceAll(fmt.Sprint(encoded.Vectors[0]), " ", ","))
			if err != nil {
				return err
			}
			for rows.Next() {
			}
			return rows.Err()
		}
		proven, hits := 0, 0
		search := func(text string) error {
			r, err := c.Search(ctx, "("+text+")"+condition.filter, nsfl.Options{K: results})
			if err != nil {
				return fmt.Errorf("%s: %w", text, err)
			}
			hits += len(r.Hits)
			if r.Proof != nil {
				proven += r.Proof.Exact
			} else if r.Mode.String() == "exact" {
				proven += len(r.Hits)
			}
			return nil
		}
		plainServer, plainClient, err := m.cpu(ctx, conn, plain, 5)
		if err != nil {
			return err
		}
		server, client, err := m.cpu(ctx, conn, search, 1)
		if err != nil {
			return err
		}
		same, err := m.overlap(ctx, c, n, condition.filter)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %d | %s | %d | %.1f, %.1f | %.1f, %.1f | %.1f | %.0f %% | %s |\n", n, strings.TrimSpace(condition.filter), pass, plainServer, plainClient,
			server, client, (server+client)/(plainServer+plainClient), 100*float64(proven)/float64(max(1, hits)), same)
	}
	return nil
}

// overlap returns the share of the first ten results of mode exact that a search with default
// settings finds, over some queries, or a dash if the table is too large for mode exact.
func (m *tableCost) overlap(ctx context.Context, c *nsfl.Collection, n int, filter string) (string, error) {
	const some, most = 20, 200_000
	if n > most {
		return "–", nil
	}
	found, all := 0, 0
	for _, text := range m.measured[:min(some, len(m.measured))] {
		var ids [2][]string
		for i, mode := range []retrieve.Mode{retrieve.Exact, retrieve.Auto} {
			r, err := c.Search(ctx, "("+text+")"+filter, nsfl.Options{K: results, AllCopies: true, Research: retrieve.Research{Mode: mode}})
			if err != nil {
				return "", err
			}
			for _, h := range r.Hits {
				ids[i] = append(ids[i], h.ID)
			}
		}
		all += len(ids[0])
		for _, id := range ids[0] {
			if slices.Contains(ids[1], id) {
				found++
			}
		}
	}
	return fmt.Sprintf("%.3f", float64(found)/float64(max(1, all))), nil
}

// cpu returns the processor time of the server and of this process for each measured query.
func (m *tableCost) cpu(ctx context.Context, conn *pgx.Conn, search func(string) error, rounds int) (server, client float64, err error) {
	for _, text := range m.warming {
		if err := search(text); err != nil {
			return 0, 0, err
		}
	}
	var pids []int // of the server's processes for this one
	if err := conn.QueryRow(ctx, `SELECT array_agg(pid) FROM pg_stat_activity WHERE application_name = 'nsfl' OR pid = pg_backend_pid()`).Scan(&pids); err != nil {
		return 0, 0, err
	}
	s, o := processor(pids), own()
	for _, text := range slices.Repeat(m.measured, rounds) {
		if err := search(text); err != nil {
			return 0, 0, err
		}
	}
	n := float64(rounds * len(m.measured))
	return inMS(processor(pids)-s) / n, inMS(own()-o) / n, nil
}
