package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// TableNames are the tables of the paper that Table writes.
func TableNames() []string {
	return []string{"main", "tiers", "templates", "recall", "significance", "deltas"}
}

// Table writes one of the paper's tables from this experiment, with the paper's
// own figures below it for orientation:
//
//	main          plain retrieval and reranking, each fusion, by template
//	tiers         the mean of every method
//	templates     every method by template
//	recall        recall@20 and recall@100 by template
//	significance  differences to plain retrieval, intervals and tests
//	deltas        similarities and deltas of single documents; see Observe
func (r *Report) Table(w io.Writer, name string, f Format) error {
	var t *table
	var err error
	switch name {
	case "main":
		t, err = r.mainTable()
	case "tiers":
		t = r.tiersTable()
	case "templates":
		t = r.templatesTable()
	case "recall":
		t = r.recallTable()
	case "significance":
		t, err = r.significanceTable()
	case "deltas":
		t, err = r.deltasTable()
	default:
		return fmt.Errorf("unknown table %q: it is one of %s", name, strings.Join(TableNames(), ", "))
	}
	if err != nil {
		return fmt.Errorf("making the table %s: %w", name, err)
	}
	if name != "deltas" && name != "tiers" && !slices.Equal(r.Templates, sets.Templates[:]) {
		t.notes = append(t.notes, "The set has other templates than the paper: where a template is the paper's, so is the figure below it.")
	}
	return r.write(w, t, f)
}

// concerns reports whether figures of a set in the paper are of interest here:
// those of the same data, or all where the set is another.
func (r *Report) concerns(set string) bool {
	own := strings.ToLower(r.Meta.Set)
	if !strings.Contains(own, "quest") && !strings.Contains(own, "coco") {
		return true
	}
	return strings.Contains(own, strings.ToLower(set[:4]))
}

// place puts the paper's six figures under the templates of this set, as text.
func (r *Report) place(figures [6]string) (out []string) {
	for _, t := range r.Templates {
		if i := slices.Index(sets.Templates[:], t); i >= 0 {
			out = append(out, figures[i])
		} else {
			out = append(out, "")
		}
	}
	return out
}

func three(values [6]float64) (out [6]string) {
	for i, v := range values {
		out[i] = fmt.Sprintf("%.3f", v)
	}
	return out
}

// publishedRows are the paper's rows below ours; empty stands in columns that
// the paper does not have.
func (r *Report) publishedRows(blocks []block, keys int, means bool, empty int) (out []line) {
	for _, b := range blocks {
		if !r.concerns(b.set) {
			continue
		}
		out = append(out, line{rule: true, title: "the paper, " + b.encoder + " on " + b.set})
		for _, p := range b.rows {
			texts := append([]string{p.method}, make([]string, keys-1)...)
			texts = append(texts, r.place(three(p.cells))...)
			if means {
				texts = append(texts, fmt.Sprintf("%.3f", p.mean))
			}
			out = append(out, line{cells: words(append(texts, make([]string, empty)...)...)})
		}
	}
	return out
}
