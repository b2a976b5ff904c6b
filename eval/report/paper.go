package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// PaperTable is a table of the paper that Table writes.
type PaperTable struct {
	Name, About string
	make        func(*Report) (*Table, error)
}

// Tables lists the tables of the paper, in its order.
var Tables = []PaperTable{
	{"main", "Plain retrieval and reranking by template: the paper's main results", (*Report).mainTable},
	{"tiers", "The mean of every method: the paper's ablation of tiers", (*Report).tiersTable},
	{"templates", "Every method by template: the paper's ablation in full", (*Report).templatesTable},
	{"recall", "Recall@20 and recall@100 by template", (*Report).recallTable},
	{"significance", "Differences to plain retrieval with intervals and tests", (*Report).significanceTable},
	{"deltas", "Similarities and deltas of single documents: the paper's delta extraction", (*Report).deltasTable}, // see Observe
}

// Table writes one of the paper's tables for this experiment, with the paper's own figures
// below it for orientation.
func (r *Report) Table(w io.Writer, name string) error {
	at := slices.IndexFunc(Tables, func(t PaperTable) bool { return t.Name == name })
	if at < 0 {
		return fmt.Errorf("unknown table %q", name)
	}
	t, err := Tables[at].make(r)
	if err != nil {
		return fmt.Errorf("making the table %s: %w", name, err)
	}
	if name != "deltas" && name != "tiers" && !slices.Equal(r.Templates, sets.Templates[:]) {
		t.Notes = append(t.Notes, "The set has other templates than the paper; the paper's figures are below the templates they share.")
	}
	return r.write(w, t)
}

// concerns reports whether the paper's figures for a set are relevant here: those for the
// same data, or all if this set is not one of the paper's.
func (r *Report) concerns(set string) bool {
	own := strings.ToLower(r.Meta.Set)
	if !strings.Contains(own, "quest") && !strings.Contains(own, "coco") {
		return true
	}
	return strings.Contains(own, strings.ToLower(set[:4]))
}

// place puts the paper's six figures in the columns of this set's templates.
func (r *Report) place(figures [6]float64) (out []cell) {
	for _, t := range r.Templates {
		if i := slices.Index(sets.Templates[:], t); i >= 0 {
			out = append(out, cell{Text: three(figures[i])})
		} else {
			out = append(out, cell{})
		}
	}
	return out
}

// published adds the paper's rows below ours.
func (r *Report) published(t *Table, blocks ...block) {
	for _, b := range blocks {
		if !r.concerns(b.Set) {
			continue
		}
		t.Rows = append(t.Rows, line{Title: "the paper, " + b.Encoder + " on " + b.Set})
		for _, p := range b.Rows {
			last := ""
			if p.Union != 0 {
				last = change(p.Union)
			}
			t.Rows = append(t.Rows, line{Cells: slices.Concat(named(p.Method, t.Left), r.place(p.Cells), words(three(p.Mean), "", last))})
		}
	}
}

// named returns the first cells of a row, with only a name in them.
func named(name string, n int) []cell { return append(words(name), make([]cell, n-1)...) }
