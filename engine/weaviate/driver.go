package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/internal/words"
)

type driver struct {
	*client
	calls   *remote.Calls
	address *remote.Address
	shards  []string
	dim     int
	class   *class
	roles   remote.Roles
}

// maxResults is how many results Weaviate gives of one search by default
// (QUERY_MAXIMUM_RESULTS), maxPage how many objects are requested at once.
const maxResults, maxPage = 10_000, 1000

func (d *driver) Size(ctx context.Context) (engine.Size, error) {
	reply := new(wire.AggregateReply)
	err := d.rpc.Ask(ctx, "Aggregate", &wire.AggregateRequest{Collection: d.address.Collection, Tenant: d.address.Settings["tenant"], ObjectsCount: true}, reply)
	n := int(reply.GetSingleResult().GetObjectsCount())
	return engine.Size{Documents: n, Vectors: n, Dimension: d.dim}, err
}

// request returns a request for the wanted parts of objects.
//
// It asks one replica. With more, Weaviate compares the replicas and repairs one that is behind
// with the result: an object without the properties that were not requested.
func (d *driver) request(want remote.Want) *wire.SearchRequest {
	judged := want.Fields()
	r := &wire.SearchRequest{
		Collection: d.address.Collection, Tenant: d.address.Settings["tenant"], Uses_127Api: true,
		ConsistencyLevel: wire.ConsistencyLevel_CONSISTENCY_LEVEL_ONE, Metadata: &wire.MetadataRequest{Uuid: true},
	}
	r.Properties = d.class.ask(func(p *property) bool {
		switch p.Name {
		case d.roles.ID:
			return true
		case d.roles.Text:
			return want.All().Has(engine.Texts)
		case d.roles.Title:
			return want.All().Has(engine.Titles)
		case d.roles.Metadata:
			return want.All().Has(engine.Metadata)
		}
		return want.Parts.Has(engine.Metadata) || judged[p.Name]
	})
	switch {
	case !want.Parts.Has(engine.Vectors):
	case len(d.class.VectorConfig) == 0:
		r.Metadata.Vector = true
	default:
		r.Metadata.Vectors = []string{d.roles.Vector}
	}
	return r
}

func (d *driver) entry(r *wire.SearchResult, want remote.Want) (*remote.Entry, error) {
	k, err := keyIn(r)
	if err != nil {
		return nil, err
	}
	fields := map[string]json.RawMessage{}
	for name, v := range r.GetProperties().GetNonRefProps().GetFields() {
		if x := valueOf(v); x != nil {
			if fields[name], err = remote.Marshal(x); err != nil {
				return nil, err
			}
		}
	}
	id := k.String()
	if d.roles.ID != objectID {
		id = remote.TextOf(fields[d.roles.ID])
	}
	e := &remote.Entry{Ref: k.ref(), Mark: k.String}
	if e.Document, err = d.roles.Document(id, fields, want); err == nil && want.Parts.Has(engine.Vectors) {
		e.Vector, err = d.vectorIn(r)
	}
	return e, err
}

// vectorIn returns the vector of a result; nil: it has none.
func (d *driver) vectorIn(r *wire.SearchResult) ([]float32, error) {
	raw := r.GetMetadata().GetVectorBytes()
	for _, m := range r.GetMetadata().GetVectors() {
		if m.GetName() == d.roles.Vector {
			raw = m.GetVectorBytes()
		}
	}
	if len(raw)%4 != 0 || d.dim > 0 && len(raw) > 0 && len(raw) != 4*d.dim {
		return nil, fmt.Errorf("a stored vector has %d bytes, the others have %d", len(raw), 4*d.dim)
	}
	if len(raw) == 0 {
		return nil, nil
	}
	return remote.UnpackVector(raw), nil
}

func keyIn(r *wire.SearchResult) (key, error) {
	k, err := parseKey(r.GetMetadata().GetId())
	if err != nil {
		return k, fmt.Errorf("the server has found %w: %w", err, errGarbage)
	}
	return k, nil
}

// Nearest requests vectors with the results.
func (d *driver) Nearest(ctx context.Context, vector []float32, limit int, where remote.Where, want remote.Want, _ bool) (hits []remote.Hit, err error) {
	const bytes = 32 << 20 // of vectors in a message
	r := d.request(want)
	r.Filters, _ = where.Native.(*wire.Filters)
	r.NearVector = &wire.NearVector{Vectors: []*wire.Vectors{vectorMessage(d.roles.Vector, vector)}}
	if len(d.class.VectorConfig) > 0 {
		r.NearVector.Targets = &wire.Targets{TargetVectors: []string{d.roles.Vector}}
	}
	err = d.results(ctx, r, limit, max(1, bytes/(4*d.dim)), func(r *wire.SearchResult) error {
		e, err := d.entry(r, want)
		if err == nil {
			hits = append(hits, remote.Hit{Ref: e.Ref, Entry: e})
		}
		return err
	})
	return hits, err
}

