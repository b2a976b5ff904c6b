package pushdown

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// Vespa is a rank profile for the schema, and the queries that use it.
func Vespa(q *Query) (*Output, error) {
	r, err := newRequester(q)
	if err != nil {
		return nil, err
	}
	field := cmp.Or(q.Names.Vector, "embedding")
	if err := cmp.Or(vespaName(q.Names.Table), vespaName(field)); err != nil {
		return nil, err
	}
	where, err := r.vespaWhere(field)
	if err != nil {
		return nil, err
	}
	inputs := object{}
	for t, v := range r.vectors {
		inputs[fmt.Sprintf("input.query(q%d)", t)] = v
	}
	for j, v := range r.nears {
		inputs[fmt.Sprintf("input.query(near%d)", j)] = v
	}
	requests, err := r.gateRequests(func(value, k int) (Request, error) {
		profile := "nsfl"
		if value != q.Score.Root {
			profile = "nsfl_" + q.Score.Values[value].Name
		}
		body := object{"yql": "select * from " + q.Names.Table + " where " + where, "ranking": profile, "hits": k}
		for name, v := range inputs {
			body[name] = v
		}
		for g := range q.Score.Values[value].Needs {
			body[fmt.Sprintf("input.query(m%d)", g)] = r.maxima[g]
		}
		return Request{Method: "POST", Path: "/search/", Body: body}, nil
	})
	if err != nil {
		return nil, err
	}
	profile := Request{For: "to be put into the schema " + q.Names.Table, Body: r.vespaProfile(field)}
	return r.output("vespa", 0, []string{fmt.Sprintf("The field %s is tensor<float>(x[%d]), and an attribute.", field, len(q.Vectors[q.Score.Terms[0]]))},
		append([]Request{profile}, requests...)...)
}

// vespaProfile has a function for each value, and a profile for each gate that ranks by
// what is negated.
func (r *requester) vespaProfile(field string) string {
	write := infix{
		least: callTwo("min"), greatest: callTwo("max"),
		branch: func(less, than, then, otherwise string) string {
			return fmt.Sprintf("if(%s < %s, %s, %s)", less, than, then, otherwise)
		},
		cosine: func(term int) (string, int) {
			return fmt.Sprintf("cosine_similarity(query(q%d), attribute(%s), x)", term, field), closed
		},
		value:   func(i int) string { return r.Score.Values[i].Name },
		maximum: func(gate int) string { return fmt.Sprintf("query(m%d)", gate) },
	}
	var b strings.Builder
	b.WriteString("rank-profile nsfl {\n    inputs {\n")
	dimension := len(r.Vectors[r.Score.Terms[0]])
	for _, t := range r.Score.Terms {
		fmt.Fprintf(&b, "        query(q%d) tensor<float>(x[%d])\n", t, dimension)
	}
	for j := range r.nears {
		fmt.Fprintf(&b, "        query(near%d) tensor<float>(x[%d])\n", j, dimension)
	}
	for g := range r.maxima {
		fmt.Fprintf(&b, "        query(m%d) double: 1\n", g)
	}
	b.WriteString("    }\n")
	for _, v := range r.Score.Values {
		fmt.Fprintf(&b, "    function %s() { # %s\n        expression: %s\n    }\n", v.Name, comment(v.Of.String()), write.text(v.Expr))
	}
	fmt.Fprintf(&b, "    first-phase {\n        expression: %s\n    }\n}\n", write.value(r.Score.Root))
	for _, g := range r.Score.Gates {
		name := write.value(g.Value)
		fmt.Fprintf(&b, "rank-profile nsfl_%s inherits nsfl {\n    first-phase {\n        expression: max(0, %s)\n    }\n}\n", name, name)
	}
	return b.String()
}

// vespaWhere is what is ranked, in YQL.
func (r *requester) vespaWhere(field string) (string, error) {
	var lists []string
	for j := range r.nears {
		lists = append(lists, fmt.Sprintf("({targetHits: %d}nearestNeighbor(%s, near%d))", r.Candidates, field, j))
	}
	where := strings.Join(lists, " or ")
	switch {
	case len(lists) == 0:
		where = "true"
	case len(lists) > 1:
		where = "(" + where + ")"
	}
	if r.Filter == nil {
		return where, nil
	}
	condition, err := r.vespaFilter().write(r.Filter)
	return where + " and " + condition, err
}

func (r *requester) vespaFilter() *filterer[string] {
	join := func(sign string) func([]string) string {
		return func(of []string) string { return "(" + strings.Join(of, sign) + ")" }
	}
	return &filterer[string]{
		predicate: func(p *query.Predicate, negated bool) (out string, err error) {
			if err := vespaName(p.Field); err != nil {
				return "", err
			}
			switch v := r.Names.value(p).(type) {
			case float64:
				out = fmt.Sprintf("%s %s %s", p.Field, p.Op, number(v))
			case bool:
				out = fmt.Sprintf("%s = %t", p.Field, v)
			default:
				if p.Op != query.Equal {
					return "", fmt.Errorf("%s compares strings by their order, which Vespa cannot", comment(p.String()))
				}
				out = fmt.Sprintf("%s contains %s", p.Field, jsonText(p.Value))
			}
			if negated {
				out = "!(" + out + ")"
			}
			return out, nil
		},
		all: join(" and "), any: join(" or "),
	}
}

var vespaNames = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// vespaName refuses what nothing can be called in a schema.
func vespaName(name string) error {
	if !vespaNames.MatchString(name) {
		return fmt.Errorf("%q is no name of a schema or a field in Vespa", name)
	}
	return nil
}
