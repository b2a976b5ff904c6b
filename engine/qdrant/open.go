package qdrant

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

var scheme = remote.Scheme{
	Name: "qdrant", Engine: "Qdrant", Port: "6333",
	Advice: "the API key belongs into the environment variable QDRANT_API_KEY",
	Names:  regexp.MustCompile(`^[^<>:"/\\|?*\x00-\x1f]{1,255}$`),
	Rule:   `1 to 255 characters without < > : " / \ | ? *`,
}

// Open attaches to a collection, or to an alias of one, at an address such as
//
//	qdrant://HOST:PORT/?collection=NAME&vector=NAME&text=FIELD&title=FIELD&tls=true
//
// The collection is required, and the vector if there are several. Text and title are fields
// of payloads, by default those with the usual names; metadata=FIELD is an object whose fields
// are metadata beside the others, and id=FIELD a field that identifies documents in place of
// the id of the point. The API key is in the environment variable QDRANT_API_KEY.
func Open(ctx context.Context, address string, o engine.Options) (*remote.Store, error) {
	_, s, err := open(ctx, address, o)
	return s, err
}

func open(ctx context.Context, address string, o engine.Options) (*driver, *remote.Store, error) {
	at, err := scheme.Parse(address)
	if err == nil {
		err = remote.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, nil, err
	}
	key := os.Getenv("QDRANT_API_KEY")
	d := &driver{
		calls: &remote.Calls{Options: o, Place: at.Place()}, roles: at.Roles,
		web: remote.NewWeb(at.URL()+"/collections", remote.Hide(key)), path: "/" + url.PathEscape(at.Collection),
	}
	d.web.Advise = func(e *webclient.StatusError) {
		if e.Code == http.StatusUnauthorized || e.Code == http.StatusForbidden {
			e.Advice = "set QDRANT_API_KEY to a key that may read the collection"
		}
	}
	if key != "" {
		if err := d.web.SetHeader("api-key", key); err != nil {
			return nil, nil, err
		}
	}
	s, err := remote.Attach(ctx, d, d.calls, func(ctx context.Context) (remote.Config, error) {
		if at.Collection == "" {
			return remote.Config{}, d.unnamed(ctx, "the address names no collection")
		}
		index, err := d.attach(ctx)
		return remote.Config{
			Dimension: d.dim, Index: index, Limits: remote.UsualLimits, AtOnce: 500,
			Text: d.roles.Text != "" || d.roles.Title != "", Roles: d.roles, Columns: d.columns,
		}, err
	})
	return d, s, err
}

func (d *driver) unnamed(ctx context.Context, problem string) error {
	var list struct {
		Collections []struct{ Name string }
	}
	err := d.ask(ctx, http.MethodGet, "", nil, &list)
	var names []string
	for _, c := range list.Collections {
		names = append(names, c.Name)
	}
	return remote.NoCollection("Qdrant", problem, names, err)
}

// The columns of the id of a point and of a vector without a name.
const (
	pointID   = "#id"
	oneVector = "#vector"
)

// The distances of Qdrant.
const (
	cosine    = "Cosine"
	dot       = "Dot"
	euclid    = "Euclid"
	manhattan = "Manhattan"
)

type vectorParams struct {
	Size         int             `json:"size"`
	Distance     string          `json:"distance"`
	Multivector  json.RawMessage `json:"multivector_config"`
	Quantization json.RawMessage `json:"quantization_config"`
}

type description struct {
	Config struct {
		Params struct {
			Vectors json.RawMessage `json:"vectors"`
		} `json:"params"`
		Quantization json.RawMessage `json:"quantization_config"`
	} `json:"config"`
	Schema map[string]fieldIndex `json:"payload_schema"`
}

type fieldIndex struct {
	Type string `json:"data_type"`
}

func (c *description) vectors() (map[string]vectorParams, error) {
	var one vectorParams
	named := map[string]vectorParams{}
	raw := c.Config.Params.Vectors
	switch {
	case len(raw) == 0 || string(raw) == "null": // all vectors are sparse
	case json.Unmarshal(raw, &one) == nil && one.Size > 0:
		named[oneVector] = one
	case json.Unmarshal(raw, &named) != nil:
		return nil, remote.BadAnswer("a collection has the vectors %.200s", raw)
	}
	return named, nil
}

func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func (d *driver) attach(ctx context.Context) (index remote.Index, err error) {
	var c description
	if err := d.ask(ctx, http.MethodGet, d.path, nil, &c); remote.Refused(err, http.StatusNotFound) {
		return index, d.unnamed(ctx, "there is no such collection")
	} else if err != nil {
		return index, err
	}
	vectors, err := c.vectors()
	if err != nil {
		return index, err
	}
	for _, name := range slices.Sorted(maps.Keys(vectors)) {
		v := vectors[name]
		column := remote.Column{Name: name, Type: fmt.Sprintf("vector of %d, %s", v.Size, v.Distance), Kind: remote.Vector}
		if given(v.Multivector) {
			column.Type, column.Kind = "multivector", remote.Other
		}
		d.columns = append(d.columns, column)
	}
	d.columns = append(d.columns, remote.Column{Name: pointID, Type: "id of the point", Kind: remote.Text, Key: true})
	if err := d.assign(ctx); err != nil {
		return index, err
	}
	v := vectors[d.roles.Vector]
	d.dim, d.distance, d.schema = v.Size, v.Distance, c.Schema
	if !slices.Contains([]string{cosine, dot, euclid, manhattan}, d.distance) {
		return index, remote.BadAnswer("vectors with the distance %.40q", d.distance)
	}
	if d.roles.Vector != oneVector {
		d.using = d.roles.Vector
	}
	return remote.Index{
		Other: d.distance == manhattan, ByLength: d.distance == dot || d.distance == euclid,
		Scored: d.distance != manhattan, Rough: given(v.Quantization) || given(c.Config.Quantization),
	}, nil
}

func (d *driver) assign(ctx context.Context) error {
	fields, seen, err := d.inspect(ctx, 100)
	if err != nil {
		return err
	}
	columns := slices.DeleteFunc(remote.KindColumns(fields), func(c remote.Column) bool { return !isTopLevel(c.Name) })
	for _, name := range []string{d.roles.ID, d.roles.Text, d.roles.Title, d.roles.Metadata} {
		if name != "" && fields[name] == 0 {
			return remote.UnknownField("Qdrant", name, seen, columns)
		}
	}
	d.columns = append(d.columns, columns...)
	d.roles.ID = cmp.Or(d.roles.ID, pointID)
	d.roles, err = d.roles.Fill(d.calls.Place, d.columns)
	return err
}

func (d *driver) inspect(ctx context.Context, n int) (fields map[string]remote.Kinds, seen int, err error) {
	points, err := d.query(ctx, map[string]any{"query": map[string]any{"sample": "random"}, "limit": n, "with_payload": true})
	fields = map[string]remote.Kinds{}
	for i := range points {
		remote.AddKinds(fields, points[i].Payload)
	}
	return fields, len(points), err
}