// Matching searches the text and the title by BM25, if they are indexed for it.
func (d *driver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) (refs []engine.Ref, err error) {
	var properties []string
	for _, name := range []string{d.roles.Text, d.roles.Title} {
		if p := d.class.property(name); p != nil && p.IndexSearchable {
			properties = append(properties, name)
		}
	}
	if len(properties) == 0 {
		return nil, ctx.Err()
	}
	r := d.request(remote.Want{})
	r.Filters, _ = where.Native.(*wire.Filters)
	r.Bm25Search = &wire.BM25{Query: remote.Forms(needles), Properties: properties}
	err = d.results(ctx, r, limit, maxPage, func(r *wire.SearchResult) error {
		k, err := keyIn(r)
		refs = append(refs, k.ref())
		return err
	})
	return refs, err
}

func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	var keys []string
	for _, r := range refs {
		if _, err := parseKey(r.Key); err == nil {
			keys = append(keys, r.Key)
		}
	}
	if len(keys) == 0 {
		return ctx.Err()
	}
	return d.meeting(ctx, withKeys(keys), len(keys), want, visit)
}

func (d *driver) Get(ctx context.Context, id string, want remote.Want, visit func(*remote.Entry) error) error {
	if d.roles.ID == objectID {
		return d.Read(ctx, []engine.Ref{{Key: id}}, want, visit)
	}
	p := d.class.property(d.roles.ID)
	equal, ok := d.class.equal(p, id)
	switch {
	case !utf8.ValidString(id), !ok && strings.ContainsRune(id, 0), ok && equal == nil:
		return nil
	case !ok:
		return fmt.Errorf("the property %s cannot be looked up (its type is %s, filterable: %t): name another for the id, or none", p.Name, p.kind(), p.IndexFilterable)
	}
	return d.meeting(ctx, equal, maxPage, want, visit)
}

// meeting visits the objects that meet a condition, which must fit into one message.
func (d *driver) meeting(ctx context.Context, f *wire.Filters, limit int, want remote.Want, visit func(*remote.Entry) error) error {
	r := d.request(want)
	r.Filters, r.Limit = f, uint32(limit)
	results, err := d.search(ctx, r)
	if err != nil {
		return err
	}
	return remote.VisitEach(len(results), func(i int) (*remote.Entry, error) { return d.entry(results[i], want) }, visit)
}

// Page visits all objects in the order of UUIDs: Weaviate cannot combine this order with a
// filter.
func (d *driver) Page(ctx context.Context, after string, limit int, _ remote.Where, want remote.Want, visit func(*remote.Entry) (bool, error)) error {
	from, err := parseKey(after)
	if err != nil && after != "" {
		return remote.BadMark(after)
	}
	return d.pages(ctx, d.request(want), from, limit, func(r *wire.SearchResult) (bool, error) {
		e, err := d.entry(r, want)
		if err != nil || e.ID == "" {
			return true, err
		}
		return visit(e)
	})
}

// pages visits objects in the order of their keys after one, in messages of as many as fit,
// until there are no more or visit returns false.
func (d *driver) pages(ctx context.Context, r *wire.SearchRequest, after key, limit int, visit func(*wire.SearchResult) (more bool, err error)) error {
	for page := min(maxPage, limit); ; {
		r.Limit, r.After = uint32(page), after.String()
		results, err := d.search(ctx, r)
		if errors.Is(err, remote.ErrLarge) && page > 1 {
			page /= 2
			continue
		}
		if err != nil {
			return err
		}
		for _, result := range results {
			k, err := keyIn(result)
			if err != nil {
				return err
			}
			if slices.Compare(k[:], after[:]) <= 0 {
				return errors.Join(errors.New("objects do not come in the order of their keys"), errGarbage)
			}
			after = k
			if more, err := visit(result); err != nil || !more {
				return err
			}
		}
		if len(results) < page {
			return nil
		}
	}
}

func (d *driver) results(ctx context.Context, r *wire.SearchRequest, limit, page int, visit func(*wire.SearchResult) error) error {
	for n := 0; n < limit; {
		want := min(page, limit-n)
		r.Limit, r.Offset = uint32(want), uint32(n)
		results, err := d.search(ctx, r)
		if errors.Is(err, remote.ErrLarge) && want > 1 {
			page = want / 2
			continue
		}
		if err != nil {
			return err
		}
		for _, result := range results {
			if err := visit(result); err != nil {
				return err
			}
		}
		if n += len(results); len(results) < want {
			return nil
		}
	}
	return nil
}
