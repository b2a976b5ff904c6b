package lab

import (
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// Means are the means of measures over several queries, or over several templates.
type Means struct {
	MAP, MAPAll         float64
	Recall20, Recall100 float64
	NDCG10              float64
}

func (m *Means) add(o Means) {
	*m = Means{m.MAP + o.MAP, m.MAPAll + o.MAPAll, m.Recall20 + o.Recall20, m.Recall100 + o.Recall100, m.NDCG10 + o.NDCG10}
}

func (m Means) over(n int) Means {
	d := float64(n)
	return Means{m.MAP / d, m.MAPAll / d, m.Recall20 / d, m.Recall100 / d, m.NDCG10 / d}
}

// Summary is an Outcome in means. The overall means are over templates, as in the paper, not
// over queries.
type Summary struct {
	Means
	Templates []TemplateSummary
}

// TemplateSummary is the mean over the queries of one template.
type TemplateSummary struct {
	Template string
	N        int
	Means
}

// Summarize computes the means: the paper's templates in its order, then the set's other
// templates.
func Summarize(o Outcome) Summary {
	var s Summary
	var names []string
	for i := range o.Queries {
		names = append(names, o.Queries[i].Query.Template)
	}
	for _, name := range Templates(names) {
		c := TemplateSummary{Template: name}
		for i := range o.Queries {
			if q := &o.Queries[i]; q.Query.Template == name {
				c.N++
				c.add(Means{q.AP, q.APAll, q.Recall20, q.Recall100, q.NDCG10})
			}
		}
		c.Means = c.over(c.N)
		s.Templates = append(s.Templates, c)
	}
	for _, c := range s.Templates {
		s.add(c.over(len(s.Templates)))
	}
	return s
}

// Templates returns the distinct templates among names: the paper's in its order, then the
// others.
func Templates(names []string) (out []string) {
	for _, t := range slices.Concat(sets.Templates[:], names) {
		if slices.Contains(names, t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
