package pushdown

import (
	"fmt"
	"net/url"

	"github.com/nsfl-go/nsfl/query"
)

// Chroma is a search by a rank expression. Each term is a Knn of its own, and a document
// counts that is among the candidates of all of them: none is scored by what is not known
// of it, but one that is far from any of the terms is left out.
func Chroma(q *Query) (*Output, error) {
	terms := *q
	terms.Near = nil // candidates are near to the terms
	r, err := newRequester(&terms)
	if err != nil {
		return nil, err
	}
	r.Query = q
	if err := checkName(q.Names.Table); err != nil {
		return nil, err
	}
	if len(q.Near) == 0 {
		return nil, fmt.Errorf("mode exact cannot be written for Chroma, which ranks what was found by vectors: take rerank or hybrid with as many candidates as there are documents")
	}
	var filter any
	if q.Filter != nil {
		if filter, err = r.chromaFilter().write(q.Filter); err != nil {
			return nil, err
		}
	}
	requests, err := r.gateRequests(func(value, k int) (Request, error) {
		rank, err := r.chromaRank(value)
		search := object{"rank": rank, "limit": object{"limit": k}, "select": object{"keys": []string{"#score"}}}
		if filter != nil {
			search["filter"] = filter
		}
		return Request{Method: "POST", Path: "/api/v2/tenants/TENANT/databases/DATABASE/collections/" + url.PathEscape(q.Names.Table) + "/search",
			Body: object{"searches": []any{search}}}, err
	})
	if err != nil {
		return nil, err
	}
	return r.output("chroma", 0, []string{
		"Noise floors are conditionals, of which Chroma has none, and make this long: --no-floors leaves them out.",
		"The collection's space is cosine. Its name in the path stands for its id.",
		"The lowest comes first: #score is the score times -1, and so is the answer to each request before the last.",
		fmt.Sprintf("What is not among the %d nearest to each of the terms is left out.", q.Candidates),
	}, requests...)
}

// chromaRank is a value, the lowest first. Every term is in it, were it with no weight, so
// that all requests are about the same documents.
func (r *requester) chromaRank(value int) (any, error) {
	read := map[int]bool{}
	knn := func(term int) any {
		read[term] = true
		k := object{"query": r.vectors[term], "limit": r.Candidates}
		if r.Names.Vector != "" {
			k["key"] = r.Names.Vector
		}
		return object{"$knn": k}
	}
	p := chromaPrefix(r.Score)
	p.cosine = func(term int) any { return object{"$sub": object{"left": object{"$val": 1}, "right": knn(term)}} }
	p.maximum = func(gate int) any { return object{"$val": r.maxima[gate]} }
	out, err := p.write(value)
	if err != nil {
		return nil, err
	}
	parts := []any{p.negative(out)}
	for _, t := range r.Score.Terms {
		if !read[t] {
			parts = append(parts, p.product(p.number(0), knn(t)))
		}
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return object{"$sum": parts}, nil
}

// chromaPrefix writes Chroma's rank expressions.
func chromaPrefix(s *Score) *prefix {
	value := func(x float64) any { return object{"$val": x} }
	product, greatest, least := list("$mul"), list("$max"), list("$min")
	const vast = 1e30 // times any difference of two cosines it is more than 1
	return &prefix{
		score: s, number: value, sum: list("$sum"), product: product, greatest: greatest, least: least,
		negative: func(x any) any { return product(value(-1), x) },
		quotient: func(x, y any) any { return object{"$div": object{"left": x, "right": y}} },
		positive: func(x any) any { return least(value(1), greatest(value(0), product(value(vast), x))) },
	}
}

var chromaSigns = map[query.Comparison]string{query.Equal: "$eq", query.Less: "$lt", query.LessEqual: "$lte", query.Greater: "$gt", query.GreaterEqual: "$gte"}

func (r *requester) chromaFilter() *filterer[object] {
	return &filterer[object]{
		predicate: func(p *query.Predicate, negated bool) (object, error) {
			v, sign := r.Names.value(p), chromaSigns[p.Op]
			_, isNumber := v.(float64)
			switch {
			case p.Op != query.Equal && !isNumber:
				return nil, fmt.Errorf("%s compares strings by their order, which Chroma cannot", comment(p.String()))
			case negated && p.Op != query.Equal:
				return nil, fmt.Errorf("NOT %s is true of documents without the field, too, which Chroma cannot say: write the opposite comparison", comment(p.String()))
			case negated:
				sign = "$ne"
			}
			return object{p.Field: object{sign: v}}, nil
		},
		all: func(of []object) object { return object{"$and": of} },
		any: func(of []object) object { return object{"$or": of} },
	}
}
