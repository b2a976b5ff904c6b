package lab

import (
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// Summary is an Outcome in means. Those of the whole are means over templates,
// as in the paper, not over queries.
type Summary struct {
	MAP, MAPAll         float64
	Recall20, Recall100 float64
	NDCG10              float64
	Templates           []TemplateSummary
}

// TemplateSummary is the mean over the queries of one template.
type TemplateSummary struct {
	Template            string
	N                   int
	MAP, MAPAll         float64
	Recall20, Recall100 float64
	NDCG10              float64
}

// Summarize computes the means: the paper's templates in its order, then what
// else the set has.
func Summarize(o Outcome) Summary {
	var s Summary
	var names []string
	for i := range o.Queries {
		names = append(names, o.Queries[i].Query.Template)
	}
	for _, name := range Templates(names) {
		c := TemplateSummary{Template: name}
		for i := range o.Queries {
			q := &o.Queries[i]
			if q.Query.Template == name {
				c.N++
				c.MAP += q.AP
				c.MAPAll += q.APAll
				c.Recall20 += q.Recall20
				c.Recall100 += q.Recall100
				c.NDCG10 += q.NDCG10
			}
		}
		n := float64(c.N)
		c.MAP, c.MAPAll, c.Recall20, c.Recall100, c.NDCG10 = c.MAP/n, c.MAPAll/n, c.Recall20/n, c.Recall100/n, c.NDCG10/n
		s.Templates = append(s.Templates, c)
	}
	for _, c := range s.Templates {
		n := float64(len(s.Templates))
		s.MAP += c.MAP / n
		s.MAPAll += c.MAPAll / n
		s.Recall20 += c.Recall20 / n
		s.Recall100 += c.Recall100 / n
		s.NDCG10 += c.NDCG10 / n
	}
	return s
}

// Templates are those among some names, each once: the paper's in its order, then
// the others.
func Templates(names []string) (out []string) {
	for _, t := range slices.Concat(sets.Templates[:], names) {
		if slices.Contains(names, t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}
