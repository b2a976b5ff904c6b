package elastic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/nsfl-go/nsfl/engine/remote"
)

type clause = map[string]any

func allOf(parts ...clause) clause { return clause{"bool": clause{"filter": parts}} }

func anyOf(parts ...clause) clause {
	return clause{"bool": clause{"should": parts, "minimum_should_match": 1}}
}

func noneOf(part clause) clause { return clause{"bool": clause{"must_not": part}} }

type request struct {
	Size   int    `json:"size"`
	From   int    `json:"from,omitempty"`
	Query  clause `json:"query,omitempty"`
	KNN    clause `json:"knn,omitempty"`
	Source any    `json:"_source"`
	Fields any    `json:"fields,omitempty"`
	Sort   any    `json:"sort,omitempty"`
	After  any    `json:"search_after,omitempty"`
	Sum    clause `json:"aggs,omitempty"`
	Count  bool   `json:"track_total_hits"`
	// Version requests the versions of the hits.
	Version bool `json:"seq_no_primary_term,omitempty"`
	Shard   int  `json:"-"` // the one to ask, if sorted
}

type hit struct {
	ID     string                     `json:"_id"`
	Score  *float64                   `json:"_score"`
	Source json.RawMessage            `json:"_source"`
	Fields map[string]json.RawMessage `json:"fields"`
	Sort   []int64                    `json:"sort"`
	Number *int64                     `json:"_seq_no"`
	Term   *int64                     `json:"_primary_term"`
}

// version returns the version of the document; empty: it was not requested.
func (h *hit) version() string {
	if h.Number == nil || h.Term == nil {
		return ""
	}
	return fmt.Sprint(*h.Number, ".", *h.Term)
}

type answer struct {
	Shards struct {
		Total  int `json:"total"`
		Failed int `json:"failed"`
	} `json:"_shards"`
	Hits *struct {
		Total *struct {
			Value int `json:"value"`
		} `json:"total"`
		Hits []hit `json:"hits"`
	} `json:"hits"`
	Sums map[string]struct {
		Value float64 `json:"value"`
	} `json:"aggregations"`
}

func unanswered(ctx context.Context, failed, total int) {
	if failed > 0 {
		remote.Degraded(ctx, fmt.Sprintf("%d of %d shards of the index did not answer", failed, total))
	}
}

// search sends a search. It fails if a shard does not answer, unless the call tolerates that.
func (c *client) search(ctx context.Context, r *request) (*answer, error) {
	path := fmt.Sprint("/_search?allow_partial_search_results=", remote.Tolerant(ctx))
	if r.Sort != nil {
		path += fmt.Sprint("&preference=_shards:", r.Shard)
	}
	a := new(answer)
	if err := c.ask(ctx, http.MethodPost, path, r, a); err != nil {
		return nil, err
	}
	unanswered(ctx, a.Shards.Failed, a.Shards.Total)
	return a, a.check(r)
}

func (a *answer) check(r *request) error {
	switch {
	case a.Hits == nil:
		return remote.BadAnswer("it has no hits")
	case len(a.Hits.Hits) > r.Size:
		return remote.BadAnswer("it has %d hits, and %d were asked for", len(a.Hits.Hits), r.Size)
	case r.Count && (a.Hits.Total == nil || a.Hits.Total.Value < 0):
		return remote.BadAnswer("it has no number of hits")
	}
	for i := range a.Hits.Hits {
		h := &a.Hits.Hits[i]
		switch {
		case h.ID == "":
			return remote.BadAnswer("a hit has no _id")
		case r.KNN != nil && h.Score == nil:
			return remote.BadAnswer("a hit has no score")
		case r.Sort != nil && len(h.Sort) != 1:
			return remote.BadAnswer("a hit has no place in the order")
		case r.Version && (h.Number == nil || h.Term == nil):
			return remote.BadAnswer("a hit has no version")
		}
	}
	return nil
}
