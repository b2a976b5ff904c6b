package pushdown

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// maxNearest is the maximum number of candidates for one vector.
const maxNearest = 10_000

// OpenSearch writes a search with a Painless script over a knn_vector field.
func OpenSearch(q *Query) (*Output, error) {
	r, err := newRequester(q)
	if err != nil {
		return nil, err
	}
	field := cmp.Or(q.Names.Vector, "embedding")
	if err := cmp.Or(checkName(q.Names.Table), checkName(field)); err != nil {
		return nil, err
	}
	if len(q.Near) > 0 && q.Candidates > maxNearest {
		return nil, fmt.Errorf("a pool of %d is wanted: OpenSearch gives %d at most; --mode exact ranks all documents", q.Candidates, maxNearest)
	}
	matched, err := r.matched(field)
	if err != nil {
		return nil, err
	}
	// Lucene scores cannot be negative.
	offset := math.Max(0, math.Ceil(-q.Score.Least()))
	requests, err := r.gateRequests(func(value, k int) (Request, error) {
		script := r.painless(value, field)
		if value == q.Score.Root && offset > 0 {
			script.text += " + " + number(offset)
		}
		script.text = "Math.max(0, " + script.text + ")" // the maxima have been rounded
		return Request{Method: "POST", Path: "/" + url.PathEscape(q.Names.Table) + "/_search", Body: object{
			"size": k, "_source": false,
			"query": object{"script_score": object{"query": matched, "script": object{"source": script.source(), "params": script.params}}},
		}}, nil
	})
	if err != nil {
		return nil, err
	}
	var notes []string
	if offset > 0 {
		notes = append(notes, fmt.Sprintf("_score is the score plus %s, since it cannot be negative.", number(offset)))
	}
	if len(q.Near) > 0 {
		notes = append(notes, "Every shard gives a pool of its own.")
	}
	return r.output("opensearch", offset, notes, requests...)
}

// matched returns the query for the documents to rank.
func (r *requester) matched(field string) (object, error) {
	var filter any
	if r.Filter != nil {
		written, err := r.luceneFilter().write(r.Filter)
		if err != nil {
			return nil, err
		}
		filter = written
	}
	if len(r.Near) == 0 {
		all := []any{object{"exists": object{"field": field}}}
		if filter != nil {
			all = append(all, filter)
		}
		return object{"bool": object{"filter": all}}, nil
	}
	var lists []any
	for _, near := range r.nears {
		knn := object{"vector": near, "k": r.Candidates}
		if filter != nil {
			knn["filter"] = filter
		}
		lists = append(lists, object{"knn": object{field: knn}})
	}
	if len(lists) == 1 {
		return lists[0].(object), nil
	}
	return object{"bool": object{"should": lists}}, nil
}

// painlessScript is a script and its parameters.
type painlessScript struct {
	lines  []string
	text   string // the value
	params object
}

func (s *painlessScript) source() string {
	return strings.Join(append(s.lines, "return "+s.text+";"), " ")
}

// painless returns a script that computes a value of the score.
func (r *requester) painless(value int, field string) *painlessScript {
	s := &painlessScript{params: object{}}
	write := infix{
		least: callTwo("Math.min"), greatest: callTwo("Math.max"),
		branch: func(less, than, then, otherwise string) string {
			return fmt.Sprintf("(%s < %s ? %s : %s)", less, than, then, otherwise)
		},
		cosine: func(term int) (string, int) {
			name := fmt.Sprintf("q%d", term)
			s.params[name] = r.vectors[term]
			return fmt.Sprintf("cosineSimilarity(params.%s, doc[%s])", name, quotePainless(field)), closed
		},
		value: func(i int) string { return r.Score.Values[i].Name },
		maximum: func(gate int) string {
			name := fmt.Sprintf("m%d", gate)
			s.params[name] = r.maxima[gate]
			return "params." + name
		},
	}
	for _, i := range r.Score.reads(value) {
		v := &r.Score.Values[i]
		s.lines = append(s.lines, fmt.Sprintf("double %s = %s;", v.Name, write.text(v.Expr)))
	}
	s.text = r.Score.Values[value].Name
	return s
}

func quotePainless(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

var rangeNames = map[query.Comparison]string{query.Less: "lt", query.LessEqual: "lte", query.Greater: "gt", query.GreaterEqual: "gte"}

func (r *requester) luceneFilter() *filterer[object] {
	return &filterer[object]{
		predicate: func(p *query.Predicate, negated bool) (object, error) {
			out := object{"term": object{p.Field: r.Names.value(p)}}
			if p.Op == query.Glob {
				out = object{"wildcard": object{p.Field: object{"value": strings.NewReplacer(`\`, `\\`, "?", `\?`).Replace(p.Value)}}}
			} else if p.Op != query.Equal {
				out = object{"range": object{p.Field: object{rangeNames[p.Op]: r.Names.value(p)}}}
			}
			if negated {
				out = object{"bool": object{"must_not": []any{out}}}
			}
			return out, nil
		},
		all: func(of []object) object { return object{"bool": object{"filter": of}} },
		any: func(of []object) object { return object{"bool": object{"should": of, "minimum_should_match": 1}} },
	}
}
