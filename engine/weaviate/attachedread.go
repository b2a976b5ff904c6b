package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
	"github.com/nsfl-go/nsfl/query"
)

// Size counts objects, those without a vector too.
func (a *Attached) Size(ctx context.Context) (size engine.Size, err error) {
	err = a.read(ctx, "counting documents", func(ctx context.Context, h *host) (err error) {
		size, err = a.size(ctx, h)
		return err
	})
	return size, err
}

func (a *Attached) size(ctx context.Context, h *host) (engine.Size, error) {
	return a.calls.Size.Get(ctx, func(ctx context.Context) (engine.Size, error) {
		reply, err := h.aggregate(ctx, &wire.AggregateRequest{Collection: a.address.collection, Tenant: a.address.tenant, ObjectsCount: true})
		n := int(reply.GetSingleResult().GetObjectsCount())
		return engine.Size{Documents: n, Vectors: n, Dimension: a.dim}, err
	})
}

// isMetadata reports whether a property is metadata, or has it.
func (a *Attached) isMetadata(p *property) bool {
	return p.Name != a.roles.ID && p.Name != a.roles.Text && p.Name != a.roles.Title
}

// ask asks for objects with some properties and, where it is wanted, the vector.
func (a *Attached) ask(vector bool, wanted func(*property) bool) *wire.SearchRequest {
	request := ask(a.address.collection, nil)
	request.Tenant, request.Properties = a.address.tenant, a.class.ask(wanted)
	switch {
	case !vector:
	case len(a.class.VectorConfig) == 0:
		request.Metadata.Vector = true
	default:
		request.Metadata.Vectors = []string{a.roles.Vector}
	}
	return request
}

// request asks for the wanted parts of documents.
func (a *Attached) request(parts engine.Parts) *wire.SearchRequest {
	return a.ask(parts.Has(engine.Vectors), func(p *property) bool {
		return p.Name == a.roles.ID || parts.Has(engine.Texts) && p.Name == a.roles.Text || parts.Has(engine.Titles) && p.Name == a.roles.Title ||
			parts.Has(engine.Metadata) && a.isMetadata(p)
	})
}

// passRequest asks for the properties that a filter names, or that may have its fields.
func (a *Attached) passRequest(filter query.Node) *wire.SearchRequest {
	return a.ask(false, a.needs(filter))
}

func (a *Attached) needs(filter query.Node) func(*property) bool {
	fields := map[string]bool{a.roles.Metadata: true}
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok {
			for at := range len(p.Field) + 1 { // an object a in which b.c or b is
				if at == len(p.Field) || p.Field[at] == '.' {
					fields[p.Field[:at]] = true
				}
			}
		}
	}
	return func(p *property) bool { return fields[p.Name] && a.isMetadata(p) }
}

func (a *Attached) passes(filter query.Node, r *wire.SearchResult) (bool, error) {
	metadata, err := a.metadataIn(r)
	if err != nil {
		return false, err
	}
	return remote.Passes(filter, metadata)
}

// metadataIn is what of a result is metadata; nil: nothing.
func (a *Attached) metadataIn(r *wire.SearchResult) (json.RawMessage, error) {
	all := map[string]any{}
	for name, v := range r.GetProperties().GetNonRefProps().GetFields() {
		x := valueOf(v)
		if inner, ok := x.(map[string]any); ok && name == a.roles.Metadata {
			maps.Copy(all, inner)
		}
	}
	for name, v := range r.GetProperties().GetNonRefProps().GetFields() {
		if x := valueOf(v); x != nil && name != a.roles.Metadata && a.isMetadata(&property{Name: name}) {
			all[name] = x
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return json.Marshal(all)
}

// documentIn reads a result of a request for the wanted parts. It has no vector where the
// object has none, or one without a direction.
func (a *Attached) documentIn(r *wire.SearchResult, parts engine.Parts) (d engine.Document, err error) {
	fields := r.GetProperties().GetNonRefProps().GetFields()
	d.ID = r.GetMetadata().GetId()
	if a.roles.ID != objectID {
		d.ID = textOf(fields[a.roles.ID])
	}
	if parts.Has(engine.Titles) {
		d.Title = textOf(fields[a.roles.Title])
	}
	if parts.Has(engine.Texts) {
		d.Text = textOf(fields[a.roles.Text])
	}
	if parts.Has(engine.Metadata) {
		if d.Metadata, err = a.metadataIn(r); err != nil {
			return d, err
		}
	}
	if parts.Has(engine.Vectors) {
		if d.Vector, err = a.vectorIn(r); d.Vector != nil {
			d.Vector = a.lengths.Unit(d.Vector)
		}
	}
	return d, err
}

// Get reads the wanted parts of a document by its id.
func (a *Attached) Get(ctx context.Context, id string, parts engine.Parts) (engine.Document, error) {
	d, _, err := a.find(ctx, "reading", id, parts)
	return d, err
}

// Find is the Ref of the document that has an id.
func (a *Attached) Find(ctx context.Context, id string) (engine.Ref, error) {
	_, ref, err := a.find(ctx, "finding", id, engine.NoParts)
	return ref, err
}

// errFound ends a search for one document.
var errFound = errors.New("it is found")

func (a *Attached) find(ctx context.Context, doing, id string, parts engine.Parts) (d engine.Document, ref engine.Ref, err error) {
	err = a.read(ctx, fmt.Sprintf("%s document %.80q", doing, id), func(ctx context.Context, h *host) error {
		if !utf8.ValidString(id) {
			return engine.ErrNotFound
		}
		d, ref = engine.Document{}, engine.Ref{}
		err := a.withID(ctx, h, id, a.request(parts), func(k key, r *wire.SearchResult) error {
			found, err := a.documentIn(r, parts)
			if err == nil && found.ID == id {
				d, ref = found, k.ref()
				return errFound
			}
			return err
		})
		switch {
		case err == nil:
			return errors.Join(engine.ErrNotFound, a.at.intact(ctx, h))
		case errors.Is(err, errFound):
			return nil
		}
		return err
	})
	return d, ref, err
}

// withID visits objects that may have an id.
func (a *Attached) withID(ctx context.Context, h *host, id string, request *wire.SearchRequest, f func(key, *wire.SearchResult) error) error {
	if a.roles.ID == objectID {
		return a.visit(ctx, h, []engine.Ref{{Key: id}}, request, f)
	}
	p := a.class.property(a.roles.ID)
	equal, ok := a.class.equal(p, id)
	if !ok {
		if id == "" || strings.ContainsRune(id, 0) {
			return nil
		}
		return fmt.Errorf("the property %s cannot be looked up (its type is %s, filterable: %t): name another for the id, or none", p.Name, p.kind(), p.IndexFilterable)
	}
	if equal == nil {
		return nil
	}
	request.Filters, request.Limit = equal, maxPage
	reply, err := h.search(ctx, request)
	if err != nil {
		return err
	}
	for _, r := range reply.GetResults() {
		k, err := keyIn(r)
		if err == nil {
			err = f(k, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
