package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalProofCommand() *cobra.Command {
	var s setFlags
	var p *profile.Profile
	var results []int
	var most, every int
	cmd := &cobra.Command{
		Use:   "proof",
		Short: "How many documents must be read to prove that the first results are exact",
		Long: `Proof reads the documents of a set in the order of the vectors that bound a formula's
scores, lists a quarter longer each time, until the first results are proven to be
those of all documents, and tells how many were read: the median and the 99th of a
hundred queries, by template. A dash stands where the most that may be read for each
vector is not enough.`,
		Example: "  nsfl eval proof --set demo\n  nsfl eval proof --set data/films --every 5 --profile paper",
		Args:    args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if every < 1 {
				return usageError{fmt.Errorf("--every is %d; it must be at least 1", every)}
			}
			return s.each(cmd, []lab.Passages{lab.Stored}, func(_ string, set *sets.Set, corpus *lab.Corpus) error {
				at := -1
				set.Queries = slices.DeleteFunc(set.Queries, func(sets.Query) bool { at++; return at%every != 0 })
				for _, k := range results {
					proved, err := lab.Proofs(cmd.Context(), set, corpus, k, most, retrieve.Options{Profile: cmp.Or(p, profile.Builtin())})
					if err != nil {
						return err
					}
					fmt.Fprintf(cmd.OutOrStdout(), "%s: the first %d of %d documents\n", set.Name, k, len(corpus.IDs))
					if err := printProofs(cmd.OutOrStdout(), proved); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	s.add(f)
	s.addEncoders(f)
	f.IntVar(&every, "every", 1, "take every N-th query")
	f.IntSliceVarP(&results, "results", "k", []int{10, 100}, "how many results are to be proven")
	f.IntVar(&most, "candidates", 4000, "how many documents may be read for each vector")
	addProfile(f, &p, "profile", profileHelp+"; builtin by default")
	return cmd
}

// printProofs prints how many documents were read, by template.
func printProofs(w io.Writer, proved []lab.Proved) error {
	const all = "all"
	by := map[string][]lab.Proved{}
	var templates []string
	for _, p := range proved {
		for _, name := range []string{p.Query.Template, all} {
			if by[name] == nil && name != all {
				templates = append(templates, name)
			}
			by[name] = append(by[name], p)
		}
	}
	slices.Sort(templates)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "template\tqueries\tproven\tread: median\t99 %")
	for _, name := range append(templates, all) {
		some := by[name]
		proven := len(some) - len(slices.DeleteFunc(slices.Clone(some), func(p lab.Proved) bool { return p.Read > 0 }))
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\n", name, len(some), proven, dash(lab.Quantile(some, 0.5)), dash(lab.Quantile(some, 0.99)))
	}
	return t.Flush()
}

// dash formats a number, or a dash if it is unknown.
func dash(n int) string {
	if n == 0 {
		return "–"
	}
	return strconv.Itoa(n)
}
