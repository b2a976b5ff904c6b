package pushdown

import (
	"fmt"
	"net/url"

	"github.com/nsfl-go/nsfl/query"
)

// Qdrant writes a query with a formula over the scores of prefetches, one for each term. Each
// prefetch compares the same candidates with the term's vector, because a document that a
// prefetch does not return would count as having similarity 0.
//
// Qdrant has neither minimum, maximum nor conditionals over scores; they are made of absolute
// values.
func Qdrant(q *Query) (*Output, error) {
	r, err := newRequester(q)
	if err != nil {
		return nil, err
	}
	if err := checkName(q.Names.Table); err != nil {
		return nil, err
	}
	if len(q.Near) == 0 {
		return nil, fmt.Errorf("mode exact cannot be written for Qdrant, whose formulas only rank candidates; use hybrid or rerank with many candidates")
	}
	var filter any
	if q.Filter != nil {
		if filter, err = r.qdrantFilter().write(q.Filter); err != nil {
			return nil, err
		}
	}
	pool := make([]object, len(r.nears))
	for j, near := range r.nears {
		pool[j] = r.using(object{"query": near, "limit": q.Candidates})
		if filter != nil {
			pool[j]["filter"] = filter
		}
	}
	requests, err := r.gateRequests(func(value, k int) (Request, error) {
		body, err := r.qdrantBody(value, k, pool)
		return Request{Method: "POST", Path: "/collections/" + url.PathEscape(q.Names.Table) + "/points/query", Body: body}, err
	})
	if err != nil {
		return nil, err
	}
	return r.output("qdrant", 0, []string{`The collection's distance is Cosine.`}, requests...)
}

// using adds the name of the vector, if it has one.
func (r *requester) using(o object) object {
	if r.Names.Vector != "" {
		o["using"] = r.Names.Vector
	}
	return o
}

// qdrantBody returns the request that ranks candidates by a value.
func (r *requester) qdrantBody(value, k int, pool []object) (object, error) {
	var prefetches []object
	at := map[int]int{} // the prefetches of terms
	defaults := object{}
	p := qdrantPrefix(r.Score)
	p.cosine = func(term int) any {
		if _, ok := at[term]; !ok {
			at[term] = len(prefetches)
			prefetches = append(prefetches, r.using(object{
				"prefetch": pool, "query": r.vectors[term], "limit": r.Candidates * len(pool), "params": object{"exact": true},
			}))
		}
		return fmt.Sprintf("$score[%d]", at[term])
	}
	p.maximum = func(gate int) any {
		name := fmt.Sprintf("nsfl_m%d", gate) // a payload key that no point has
		defaults[name] = r.maxima[gate]
		return name
	}
	formula, err := p.write(value)
	if err != nil {
		return nil, err
	}
	return object{"prefetch": prefetches, "query": object{"formula": formula, "defaults": defaults}, "limit": k}, nil
}

func qdrantPrefix(s *Score) *prefix {
	sum, product := list("sum"), list("mult")
	negative := func(x any) any { return object{"neg": x} }
	absolute := func(x any) any { return object{"abs": x} }
	quotient := func(x, y any) any { return object{"div": object{"left": x, "right": y, "by_zero_default": 0}} }
	// (x + y ± |x − y|) / 2
	extreme := func(x, y, distance any) any { return product(0.5, sum(sum(x, y), distance)) }
	return &prefix{
		score: s, number: func(x float64) any { return x }, sum: sum, product: product, negative: negative, quotient: quotient,
		greatest: func(x, y any) any {
			if x == 0.0 {
				return product(0.5, sum(y, absolute(y)))
			}
			return extreme(x, y, absolute(sum(x, negative(y))))
		},
		least: func(x, y any) any { return extreme(x, y, negative(absolute(sum(x, negative(y))))) },
		positive: func(x any) any {
			// (1 + x/|x|) / 2 is 1, 0, or 1/2 for x = 0; the power makes that 0.
			return object{"pow": object{"base": product(0.5, sum(1.0, quotient(x, absolute(x)))), "exponent": 100}}
		},
	}
}

func (r *requester) qdrantFilter() *filterer[object] {
	return &filterer[object]{
		predicate: func(p *query.Predicate, negated bool) (object, error) {
			out := object{"key": p.Field}
			switch v := r.Names.value(p).(type) {
			case float64:
				out["range"] = object{"gte": v, "lte": v}
				if p.Op != query.Equal {
					out["range"] = object{rangeNames[p.Op]: v}
				}
			default:
				if p.Op == query.Glob {
					return nil, fmt.Errorf("%s has a *, for which Qdrant has no filter", comment(p.String()))
				} else if p.Op != query.Equal {
					return nil, fmt.Errorf("%s compares strings by their order, which Qdrant cannot", comment(p.String()))
				}
				out["match"] = object{"value": v}
			}
			if negated {
				return object{"must_not": []any{out}}, nil
			}
			return object{"must": []any{out}}, nil
		},
		all: func(of []object) object { return object{"must": of} },
		any: func(of []object) object { return object{"should": of} },
	}
}
