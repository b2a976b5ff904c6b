package elastic

import (
	"context"
	"maps"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// layout describes how an index stores documents: managed or attached.
type layout interface {
	// documents returns a query that matches all documents.
	documents() clause
	// vectors returns the field with the vectors of documents or of passages, and a query that
	// matches the documents that have it.
	vectors(passages bool) (field string, all clause)
	// cosine returns the cosine for the score of a vector of length 1.
	cosine(score float64) float64
	// rows returns the field with the number of vectors of a document; empty: each has one.
	rows() string
	// ask requests some parts of documents, and document decodes them.
	ask(r *request, parts engine.Parts)
	document(h *hit, want remote.Want) (engine.Document, error)
	// key returns the _id of the document with an id; empty: there is none.
	key(id string) string
	// predicate compiles a predicate.
	predicate(p *query.Predicate) bound
}

type driver struct {
	*client
	calls  *remote.Calls
	layout layout
	dim    int
	shards int
	texts  []string // the fields that are searched by words
}

// maxResults is the maximum number of results of a search, and pageDocuments the number of
// documents that are requested at once.
const maxResults, pageDocuments = 10_000, 1000

func (d *driver) Size(ctx context.Context) (engine.Size, error) {
	r := &request{Query: allOf(d.layout.documents()), Source: false, Count: true}
	const sum = "vectors"
	if field := d.layout.rows(); field != "" {
		r.Sum = clause{sum: clause{"sum": clause{"field": field}}}
	}
	a, err := d.search(ctx, r)
	if err != nil {
		return engine.Size{}, err
	}
	size := engine.Size{Documents: a.Hits.Total.Value, Vectors: a.Hits.Total.Value, Dimension: d.dim}
	if r.Sum != nil {
		size.Vectors = int(a.Sums[sum].Value)
	}
	return size, nil
}

func (d *driver) Count(ctx context.Context, where remote.Where, passages bool, _ int) (int, error) {
	_, all := d.layout.vectors(passages)
	a, err := d.search(ctx, &request{Query: narrowed(where, all), Source: false, Count: true})
	if err != nil {
		return 0, err
	}
	return a.Hits.Total.Value, nil
}

func (d *driver) Get(ctx context.Context, id string, want remote.Want, visit func(*remote.Entry) error) error {
	return d.Read(ctx, []engine.Ref{{Key: d.layout.key(id)}}, want, visit)
}

func (d *driver) Nearest(ctx context.Context, vector []float32, limit int, where remote.Where, _ remote.Want, passages bool) ([]remote.Hit, error) {
	// With more candidates the index overlooks fewer documents.
	const more, least = 2, 200
	field, _ := d.layout.vectors(passages)
	knn := clause{"field": field, "query_vector": vector, "k": limit, "num_candidates": min(max(more*limit, least), maxResults)}
	if e, ok := where.Native.(expr); ok {
		knn["filter"] = e.clause
	}
	a, err := d.search(ctx, &request{Size: limit, Source: false, KNN: knn, Version: true})
	if err != nil {
		return nil, err
	}
	hits := make([]remote.Hit, len(a.Hits.Hits))
	for i := range hits {
		h := &a.Hits.Hits[i]
		hits[i] = remote.Hit{Ref: engine.Ref{Key: h.ID}, Score: min(max(d.layout.cosine(*h.Score), -1), 1), Version: h.version()}
	}
	return hits, nil
}

func (d *driver) request(want remote.Want) *request {
	r := &request{Size: pageDocuments, Version: true}
	d.layout.ask(r, want.All())
	return r
}

func (d *driver) entry(h *hit, want remote.Want) (e *remote.Entry, err error) {
	e = &remote.Entry{Ref: engine.Ref{Key: h.ID}, Version: h.version()}
	e.Document, err = d.layout.document(h, want)
	return e, err
}

func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	return d.visit(ctx, refs, d.request(want), func(h *hit) error {
		e, err := d.entry(h, want)
		if err != nil {
			return err
		}
		return visit(e)
	})
}

func (d *driver) visit(ctx context.Context, refs []engine.Ref, r *request, f func(*hit) error) error {
	asked := map[string]bool{}
	for _, r := range refs {
		if r.Key != "" {
			asked[r.Key] = true
		}
	}
	if len(asked) == 0 {
		return ctx.Err()
	}
	r.Size, r.Query = len(asked), allOf(clause{"ids": clause{"values": slices.Collect(maps.Keys(asked))}}, d.layout.documents())
	a, err := d.search(ctx, r)
	if err != nil {
		return err
	}
	for i := range a.Hits.Hits {
		h := &a.Hits.Hits[i]
		if !asked[h.ID] {
			return remote.BadAnswer("it has the document %.64q, which was not asked for", h.ID)
		}
		if err := f(h); err != nil {
			return err
		}
	}
	return nil
}

func (d *driver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	if len(d.texts) == 0 {
		return nil, ctx.Err()
	}
	return d.matching(ctx, clause{"multi_match": clause{"query": remote.Forms(needles), "fields": d.texts, "type": "most_fields"}}, limit, where)
}

func (d *driver) matching(ctx context.Context, match clause, limit int, where remote.Where) ([]engine.Ref, error) {
	r := &request{Size: min(limit, maxResults), Source: false, Query: narrowed(where, d.layout.documents())}
	r.Query["bool"].(clause)["must"] = match
	a, err := d.search(ctx, r)
	if err != nil {
		return nil, err
	}
	return refsOf(a), nil
}

func refsOf(a *answer) []engine.Ref {
	refs := make([]engine.Ref, len(a.Hits.Hits))
	for i := range refs {
		refs[i].Key = a.Hits.Hits[i].ID
	}
	return refs
}

// Sample returns the documents with the largest pseudo-random scores, which depend on their
// sequence numbers alone.
func (d *driver) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	a, err := d.search(ctx, &request{Size: min(n, maxResults), Source: false, Query: clause{"function_score": clause{
		"query": allOf(d.layout.documents()), "boost_mode": "replace",
		"random_score": clause{"seed": 1, "field": "_seq_no"},
	}}})
	if err != nil {
		return nil, err
	}
	return refsOf(a), nil
}
