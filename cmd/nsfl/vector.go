package main

import (
	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/retrieve"
)

func vectorCommand() *cobra.Command {
	var v vectoring
	cmd := &cobra.Command{
		Use:   "vector FORMULA",
		Short: "Compute one query vector for a formula",
		Long: `Vector computes the unit vector that satisfies a formula best (Spherical Query
Optimization) and writes it as JSON. Use it as the query of any search by cosine or inner
product.`,
		Example: `  nsfl vector 'dog AND NOT leash'
  nsfl vector 'beach AND sunset AND NOT people' | jq -c .vector
  nsfl vector --encoder ollama:nomic-embed-text 'dog AND NOT leash'
  nsfl vector -c notes 'like:garden/roses.md AND NOT winter'`,
		Args: formulaArgs,
		RunE: withFormula(v.run),
	}
	f := cmd.Flags()
	v.from.add(f)
	addKnobs(f, v.options.Research.Knobs(), append(studyOnly, "candidates", "words")...)
	addPlain(f, &v.options)
	addProfile(f, &v.options.Profile, "profile", profileHelp+"; default: the collection's or the encoder's own")
	f.Bool("json", true, "")
	_ = f.MarkHidden("json") // accepted, since other commands have it
	return cmd
}

// vectoring is one run of nsfl vector.
type vectoring struct {
	from    collectionFlags // for its encoder, its profile and like: atoms
	options retrieve.Options
}

// run computes and prints the vector.
func (v *vectoring) run(cmd *cobra.Command, text string) error {
	q, err := retrieve.Read(cmd.Context(), text, v.options)
	if err != nil {
		return err
	}
	s, closeAll, err := v.from.searcher(cmd, q.Formula)
	if err != nil {
		return err
	}
	defer closeAll() //nolint:errcheck // nothing was written
	x, err := s.Vector(cmd.Context(), q, v.options)
	if err != nil {
		return err
	}
	return writeJSON(cmd.OutOrStdout(), x)
}
