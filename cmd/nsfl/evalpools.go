package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/retrieve"
)

func evalPoolsCommand() *cobra.Command {
	var s stepsEvaluation
	cmd := &cobra.Command{
		Use:   "pools",
		Short: "Accuracy against cost of the hybrid's pool: fixed sizes and adaptive ones",
		Long: `Pools ranks by the hybrid with pools of several fixed sizes and with pools that grow
until the results stay, and says for each how much of the exact result it has and how
many documents were compared.`,
		Example: "  nsfl eval pools --set demo",
		Args:    args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := readProfile(s.profile)
			if err != nil {
				return usageError{err}
			}
			return s.each(cmd, []lab.Passages{lab.WholeMax}, func(meta report.Meta, format report.Format, run *stepsRun) error {
				exact, err := run.measure(lab.WholeMax, retrieve.Options{Mode: retrieve.Exact, Profile: p})
				if err != nil {
					return err
				}
				steps := []report.Step{poolStep("exact", exact, exact)}
				for _, o := range poolOptions(meta.Documents) {
					o.Mode, o.Profile = retrieve.Hybrid, p
					outcome, err := run.measure(lab.WholeMax, o)
					if err != nil {
						return err
					}
					name := fmt.Sprintf("hybrid, %d", o.Candidates)
					if o.Adaptive {
						name = fmt.Sprintf("adaptive, up to %d", o.Candidates)
					}
					steps = append(steps, poolStep(name, outcome, exact))
				}
				return report.Steps(cmd.OutOrStdout(), meta, "Pools", steps, []string{"same first 10", "same 100", "ranked", "compared"}, s.seed, format)
			})
		},
	}
	s.add(cmd)
	return cmd
}

// poolOptions are the sizes that are compared.
func poolOptions(documents int) (out []retrieve.Options) {
	for _, n := range []int{100, 200, 500, 1000, 2000, 5000, 10000} {
		if n < documents {
			out = append(out, retrieve.Options{Candidates: n})
		}
	}
	for _, n := range []int{1000, 2000, 5000, 10000} {
		if n < documents {
			out = append(out, retrieve.Options{Candidates: n, Adaptive: true})
		}
	}
	return out
}

// poolStep says how much of the exact result an outcome has, and what it cost.
func poolStep(name string, o, exact *lab.Outcome) report.Step {
	var ten, hundred, ranked, compared float64
	for i := range o.Queries {
		ten += shared(o.Queries[i].Ranking, exact.Queries[i].Ranking, 10)
		hundred += shared(o.Queries[i].Ranking, exact.Queries[i].Ranking, 100)
		ranked += float64(o.Queries[i].Ranked)
		compared += float64(o.Queries[i].Compared)
	}
	n := float64(len(o.Queries))
	return report.Step{Name: name, Outcome: *o, Costs: []string{
		fmt.Sprintf("%.3f", ten/n), fmt.Sprintf("%.3f", hundred/n), fmt.Sprintf("%.0f", ranked/n), fmt.Sprintf("%.0f", compared/n),
	}}
}

// shared is the part of the first k of one ranking that is in the first k of
// another.
func shared(a, b []string, k int) float64 {
	a, b = a[:min(k, len(a))], b[:min(k, len(b))]
	if len(b) == 0 {
		return 1
	}
	in := make(map[string]bool, len(b))
	for _, id := range b {
		in[id] = true
	}
	n := 0
	for _, id := range a {
		if in[id] {
			n++
		}
	}
	return float64(n) / float64(len(b))
}
