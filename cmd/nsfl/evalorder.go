package main

import (
	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
)

func evalOrderCommand() *cobra.Command {
	var s study
	var word string
	var weights []float64
	cmd := &cobra.Command{
		Use:   "order",
		Short: "The second order of the paper's expansion, on conjunctions of three",
		Long: `Order ranks the documents for queries A AND B AND C by the calculus, which ends at
the first order, and again with what pairs of atoms bring added by a weight. It is an
experiment: searches end at the first order.`,
		Example: `  nsfl eval order --set demo
  nsfl eval order --set data/coco --set data/films --weights 0.1,0.5`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			how, err := lab.ParsePassages(word)
			if err != nil {
				return usageError{err}
			}
			all := append([]float64{0}, weights...) // that of the product first
			fill := func(set *sets.Set, corpus *lab.Corpus, column *report.Column) error {
				column.Orders, err = lab.RunSecondOrder(cmd.Context(), set, corpus, how, all)
				return err
			}
			return s.run(cmd, []lab.Passages{how}, fill, func(r report.Study, f report.Format) error { return r.SecondOrder(cmd.OutOrStdout(), f) })
		},
	}
	s.add(cmd.Flags())
	cmd.Flags().StringVar(&word, "passages", lab.WholeMax.String(), "how documents with passages are compared")
	cmd.Flags().Float64SliceVar(&weights, "weights", []float64{0.1, 0.25, 0.5, 1}, "of what pairs bring")
	return cmd
}
