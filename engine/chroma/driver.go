package chroma

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Open attaches to a collection on the server at an address such as
//
//	chroma://HOST:PORT/?tenant=NAME&database=NAME&collection=NAME&title=KEY&text=KEY&ssl=true
//
// The host and the collection are required. Credentials come from the environment:
// CHROMA_TOKEN for the header X-Chroma-Token, or CHROMA_AUTHORIZATION for the whole of the
// header Authorization.
//
// The title is the value of a metadata key, by default title or name. The text is the
// record's document, or the value of a metadata key.
func Open(ctx context.Context, address string, o engine.Options) (*remote.Store, error) {
	_, s, err := open(ctx, address, o)
	return s, err
}

func open(ctx context.Context, address string, o engine.Options) (*driver, *remote.Store, error) {
	at, err := configure(address)
	if err == nil {
		err = remote.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, nil, err
	}
	credentials, err := environment()
	if err != nil {
		return nil, nil, err
	}
	d := &driver{client: newClient(at, credentials), calls: &remote.Calls{Options: o, Place: at.place()}, at: at, sampledWhole: 20_000}
	var vectors [][]float32
	err = d.calls.Read(ctx, "attaching to the collection", func(ctx context.Context) (err error) {
		vectors, err = d.attach(ctx)
		return err
	})
	if err != nil {
		d.http.CloseIdleConnections()
		return nil, nil, err
	}
	s := remote.New(d, d.calls, remote.Config{
		Dimension: d.dim, Index: remote.Index{ByLength: d.space != cosine}, Limits: remote.UsualLimits, Text: true, Roles: d.roles, Columns: d.columns,
	})
	for _, v := range vectors {
		s.Look(v)
	}
	return d, s, nil
}

// driver asks a server about one collection.
type driver struct {
	*client
	calls   *remote.Calls
	at      *server
	address string // of the collection
	dim     int
	space   string // the metric of the index
	roles   remote.Roles
	columns []remote.Column
	kinds   kinds
	// sampledWhole is up to how many records a sample is taken from all of them.
	sampledWhole int
}

func (d *driver) Close() error {
	d.http.CloseIdleConnections()
	return nil
}

// Size counts records, those without a usable vector too.
func (d *driver) Size(ctx context.Context) (engine.Size, error) {
	raw, err := d.ask(ctx, http.MethodGet, d.address+"/count", nil)
	if err != nil {
		return engine.Size{}, err
	}
	n := 0
	if err := json.Unmarshal(raw, &n); err != nil || n < 0 {
		return engine.Size{}, &formError{"a count is no number"}
	}
	return engine.Size{Documents: n, Vectors: n, Dimension: d.dim}, nil
}

func (d *driver) Get(ctx context.Context, id string, want remote.Want, visit func(*remote.Entry) error) error {
	return d.Read(ctx, []engine.Ref{{Key: id}}, want, visit)
}

func (d *driver) Nearest(ctx context.Context, vector []float32, limit int, where remote.Where, _ remote.Want, _ bool) ([]remote.Hit, error) {
	request := map[string]any{"query_embeddings": [][]float32{vector}, "n_results": limit, "include": []string{"distances"}}
	d.narrow(request, where)
	raw, err := d.ask(ctx, http.MethodPost, d.address+"/query", request)
	if err != nil {
		return nil, err
	}
	return decodeHits(raw)
}

// narrow adds a condition to a request.
func (d *driver) narrow(request map[string]any, where remote.Where) {
	if c, ok := where.Native.(*condition); ok {
		request["where"] = c.json
	}
}

// Count counts the records of a page of that length.
func (d *driver) Count(ctx context.Context, where remote.Where, _ bool, limit int) (int, error) {
	a, err := d.page(ctx, where, 0, limit)
	if err != nil {
		return 0, err
	}
	return len(a.IDs), nil
}

// piece is the number of records that are requested at once by id. Each id is a variable in
// a statement of the server.
const piece = 500

// Read asks for records by their ids, some pieces at a time.
func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	parts := want.Parts
	if want.Filter != nil {
		parts |= engine.Metadata
	}
	return d.pieces(ctx, idsOf(refs), d.include(parts), func(a *answer) error {
		for i := range a.IDs {
			doc, err := d.document(a, i, parts)
			if err == nil {
				err = visit(&remote.Entry{Ref: engine.Ref{Key: doc.ID}, Document: doc})
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// pieces asks for records by their ids, and for a piece in halves where the answer is too
// long. It calls f with the answers, one after the other.
func (d *driver) pieces(ctx context.Context, ids, include []string, f func(*answer) error) error {
	parts := slices.Collect(slices.Chunk(ids, piece))
	var turn sync.Mutex
	var one func(ctx context.Context, ids []string) error
	one = func(ctx context.Context, ids []string) error {
		a, err := d.get(ctx, map[string]any{"ids": ids, "include": include}, include)
		if errors.Is(err, errLarge) && len(ids) > 1 {
			half := len(ids) / 2
			if err := one(ctx, ids[:half]); err != nil {
				return err
			}
			return one(ctx, ids[half:])
		}
		if err != nil {
			return err
		}
		turn.Lock()
		defer turn.Unlock()
		return f(a)
	}
	return workers.Each(ctx, len(parts), connections/2, func(ctx context.Context, i int) error { return one(ctx, parts[i]) })
}

func (d *driver) get(ctx context.Context, request map[string]any, include []string) (*answer, error) {
	raw, err := d.ask(ctx, http.MethodPost, d.address+"/get", request)
	if err != nil {
		return nil, err
	}
	return decode(raw, include, d.dim)
}

// page returns records that meet a condition, in the order in which they were stored, which
// is Chroma's, with the parts to include.
func (d *driver) page(ctx context.Context, where remote.Where, offset, limit int, include ...string) (*answer, error) {
	request := map[string]any{"include": append([]string{}, include...), "offset": offset, "limit": limit}
	d.narrow(request, where)
	return d.get(ctx, request, include)
}

func idsOf(refs []engine.Ref) []string {
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.Key
	}
	return ids
}

func refsOf(ids []string) []engine.Ref {
	refs := make([]engine.Ref, len(ids))
	for i, id := range ids {
		refs[i] = engine.Ref{Key: id}
	}
	return refs
}
