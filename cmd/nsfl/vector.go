package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
	"github.com/nsfl-go/nsfl/sphere"
	"github.com/nsfl-go/nsfl/vectors"
)

func vectorCommand() *cobra.Command {
	var v vectoring
	cmd := &cobra.Command{
		Use:   "vector FORMULA",
		Short: "Turn a formula into one query vector for any other vector search",
		Long: `Vector finds the unit vector that satisfies a formula best (Spherical Query
Optimization) and writes it as JSON, or with -o as a file of vectors (npy, fvecs,
fbin, parquet, jsonl by the name). Search with it anywhere by cosine or inner
product.`,
		Example: `  nsfl vector 'dog AND NOT leash'
  nsfl vector 'beach AND sunset AND NOT people' -o query.npy
  nsfl vector --encoder ollama:nomic-embed-text 'dog AND NOT leash'
  nsfl vector -c notes 'like:garden/roses.md AND NOT winter'`,
		Args: args(1, 1, "one formula"),
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	v.from.addPlace(f)
	f.StringVar(&v.from.encoder, "encoder", "", "the encoder of your vectors: builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …; that of the collection, where one is named")
	f.StringVar(&v.fusion, "fusion", "simple", "how strings are fused: simple, contextual or centroid")
	f.StringVar(&v.solver, "solver", "exact", "exact, rsgd as in the paper, or geometric: the sum without what is negated")
	v.calculus.add(f)
	f.StringVarP(&v.file, "output", "o", "", "write the vector to this file")
	f.BoolVar(&v.asJSON, "json", true, "write JSON; it is the only form beside a file")
	return cmd
}

// vectoring is one run of nsfl vector.
type vectoring struct {
	from                 collectionFlags // for its encoder, and like: atoms
	fusion, solver, file string
	calculus             calculusFlags
	asJSON               bool
}

func (v *vectoring) run(cmd *cobra.Command, text string) error {
	style, err := fusion.ParseStyle(v.fusion)
	if err != nil {
		return usageError{err}
	}
	options, err := v.calculus.options()
	if err != nil {
		return usageError{err}
	}
	f, err := query.ParseFormula(text)
	if err != nil {
		return err
	}
	if f.Root == nil {
		return usageError{errors.New("a formula of predicates alone has no vector; add a word or more")}
	}
	ctx := cmd.Context()
	s, closeAll, err := v.searcher(cmd, f)
	if err != nil {
		return err
	}
	defer closeAll()
	began := time.Now()
	encoded, err := s.Encode(ctx, f, style)
	if err != nil {
		return err
	}
	encodeTime := time.Since(began)
	program, err := logic.Compile(f, options)
	if err != nil {
		return usageError{err}
	}
	began = time.Now()
	r, err := v.solve(program, encoded)
	if err != nil {
		return err
	}
	solveTime := time.Since(began)
	out := map[string]any{
		"formula": f.Root.String(), "encoder": s.Encoder.Identity().String(), "strings": encoded.Plan.Strings, "dimension": len(r.Vector),
		"objective": r.Value, "method": r.Method, "steps": r.Steps,
		"timings_ms": map[string]float64{"encode": ms(encodeTime), "solve": ms(solveTime)},
	}
	if f.Filter != nil {
		out["filter"] = f.Filter.String() // not in the vector: the other system has to apply it
	}
	if v.file == "" {
		out["vector"] = r.Vector
		return writeJSON(cmd.OutOrStdout(), out)
	}
	if err := writeVector(v.file, f.Root.String(), r.Vector); err != nil {
		return err
	}
	out["file"] = v.file
	return writeJSON(cmd.OutOrStdout(), out)
}

// searcher encodes what a formula names. A collection is not needed for words.
func (v *vectoring) searcher(cmd *cobra.Command, f *query.Formula) (s *retrieve.Searcher, closeAll func(), err error) {
	if v.from.given() {
		c, err := v.from.open(cmd, true)
		if err != nil {
			return nil, nil, err
		}
		return c.Searcher(), c.close, nil
	}
	for a := range query.Atoms(f.Root) {
		if a.Kind == query.Like {
			return nil, nil, usageError{fmt.Errorf("%s stands for a document: name its collection with -c DIR or --store ADDRESS", a)}
		}
	}
	e, err := named.Open(cmd.Context(), v.from.encoder)
	if err != nil {
		return nil, nil, err
	}
	return &retrieve.Searcher{Encoder: e, Picture: e.Picture}, func() { _ = e.Close() }, nil
}

func (v *vectoring) solve(p *logic.Program, e *retrieve.Encoded) (sphere.Result, error) {
	switch v.solver {
	case "exact":
		return sphere.Exact(p.Objective(), e.Vectors)
	case "rsgd":
		return sphere.RSGD(p.Objective(), e.Vectors, sphere.RSGDOptions{Seed: 1})
	case "geometric":
		x, err := sphere.Geometric(e.Formula, e.Vectors)
		return sphere.Result{Vector: x, Method: "geometric"}, err
	}
	return sphere.Result{}, usageError{fmt.Errorf("unknown solver %q: expected exact, rsgd or geometric", v.solver)}
}

func writeVector(path, id string, x []float32) error {
	w, err := vectors.Create(path, "", vectors.WriteOptions{})
	if err != nil {
		return err
	}
	if err := w.Write(vectors.Row{ID: id, Vector: x}); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
