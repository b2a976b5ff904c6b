package pushdown

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// maxNearest is the maximum number of candidates for one vector.
const maxNearest = 10_000

type object = map[string]any

type searchWriter struct {
	*Query
	parameters
	field   string      // of the vectors
	vectors map[int]any // of the terms
	nears   []any
	maxima  []any
	matched object  // the query for the documents to rank
	offset  float64 // added to the score
}

// OpenSearch writes searches with a Painless script over a knn_vector field: one for the maximum
// of each gate, and the search itself.
func OpenSearch(q *Query) (*Output, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	// Lucene scores cannot be negative.
	w := &searchWriter{Query: q, field: cmp.Or(q.Names.Vector, "embedding"), vectors: map[int]any{}, offset: math.Max(0, math.Ceil(-q.Score.Least()))}
	if err := cmp.Or(checkName(q.Names.Table), checkName(w.field)); err != nil {
		return nil, err
	}
	if len(q.Near) > 0 && q.Candidates > maxNearest {
		return nil, fmt.Errorf("a pool of %d is wanted: OpenSearch gives %d at most; --mode exact ranks all documents", q.Candidates, maxNearest)
	}
	for _, t := range q.Score.Terms {
		w.vectors[t] = w.put("vector", q.term(t), q.Vectors[t])
	}
	for j, v := range q.Near {
		w.nears = append(w.nears, w.put("vector", q.near(j), v))
	}
	for _, gate := range q.Score.Gates {
		p := w.add("number", "the largest score of "+comment(gate.Of.String())+", which a request before the last answers", nil)
		w.maxima = append(w.maxima, p.Name)
	}
	var err error
	if w.matched, err = w.match(); err != nil {
		return nil, err
	}
	out := &Output{Target: "opensearch", Offset: w.offset, Notes: q.about()}
	for _, g := range q.Score.Gates {
		out.Requests = append(out.Requests, w.request("the largest score of "+comment(g.Of.String()), g.Value, 1))
	}
	out.Requests = append(out.Requests, w.request("the search", q.Score.Root, q.K))
	if w.offset > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("_score is the score plus %s, since it cannot be negative.", number(w.offset)))
	}
	if len(q.Near) > 0 {
		out.Notes = append(out.Notes, "Every shard gives a pool of its own.")
	}
	return out, w.write(out)
}

// put returns the name of a parameter or, with Inline, the value.
func (w *searchWriter) put(kind, of string, value any) any {
	p := w.add(kind, of, value)
	if w.Inline {
		return p.Value
	}
	return p.Name
}

func (w *searchWriter) request(purpose string, value, k int) Request {
	offset := 0.0
	if value == w.Score.Root {
		offset = w.offset
	}
	return Request{For: purpose, Method: "POST", Path: "/" + url.PathEscape(w.Names.Table) + "/_search", Body: object{
		"size": k, "_source": false,
		"query": object{"script_score": object{"query": w.matched, "script": w.script(value, offset)}},
	}}
}

// write sets the parameters of the output, and its text with comments.
func (w *searchWriter) write(out *Output) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "# "+format+"\n", args...) }
	line("%s", comment(w.Score.Formula.Root.String()))
	if w.Filter != nil {
		line("where %s", comment(w.Filter.String()))
	}
	for _, n := range out.Notes {
		line("%s", n)
	}
	for _, p := range w.list {
		if p.Value == nil || !w.Inline {
			line("%s  %s", p.Name, p.Of)
			out.Parameters = append(out.Parameters, p)
		}
	}
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if !w.Inline { // whole vectors are on one line
		e.SetIndent("", " ")
	}
	for i, r := range out.Requests {
		b.WriteByte('\n')
		line("%d: %s", i+1, r.For)
		fmt.Fprintf(&b, "%s %s\n", r.Method, r.Path)
		if err := e.Encode(r.Body); err != nil {
			return err
		}
	}
	out.Text = b.String()
	return nil
}

func (w *searchWriter) match() (object, error) {
	var filter any
	if w.Filter != nil {
		written, err := w.filter().write(w.Filter)
		if err != nil {
			return nil, err
		}
		filter = written
	}
	if len(w.Near) == 0 {
		all := []any{object{"exists": object{"field": w.field}}}
		if filter != nil {
			all = append(all, filter)
		}
		return object{"bool": object{"filter": all}}, nil
	}
	var lists []any
	for _, near := range w.nears {
		knn := object{"vector": near, "k": w.Candidates}
		if filter != nil {
			knn["filter"] = filter
		}
		lists = append(lists, object{"knn": object{w.field: knn}})
	}
	if len(lists) == 1 {
		return lists[0].(object), nil
	}
	return object{"bool": object{"should": lists}}, nil
}

func (w *searchWriter) script(value int, offset float64) object {
	params := object{}
	write := infix{
		least: callTwo("Math.min"), greatest: callTwo("Math.max"),
		branch: func(less, than, then, otherwise string) string {
			return fmt.Sprintf("(%s < %s ? %s : %s)", less, than, then, otherwise)
		},
		cosine: func(term int) (string, int) {
			name := fmt.Sprintf("q%d", term)
			params[name] = w.vectors[term]
			return fmt.Sprintf("cosineSimilarity(params.%s, doc[%s])", name, quotePainless(w.field)), closed
		},
		value: func(i int) string { return w.Score.Values[i].Name },
		maximum: func(gate int) string {
			name := fmt.Sprintf("m%d", gate)
			params[name] = w.maxima[gate]
			return "params." + name
		},
	}
	var lines []string
	for _, i := range w.Score.reads(value) {
		v := &w.Score.Values[i]
		lines = append(lines, fmt.Sprintf("double %s = %s;", v.Name, write.text(v.Expr)))
	}
	result := w.Score.Values[value].Name
	if offset > 0 {
		result += " + " + number(offset)
	}
	lines = append(lines, "return Math.max(0, "+result+");") // the maxima have been rounded
	return object{"source": strings.Join(lines, " "), "params": params}
}

func quotePainless(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

var rangeNames = map[query.Comparison]string{query.Less: "lt", query.LessEqual: "lte", query.Greater: "gt", query.GreaterEqual: "gte"}

func (w *searchWriter) filter() *filterer[object] {
	return &filterer[object]{
		predicate: func(p *query.Predicate, negated bool) (object, error) {
			out := object{"term": object{p.Field: w.Names.value(p)}}
			if p.Op == query.Glob {
				out = object{"wildcard": object{p.Field: object{"value": strings.NewReplacer(`\`, `\\`, "?", `\?`).Replace(p.Value)}}}
			} else if p.Op != query.Equal {
				out = object{"range": object{p.Field: object{rangeNames[p.Op]: w.Names.value(p)}}}
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
