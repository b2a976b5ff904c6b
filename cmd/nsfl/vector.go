package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
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
	v.from.add(f)
	addKnobs(f, v.options.Research.Knobs(), "pool", "candidates", "words")
	f.BoolVar(&v.options.PlainLanguage, "nl", false, "the query is plain language")
	addProfile(f, &v.options.Profile, "profile", profileHelp+"; the collection's own, or the encoder's, by default")
	f.StringVarP(&v.file, "output", "o", "", "write the vector to this file")
	f.Bool("json", true, "write JSON; it is the only form beside a file")
	return cmd
}

// vectoring is one run of nsfl vector.
type vectoring struct {
	from    collectionFlags // for its encoder, its profile and like: atoms
	options retrieve.Options
	file    string
}

// run finds the vector and writes it.
func (v *vectoring) run(cmd *cobra.Command, text string) error {
	q, err := retrieve.Read(text, v.options.PlainLanguage)
	if err != nil {
		return err
	}
	s, closeAll, err := v.searcher(cmd, q.Formula)
	if err != nil {
		return err
	}
	defer closeAll() //nolint:errcheck // nothing was written
	x, err := s.Vector(cmd.Context(), q, v.options)
	if err != nil {
		return err
	}
	out := struct {
		*retrieve.Vector
		File string `json:"file,omitempty"`
	}{x, v.file}
	if v.file != "" {
		if err := writeVector(v.file, x.Formula, x.Vector); err != nil {
			return err
		}
		x.Vector = nil
	}
	return writeJSON(cmd.OutOrStdout(), out)
}

// searcher encodes what a formula names. A collection is not needed for words, and
// without one there are no documents to refine vectors by.
func (v *vectoring) searcher(cmd *cobra.Command, f *query.Formula) (s *retrieve.Searcher, closeAll func() error, err error) {
	if v.from.given() || v.from.demo {
		c, err := v.from.open(cmd, workspace.Options{ReadOnly: true})
		if err != nil {
			return nil, nil, err
		}
		return c.Searcher(), c.Close, nil
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
	return &retrieve.Searcher{Encoder: e, Picture: e.Picture, Profile: profile.For(e.Identity().Name)}, e.Close, nil
}

// writeVector writes a file of one vector.
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
