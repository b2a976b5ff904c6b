package tune

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/profile"
)

// Text writes what was found in tables for people.
func (r *Result) Text(w io.Writer) error {
	var out bytes.Buffer
	r.head(&out)
	r.tried(&out)
	r.chosen(&out)
	r.estimates(&out)
	r.calibrations(&out)
	r.verdict(&out)
	_, err := w.Write(out.Bytes())
	return err
}

// table aligns rows whose cells are separated by tabs.
func table(out *bytes.Buffer, rows func(row func(cells ...string))) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	rows(func(cells ...string) { fmt.Fprintf(w, "  %s\n", strings.Join(cells, "\t")) })
	_ = w.Flush() // to memory
}

func (r *Result) head(out *bytes.Buffer) {
	for _, s := range r.Sets {
		of := ""
		if s.Of > s.Queries {
			of = fmt.Sprintf(" of %d", s.Of)
		}
		fmt.Fprintf(out, "%s, %s: %d%s queries, %d documents compared by %s\n", s.Name, s.Split, s.Queries, of, s.Documents, r.Config.Passages)
	}
	fmt.Fprintf(out, `
Figures are mAP@100 with the denominator min(R, 100), the mean over templates; every
set counts the same. All documents are ranked. ± is one standard error, brackets are
95 %% intervals over queries. The default is %s: %s.
`, r.Config.Default.Name, describe(r.Config.Default))
}

// describe says in words what a profile chooses.
func describe(p *profile.Profile) string {
	var parts []string
	paper := profile.Paper()
	for _, e := range elements() {
		if e.show(p) != e.show(paper) {
			parts = append(parts, strings.TrimSpace(string(e.kind)+" "+e.name+" "+e.show(p)))
		}
	}
	if parts == nil {
		return "vectors as the encoder gives them, the paper's operators"
	}
	return strings.Join(parts, ", ")
}

func (r *Result) tried(out *bytes.Buffer) {
	fmt.Fprint(out, "\nWhat one change of the default gives, on all queries\n")
	table(out, func(row func(...string)) {
		row("formulas", "", "from", "to", "gain")
		for _, t := range r.Tried {
			row(formulas(t.Kind), t.Element, t.From, t.To, plusMinus(t.Gain, t.StdErr))
		}
	})
}

func formulas(k profile.Kind) string { return cmp.Or(string(k), "all") }

func plusMinus(gain, deviation float64) string { return fmt.Sprintf("%+.4f ± %.4f", gain, deviation) }

func (r *Result) chosen(out *bytes.Buffer) {
	if len(r.Chosen) == 0 {
		fmt.Fprint(out, "\nNothing was chosen: no change gains more than its standard error.\n")
		return
	}
	fmt.Fprint(out, "\nWhat was chosen, step by step, and what is lost on all queries when it alone is put back\n")
	table(out, func(row func(...string)) {
		row("formulas", "", "from", "to", "chosen in", "loss")
		for _, c := range r.Chosen {
			row(formulas(c.Kind), c.Element, c.From, c.To, fmt.Sprintf("%d of %d folds", c.Folds, r.Config.Folds), plusMinus(c.Loss, c.StdErr))
		}
	})
}

func (r *Result) estimates(out *bytes.Buffer) {
	fmt.Fprintf(out, "\nWhat it is worth: chosen on %d folds of %d, measured on the other, in turn\n", r.Config.Folds-1, r.Config.Folds)
	all := r.Estimate
	all.Name = "mean"
	rows := append([]Estimate{}, r.Templates...)
	if len(r.BySet) > 1 {
		rows = append(rows, r.BySet...)
	}
	r.estimated(out, append(rows, all))
	fmt.Fprintf(out, "  On the queries that it was chosen by it has %.4f.\n", r.Seen)
	if r.LeftOut != nil {
		fmt.Fprint(out, "\nStricter: chosen on the other sets, measured on one that nothing was learned from\n")
		r.estimated(out, r.LeftOut)
		for _, e := range r.LeftOut {
			if e.Choice != "" {
				fmt.Fprintf(out, "  Without %s: %s.\n", e.Name, e.Choice)
			}
		}
	}
}

func (r *Result) estimated(out *bytes.Buffer, estimates []Estimate) {
	paper := same(r.Config.Default, profile.Paper())
	table(out, func(row func(...string)) {
		cells := func(e Estimate, values, gains []string) []string {
			if !paper {
				return append(append([]string{e.Name}, values...), gains...)
			}
			return append(append([]string{e.Name}, values[0], values[1], values[2], values[4]), gains[:2]...)
		}
		row(cells(Estimate{}, []string{"queries", "one vector", "paper", "default", "learned"}, []string{"over one vector", "over the paper", "over the default"})...)
		for _, e := range estimates {
			values := []string{fmt.Sprint(e.Queries)}
			for _, v := range []float64{e.Baseline, e.Paper, e.Default, e.Learned} {
				values = append(values, fmt.Sprintf("%.4f", v))
			}
			row(cells(e, values, []string{gained(e.OverBaseline), gained(e.OverPaper), gained(e.OverDefault)})...)
		}
	})
}

func gained(i stats.Interval) string {
	return fmt.Sprintf("%+.4f [%+.4f, %+.4f]", i.Value, i.Low, i.High)
}

func (r *Result) calibrations(out *bytes.Buffer) {
	fmt.Fprint(out, `
Probabilities: 1/(1 + exp(-intercept - slope·z)), z the deviations above the mean of all
documents; measured on folds that took no part in the fit. Brier scores (below that of
the bare share of relevant documents is better) and errors of ten bins are over the
first hundred of each ranking
`)
	table(out, func(row func(...string)) {
		row("formulas", "queries", "intercept", "slope", "Brier", "bare share", "error")
		for _, c := range r.Calibrations {
			if c.Skipped != "" {
				row(string(c.Kind), fmt.Sprint(c.Queries), "none: "+c.Skipped)
				continue
			}
			cells := []string{string(c.Kind), fmt.Sprint(c.Queries), fmt.Sprintf("%.3f", c.Logistic.Intercept), fmt.Sprintf("%.3f", c.Logistic.Slope)}
			for _, v := range []float64{c.Brier, c.Unaided, c.Error} {
				cells = append(cells, fmt.Sprintf("%.3f", v))
			}
			row(cells...)
		}
	})
}

func (r *Result) verdict(out *bytes.Buffer) {
	gain := gained(r.Estimate.OverDefault)
	switch {
	case r.Worth:
		fmt.Fprintf(out, "\nThe evidence supports leaving the default: %s.\n", gain)
	case len(r.Chosen) == 0:
		fmt.Fprint(out, "\nThe evidence does not support leaving the defaults.\n")
	case r.Estimate.OverDefault.Low > 0:
		fmt.Fprintf(out, "\nThe evidence does not support leaving the defaults: %s on queries of the sets that were\nlearned from, and %s on sets that took no part.\n", gain, gained(r.LeftOut[len(r.LeftOut)-1].OverDefault))
	default:
		fmt.Fprintf(out, "\nThe evidence does not support leaving the defaults: %s.\n", gain)
	}
	for _, warning := range r.Estimate.OverDefault.Warnings {
		fmt.Fprintf(out, "Mind that %s.\n", warning)
	}
	if !r.Worth && r.Config.Force {
		fmt.Fprint(out, "What was learned is taken because it was asked for.\n")
	}
	fmt.Fprintf(out, "Taken: %s.\n", describe(r.Profile))
}
