package pushdown

import (
	"encoding/json"
	"fmt"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// requester writes requests.
type requester struct {
	*Query
	parameters
	vectors map[int]any
	nears   []any
	maxima  []any
}

func newRequester(q *Query) (*requester, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	r := &requester{Query: q, vectors: map[int]any{}}
	for _, t := range q.Score.Terms {
		r.vectors[t] = r.put("vector", q.term(t), q.Vectors[t])
	}
	for j, v := range q.Near {
		r.nears = append(r.nears, r.put("vector", q.near(j), v))
	}
	for _, gate := range q.Score.Gates {
		p := r.add("number", "the largest score of "+comment(gate.Of.String())+", which a request before the last answers", nil)
		r.maxima = append(r.maxima, p.Name)
	}
	return r, nil
}

// put returns the name of a parameter or, with Inline, the value.
func (r *requester) put(kind, of string, value any) any {
	p := r.add(kind, of, value)
	if r.Inline {
		return p.Value
	}
	return p.Name
}

// output returns the requests with comments.
func (r *requester) output(target string, offset float64, notes []string, requests ...Request) (*Output, error) {
	out := &Output{Target: target, Requests: requests, Offset: offset, Notes: append(r.about(), notes...)}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "# "+format+"\n", args...) }
	line("%s", comment(r.Score.Formula.Root.String()))
	if r.Filter != nil {
		line("where %s", comment(r.Filter.String()))
	}
	for _, n := range out.Notes {
		line("%s", n)
	}
	for _, p := range r.list {
		if p.Value == nil || !r.Inline {
			line("%s  %s", p.Name, p.Of)
			out.Parameters = append(out.Parameters, p)
		}
	}
	for i, q := range requests {
		b.WriteByte('\n')
		line("%d: %s", i+1, q.For)
		fmt.Fprintf(&b, "%s %s\n", q.Method, q.Path)
		text, err := r.layout(q.Body)
		if err != nil {
			return nil, err
		}
		b.WriteString(text)
	}
	out.Text = b.String()
	return out, nil
}

// gateRequests returns the requests for the maxima and the search.
func (r *requester) gateRequests(make func(value int, k int) (Request, error)) ([]Request, error) {
	var out []Request
	for _, g := range r.Score.Gates {
		one, err := make(g.Value, 1)
		if err != nil {
			return nil, err
		}
		one.For = "the largest score of " + comment(g.Of.String())
		out = append(out, one)
	}
	last, err := make(r.Score.Root, r.K)
	last.For = "the search"
	return append(out, last), err
}

// layout formats JSON: on one line if it has whole vectors, otherwise indented.
func (r *requester) layout(body any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if !r.Inline {
		e.SetIndent("", " ")
	}
	err := e.Encode(body)
	return b.String(), err
}
