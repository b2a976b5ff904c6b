package chroma

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// Open attaches to a collection on the server at an address such as
//
//	chroma://HOST:PORT/?tenant=NAME&database=NAME&collection=NAME&title=KEY&text=KEY&tls=true
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
	d := &driver{calls: &remote.Calls{Options: o, Place: at.Place()}, at: at, sampledWhole: 20_000}
	if d.client, err = newClient(at); err != nil {
		return nil, nil, err
	}
	s, err := remote.Attach(ctx, d, d.calls, func(ctx context.Context) (remote.Config, error) {
		err := d.attach(ctx)
		return remote.Config{
			// Each id is a variable in a statement of the server.
			Dimension: d.dim, Index: remote.Index{ByLength: d.space != cosine}, Limits: remote.UsualLimits, Text: true, Roles: d.roles, Columns: d.columns, AtOnce: 500,
		}, err
	})
	return d, s, err
}

type driver struct {
	*client
	calls   *remote.Calls
	at      *remote.Address
	path    string // of the collection
	dim     int
	space   string // the metric of the index
	roles   remote.Roles
	columns []remote.Column
	kinds   remote.KindCache
	// sampledWhole is up to how many records a sample is taken from all of them.
	sampledWhole int
}

// Size counts records, those without a usable vector too.
func (d *driver) Size(ctx context.Context) (engine.Size, error) {
	n := 0
	err := d.Ask(ctx, http.MethodGet, d.path+"/count", nil, &n)
	if err == nil && n < 0 {
		err = remote.BadAnswer("a negative count")
	}
	return engine.Size{Documents: n, Vectors: n, Dimension: d.dim}, err
}

func (d *driver) Nearest(ctx context.Context, vector []float32, limit int, where remote.Where, _ remote.Want, _ bool) ([]remote.Hit, error) {
	request := map[string]any{"query_embeddings": [][]float32{vector}, "n_results": limit, "include": []string{"distances"}}
	d.narrow(request, where)
	var raw json.RawMessage
	if err := d.Ask(ctx, http.MethodPost, d.path+"/query", request, &raw); err != nil {
		return nil, err
	}
	return decodeHits(raw)
}

func (d *driver) narrow(request map[string]any, where remote.Where) {
	if c, ok := where.Native.(*condition); ok {
		request["where"] = c.JSON
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

func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	a, err := d.get(ctx, map[string]any{"ids": idsOf(refs)}, d.include(want)...)
	if err != nil {
		return err
	}
	return remote.VisitEach(len(a.IDs), func(i int) (*remote.Entry, error) { return d.entry(a, i, want) }, visit)
}

func (d *driver) get(ctx context.Context, request map[string]any, include ...string) (*answer, error) {
	request["include"] = append([]string{}, include...)
	var raw json.RawMessage
	if err := d.Ask(ctx, http.MethodPost, d.path+"/get", request, &raw); err != nil {
		return nil, err
	}
	return decode(raw, include, d.dim)
}

// page returns records that meet a condition, in the order in which they were stored, which
// is Chroma's, with the parts to include.
func (d *driver) page(ctx context.Context, where remote.Where, offset, limit int, include ...string) (*answer, error) {
	request := map[string]any{"offset": offset, "limit": limit}
	d.narrow(request, where)
	return d.get(ctx, request, include...)
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

type answer struct {
	IDs        []string                     `json:"ids"`
	Embeddings [][]float32                  `json:"embeddings"`
	Documents  []json.RawMessage            `json:"documents"`
	Metadatas  []map[string]json.RawMessage `json:"metadatas"`
}

// decode reads records. Parts that were not requested are empty.
func decode(raw []byte, include []string, dim int) (*answer, error) {
	a := &answer{}
	if err := json.Unmarshal(raw, a); err != nil {
		return nil, remote.BadAnswer("%v", err)
	}
	asked := map[string]bool{}
	for _, part := range include {
		asked[part] = true
	}
	n := len(a.IDs)
	empty(&a.Embeddings, asked["embeddings"], n)
	empty(&a.Documents, asked["documents"], n)
	empty(&a.Metadatas, asked["metadatas"], n)
	if len(a.Embeddings) != n || len(a.Documents) != n || len(a.Metadatas) != n {
		return nil, remote.BadAnswer("%d records, %d embeddings, %d documents, %d metadatas", n, len(a.Embeddings), len(a.Documents), len(a.Metadatas))
	}
	for i, id := range a.IDs {
		switch v := a.Embeddings[i]; {
		case id == "":
			return nil, remote.BadAnswer("a record has no id")
		case asked["embeddings"] && len(v) != dim:
			return nil, remote.BadAnswer("the embedding of record %.40q has %d dimensions, the collection has %d", id, len(v), dim)
		}
	}
	return a, nil
}

// empty empties a part that was not requested.
func empty[T any](part *[]T, asked bool, n int) {
	if !asked {
		*part = make([]T, n)
	}
}

func (d *driver) include(want remote.Want) []string {
	parts, out := want.All(), []string{}
	if parts.Has(engine.Texts) && d.roles.Text == theDocument {
		out = append(out, "documents")
	}
	if parts.Has(engine.Metadata) || parts.Has(engine.Titles) && d.roles.Title != "" || parts.Has(engine.Texts) && d.roles.Text != "" && d.roles.Text != theDocument {
		out = append(out, "metadatas")
	}
	if parts.Has(engine.Vectors) {
		out = append(out, "embeddings")
	}
	return out
}

func (d *driver) entry(a *answer, i int, want remote.Want) (*remote.Entry, error) {
	fields := map[string]json.RawMessage{theDocument: a.Documents[i]}
	for name, value := range a.Metadatas[i] {
		fields[name] = value
	}
	if d.roles.Text != theDocument {
		delete(fields, theDocument)
	}
	doc, err := d.roles.Document(a.IDs[i], fields, want)
	if want.Parts.Has(engine.Vectors) {
		doc.Vector = a.Embeddings[i]
	}
	return &remote.Entry{Ref: engine.Ref{Key: doc.ID}, Document: doc}, err
}

func decodeHits(raw []byte) ([]remote.Hit, error) {
	var a struct {
		IDs [][]string `json:"ids"`
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, remote.BadAnswer("%v", err)
	}
	if len(a.IDs) != 1 {
		return nil, remote.BadAnswer("%d lists, for one vector", len(a.IDs))
	}
	hits := make([]remote.Hit, len(a.IDs[0]))
	for i, id := range a.IDs[0] {
		if id == "" {
			return nil, remote.BadAnswer("a record has no id")
		}
		hits[i].Ref.Key = id
	}
	return hits, nil
}
