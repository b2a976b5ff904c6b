package elastic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

// layout describes how an index stores documents: managed or attached.
type layout interface {
	// documents is the query that all documents answer.
	documents() clause
	// vectors is the field of vectors that documents, or passages, are found by, with the
	// query that all answer which have one.
	vectors(passages bool) (field string, all clause)
	// cosine returns the cosine for the score of a vector of length 1.
	cosine(score float64) float64
	// rows is the field that has how many vectors a document has; empty: one.
	rows() string
	// ask asks for some parts of documents, and stored reads them.
	ask(r *request, parts engine.Parts)
	stored(h *hit, parts engine.Parts) (*remote.Stored, error)
	// key is the _id of the document that has an id; empty: none has it.
	key(id string) string
	// predicate narrows a search to the documents that satisfy p.
	predicate(p *query.Predicate) bound
}

// driver asks a server about one index.
type driver struct {
	*client
	calls  *remote.Calls
	layout layout
	dim    int
	shards int
	texts  []string // the fields that are searched by words
}

func (d *driver) Close() error {
	d.http.CloseIdleConnections()
	return nil
}

// maxResults is how many documents Elasticsearch finds by vectors, and how many it gives at
// once; pageDocuments is how many are asked for at once.
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

// request returns a request for documents with as many in an answer as should fit.
func (d *driver) request(want remote.Want) *request {
	parts := partsOf(want)
	r := &request{Size: pageDocuments, Version: true}
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		const bytes, digits = 8 << 20, 12
		r.Size = max(1, min(r.Size, bytes/(digits*d.dim)))
	}
	d.layout.ask(r, parts)
	return r
}

// partsOf are the parts that are asked for: of metadata all, where some is wanted.
func partsOf(want remote.Want) engine.Parts {
	if want.Filter != nil {
		return want.Parts | engine.Metadata
	}
	return want.Parts
}

// entry decodes a document.
func (d *driver) entry(h *hit, want remote.Want) (*remote.Entry, error) {
	stored, err := d.layout.stored(h, partsOf(want))
	if err != nil {
		return nil, err
	}
	e := &remote.Entry{Ref: engine.Ref{Key: h.ID}, Version: h.version()}
	e.Document, err = stored.Document(partsOf(want))
	return e, err
}

// Read asks for documents, in several requests at the same time.
func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	return d.visit(ctx, refs, d.request(want), func(h *hit) error {
		e, err := d.entry(h, want)
		if err != nil {
			return err
		}
		return visit(e)
	})
}

// visit sends r for the documents of refs, in several concurrent requests.
func (d *driver) visit(ctx context.Context, refs []engine.Ref, r *request, f func(*hit) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var keys []string
	for _, r := range refs {
		if r.Key != "" {
			keys = append(keys, r.Key)
		}
	}
	slices.Sort(keys)
	pieces := slices.Collect(slices.Chunk(slices.Compact(keys), r.Size))
	return each(ctx, len(pieces), func(ctx context.Context, i int) error { return d.ofKeys(ctx, pieces[i], *r, f) })
}

// ofKeys asks for documents by their keys, in two halves where an answer would be too long.
func (d *driver) ofKeys(ctx context.Context, keys []string, r request, f func(*hit) error) error {
	r.Size, r.Query = len(keys), allOf(clause{"ids": clause{"values": keys}}, d.layout.documents())
	a, err := d.search(ctx, &r)
	if half := len(keys) / 2; errors.Is(err, errLarge) && half > 0 {
		if err := d.ofKeys(ctx, keys[:half], r, f); err != nil {
			return err
		}
		return d.ofKeys(ctx, keys[half:], r, f)
	}
	if err != nil {
		return err
	}
	for i := range a.Hits.Hits {
		h := &a.Hits.Hits[i]
		if _, asked := slices.BinarySearch(keys, h.ID); !asked {
			return &formError{fmt.Sprintf("it has the document %.64q, which was not asked for", h.ID)}
		}
		if err := f(h); err != nil {
			return err
		}
	}
	return nil
}

// Matching asks BM25.
func (d *driver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	if len(d.texts) == 0 {
		return nil, ctx.Err()
	}
	var forms []string
	for _, n := range needles {
		forms = append(forms, n.Written...)
	}
	return d.matching(ctx, clause{"multi_match": clause{"query": strings.Join(forms, " "), "fields": d.texts, "type": "most_fields"}}, limit, where)
}

// matching returns the documents that match best.
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

// Sample returns the documents that come first by a number that is made of when they were
// written and looks like chance.
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
