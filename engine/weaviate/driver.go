package weaviate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

// driver asks the servers that a class is on.
type driver struct {
	calls   *remote.Calls
	address *address
	hosts   []*host
	current atomic.Uint32 // the host to ask first
	at      placement     // of the objects
	dim     int
	class   *class
	roles   remote.Roles
}

// Missing asks the cluster which of its nodes answer.
func (d *driver) Missing(ctx context.Context) (string, error) { return d.at.missing(ctx, hostOf(ctx)) }

// Size counts objects, those without a vector too.
func (d *driver) Size(ctx context.Context) (engine.Size, error) {
	reply, err := hostOf(ctx).aggregate(ctx, &wire.AggregateRequest{Collection: d.address.collection, Tenant: d.address.tenant, ObjectsCount: true})
	n := int(reply.GetSingleResult().GetObjectsCount())
	return engine.Size{Documents: n, Vectors: n, Dimension: d.dim}, err
}

// isMetadata reports whether a property is metadata, or has it.
func (d *driver) isMetadata(name string) bool {
	return name != d.roles.ID && name != d.roles.Text && name != d.roles.Title
}

// request returns a request for the wanted parts of objects.
func (d *driver) request(want remote.Want) *wire.SearchRequest {
	judged := map[string]bool{}
	if want.Filter != nil {
		judged[d.roles.Metadata] = true
		for leaf := range query.Leaves(want.Filter) {
			if p, ok := leaf.(*query.Predicate); ok {
				for at := range len(p.Field) + 1 { // an object a in which b.c or b is
					if at == len(p.Field) || p.Field[at] == '.' {
						judged[p.Field[:at]] = true
					}
				}
			}
		}
	}
	r := ask(d.address.collection)
	r.Tenant = d.address.tenant
	r.Properties = d.class.ask(func(p *property) bool {
		switch p.Name {
		case d.roles.ID:
			return true
		case d.roles.Text:
			return want.Parts.Has(engine.Texts)
		case d.roles.Title:
			return want.Parts.Has(engine.Titles)
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

// entry decodes a result of a request.
func (d *driver) entry(r *wire.SearchResult, want remote.Want) (*remote.Entry, error) {
	k, err := keyIn(r)
	if err != nil {
		return nil, err
	}
	fields := r.GetProperties().GetNonRefProps().GetFields()
	e := &remote.Entry{Ref: k.ref(), Document: engine.Document{ID: r.GetMetadata().GetId()}, Mark: k.String}
	if d.roles.ID != objectID {
		e.ID = textOf(fields[d.roles.ID])
	}
	if want.Parts.Has(engine.Titles) {
		e.Title = textOf(fields[d.roles.Title])
	}
	if want.Parts.Has(engine.Texts) {
		e.Text = textOf(fields[d.roles.Text])
	}
	if want.Filter != nil || want.Parts.Has(engine.Metadata) {
		if e.Metadata, err = d.metadata(fields); err != nil {
			return nil, err
		}
	}
	if want.Parts.Has(engine.Vectors) {
		e.Vector, err = d.vectorIn(r)
	}
	return e, err
}

// metadata returns what of an object's properties is metadata; nil: nothing.
func (d *driver) metadata(fields map[string]*wire.Value) (json.RawMessage, error) {
	all := map[string]any{}
	if inner, ok := valueOf(fields[d.roles.Metadata]).(map[string]any); ok {
		maps.Copy(all, inner)
	}
	for name, v := range fields {
		if x := valueOf(v); x != nil && name != d.roles.Metadata && d.isMetadata(name) {
			all[name] = x
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return json.Marshal(all)
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
	return readVector(raw), nil
}

// Nearest has vectors come along.
func (d *driver) Nearest(ctx context.Context, vector []float32, limit int, where remote.Where, want remote.Want, _ bool) (hits []remote.Hit, err error) {
	r := d.request(want)
	r.Filters, _ = where.Native.(*wire.Filters)
	r.NearVector = &wire.NearVector{Vectors: []*wire.Vectors{vectorMessage(d.roles.Vector, vector)}}
	if len(d.class.VectorConfig) > 0 {
		r.NearVector.Targets = &wire.Targets{TargetVectors: []string{d.roles.Vector}}
	}
	err = results(ctx, r, limit, max(1, pageBytes/(4*d.dim)), func(r *wire.SearchResult) error {
		e, err := d.entry(r, want)
		if err == nil {
			hits = append(hits, remote.Hit{Ref: e.Ref, Entry: e})
		}
		return err
	})
	return hits, err
}

// searched returns the properties that BM25 can look into.
func (d *driver) searched() (names []string) {
	for _, name := range []string{d.roles.Text, d.roles.Title} {
		if p := d.class.property(name); p != nil && p.IndexSearchable {
			names = append(names, name)
		}
	}
	return names
}

// Matching asks BM25.
func (d *driver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) (refs []engine.Ref, err error) {
	properties := d.searched()
	if len(properties) == 0 {
		return nil, ctx.Err()
	}
	var forms []string
	for _, n := range needles {
		forms = append(forms, n.Written...)
	}
	r := d.request(remote.Want{})
	r.Filters, _ = where.Native.(*wire.Filters)
	r.Bm25Search = &wire.BM25{Query: strings.Join(forms, " "), Properties: properties}
	err = results(ctx, r, limit, maxPage, func(r *wire.SearchResult) error {
		k, err := keyIn(r)
		refs = append(refs, k.ref())
		return err
	})
	return refs, err
}

// Read asks for objects by their keys, in several messages at the same time.
func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	var keys []string
	for _, r := range refs {
		if _, err := parseKey(r.Key); err == nil {
			keys = append(keys, r.Key)
		}
	}
	const piece = 500
	pieces := slices.Collect(slices.Chunk(keys, piece))
	var turn sync.Mutex
	return each(ctx, len(pieces), func(ctx context.Context, i int) error {
		return ofKeys(ctx, pieces[i], d.request(want), func(r *wire.SearchResult) error {
			e, err := d.entry(r, want)
			if err != nil {
				return err
			}
			turn.Lock()
			defer turn.Unlock()
			return visit(e)
		})
	})
}

// Page visits all objects in the order of UUIDs: Weaviate cannot combine this order with a
// filter.
func (d *driver) Page(ctx context.Context, after string, limit int, _ remote.Where, want remote.Want, visit func(*remote.Entry) (bool, error)) error {
	from, _ := parseKey(after) // or the first
	return pages(ctx, d.request(want), from, limit, func(r *wire.SearchResult) (bool, error) {
		e, err := d.entry(r, want)
		if err != nil || e.ID == "" {
			return true, err
		}
		return visit(e)
	})
}

func (d *driver) IsMark(text string) bool {
	_, err := parseKey(text)
	return err == nil
}

// Get searches by the property that is the id.
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
	r := d.request(want)
	r.Filters = equal
	return results(ctx, r, maxPage, maxPage, func(r *wire.SearchResult) error {
		e, err := d.entry(r, want)
		if err != nil {
			return err
		}
		return visit(e)
	})
}
