package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine/postgres"
	"github.com/nsfl-go/nsfl/internal/pushdown"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

func compileCommand() *cobra.Command {
	var c compiling
	cmd := &cobra.Command{
		Use:   "compile FORMULA",
		Short: "Translate a formula for another system",
		Long: `Compile translates a formula for a system that stores the vectors, so that the system
does the ranking: one SQL statement for PostgreSQL with pgvector, or a script for OpenSearch.
Predicates become the system's filter. The score uses vectors only, no lexical matches.

Without --inline, vectors and values are parameters; --json prints their values.`,
		Example: `  nsfl compile 'dog AND NOT leash' --to sql --table items --vector embedding
  nsfl compile 'dog AND NOT leash year:>=2015' --table items --column year=integer --inline | psql
  nsfl compile 'dog AND NOT leash' --to opensearch --table photos --json
  nsfl compile --encoder ollama:nomic-embed-text 'dog AND NOT leash' --mode exact`,
		Args: formulaArgs,
		RunE: withFormula(c.run),
	}
	f := cmd.Flags()
	addChoice(f, &c.to, "to", "sql", targetNames(), "the target `SYSTEM`: "+strings.Join(targetNames(), ", "))
	f.StringVar(&c.names.Table, "table", "items", "the `NAME` of the table, index or collection; in SQL also schema.table")
	f.StringVar(&c.names.ID, "id", "id", "SQL: the `COLUMN` that identifies a row")
	f.StringVar(&c.names.Vector, "vector", "", "the `COLUMN` or field with the vectors; default: embedding")
	f.StringVar(&c.names.Metadata, "metadata", "", "SQL: the JSON `COLUMN` that predicates refer to; default: predicates refer to columns")
	f.StringToStringVar(&c.names.Types, "column", nil, "the type of a column in a predicate, `NAME=TYPE`, such as year=integer")
	f.StringVar(&c.sql.Type, "type", "vector", "SQL: the `TYPE` of the vector column: vector, halfvec or sparsevec; default for an attached table: the actual type")
	f.StringVar(&c.sql.Metric, "metric", "cosine", "SQL: the `METRIC` of the index: cosine, ip or l2")
	f.BoolVar(&c.inline, "inline", false, "write vectors and values in place instead of parameters")
	f.IntVarP(&c.options.K, "results", "k", 10, "number of results")
	c.from.add(f)
	addKnobs(f, c.options.Research.Knobs(), "words", "fusion", "solver", "c-and", "c-not", "gate-cap", "similarity")
	addPlain(f, &c.options)
	addProfile(f, &c.options.Profile, "profile", profileHelp+"; default: the collection's or the encoder's own")
	addJSON(f)
	return cmd
}

// compiling holds the flags of nsfl compile.
type compiling struct {
	to      string
	names   pushdown.Names
	sql     pushdown.SQLOptions
	inline  bool
	from    collectionFlags // for its encoder, its profile, feedback and like: atoms
	options retrieve.Options
}

// targets lists the systems that a formula can be translated for.
var targets = []struct {
	name  string
	write func(q *pushdown.Query, c *compiling) (*pushdown.Output, error)
}{
	{"sql", func(q *pushdown.Query, c *compiling) (*pushdown.Output, error) { return pushdown.SQL(q, c.sql) }},
	{"opensearch", func(q *pushdown.Query, _ *compiling) (*pushdown.Output, error) { return pushdown.OpenSearch(q) }},
}

func targetNames() (out []string) {
	for _, t := range targets {
		out = append(out, t.name)
	}
	return out
}

// run prepares the formula and prints its translation.
func (c *compiling) run(cmd *cobra.Command, text string) error {
	var write func(*pushdown.Query, *compiling) (*pushdown.Output, error)
	for _, t := range targets {
		if t.name == c.to {
			write = t.write
		}
	}
	question, err := retrieve.Read(cmd.Context(), text, c.options)
	if err != nil {
		return err
	}
	s, closeAll, err := c.from.searcher(cmd, question.Formula)
	if err != nil {
		return err
	}
	defer closeAll() //nolint:errcheck // nothing was written
	filter := question.Formula.Filter
	if table, ok := s.Store.(*postgres.Table); ok && c.to == "sql" {
		filter = c.adopt(cmd, table, filter)
	}
	scoring, err := s.Scoring(cmd.Context(), question, c.options)
	if err != nil {
		return err
	}
	score, err := pushdown.New(scoring.Program)
	if err != nil {
		return err
	}
	out, err := write(&pushdown.Query{
		Score: score, Vectors: scoring.Vectors, Near: scoring.Near, Candidates: scoring.Options.Candidates,
		K: scoring.Options.K, Filter: filter, Names: c.names, Inline: c.inline,
		Notes: notes(s, scoring),
	}, c)
	if err != nil {
		return usageError{err}
	}
	return answer(cmd, struct {
		Formula string `json:"formula"`
		Filter  string `json:"filter,omitempty"`
		Encoder string `json:"encoder"`
		*pushdown.Output
	}{question.Formula.Root.String(), filterText(question), s.Encoder.Identity().String(), out}, func(io.Writer) {
		io.WriteString(termsafe.Writer(cmd.OutOrStdout()), out.Text) //nolint:errcheck // as all output; lines stay whole
	})
}

// adopt takes the options that were not given from an attached table, and narrows the filter
// to the rows that its address selects.
func (c *compiling) adopt(cmd *cobra.Command, table *postgres.Table, filter query.Node) query.Node {
	names, o, only := table.Layout()
	take := func(flag string, to *string, value string) {
		if !cmd.Flags().Changed(flag) {
			*to = value
		}
	}
	take("table", &c.names.Table, names.Table)
	take("id", &c.names.ID, names.ID)
	take("vector", &c.names.Vector, names.Vector)
	take("metadata", &c.names.Metadata, names.Metadata)
	take("type", &c.sql.Type, o.Type)
	take("metric", &c.sql.Metric, o.Metric)
	for name, kind := range names.Types {
		if c.names.Types[name] == "" {
			if c.names.Types == nil {
				c.names.Types = map[string]string{}
			}
			c.names.Types[name] = kind
		}
	}
	switch {
	case only == nil:
		return filter
	case filter == nil:
		return only
	}
	return query.AllOf(only, filter)
}

// notes names the encoder that the documents' vectors must come from.
func notes(s *retrieve.Searcher, scoring *retrieve.Scoring) []string {
	note := "Query vectors are from " + s.Encoder.Identity().String()
	if p := scoring.Profile; p != nil {
		note += ", refined by the profile " + p.Name
	}
	return []string{note + "; the vectors of documents must come from the same encoder."}
}

func filterText(q *retrieve.Question) string {
	if q.Formula.Filter == nil {
		return ""
	}
	return q.Formula.Filter.String()
}
