package qdrant

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

type driver struct {
	web      *remote.Web
	calls    *remote.Calls
	path     string // of the collection
	dim      int
	distance string
	using    string // the name of the vector; empty: it has none
	roles    remote.Roles
	columns  []remote.Column
	schema   map[string]fieldIndex // by the path of the field
	kinds    remote.KindCache
	sample   remote.SampleCache
}

func (d *driver) Close() error { return d.web.Close() }

func (d *driver) ask(ctx context.Context, method, path string, in, out any) error {
	var answer struct {
		Result json.RawMessage `json:"result"`
	}
	if err := d.web.Ask(ctx, method, path, in, &answer); err != nil {
		return err
	}
	if err := json.Unmarshal(answer.Result, out); err != nil {
		return remote.BadAnswer("%.200s", err.Error())
	}
	return nil
}

type point struct {
	ID      json.RawMessage            `json:"id"`
	Score   float64                    `json:"score"`
	Payload map[string]json.RawMessage `json:"payload"`
	Vector  json.RawMessage            `json:"vector"`
}

// key returns the id of a point as a text.
func (p *point) key() (string, error) {
	if key := strings.Trim(string(p.ID), `"`); isKey(key) {
		return key, nil
	}
	return "", remote.BadAnswer("a point has the id %.40q", p.ID)
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func isKey(key string) bool {
	n, err := strconv.ParseUint(key, 10, 64)
	return err == nil && strconv.FormatUint(n, 10) == key || uuid.MatchString(key)
}

// idOf returns a key as it is in requests: a number or a string.
func idOf(key string) any {
	if strings.Contains(key, "-") {
		return key
	}
	return json.Number(key)
}

// vectorOf decodes the vector of a point; nil: it has none.
func (d *driver) vectorOf(p *point) (v []float32, err error) {
	raw := p.Vector
	if d.using != "" && given(raw) {
		named := map[string]json.RawMessage{}
		if err := json.Unmarshal(raw, &named); err != nil {
			return nil, remote.BadAnswer("%.200s", err.Error())
		}
		raw = named[d.using]
	}
	if !given(raw) || string(raw) == "{}" {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &v); err != nil || len(v) != d.dim {
		return nil, remote.BadAnswer("a vector has %d components, the collection has %d", len(v), d.dim)
	}
	return v, nil
}

func (d *driver) entry(p *point, want remote.Want) (*remote.Entry, error) {
	key, err := p.key()
	if err != nil {
		return nil, err
	}
	e := &remote.Entry{Ref: engine.Ref{Key: key}, Mark: func() string { return key }}
	id := key
	if d.roles.ID != pointID {
		id = remote.TextOf(p.Payload[d.roles.ID])
	}
	if e.Document, err = d.roles.Document(id, p.Payload, want); err == nil && want.Parts.Has(engine.Vectors) {
		e.Vector, err = d.vectorOf(p)
	}
	return e, err
}

func (d *driver) wanted(request map[string]any, want remote.Want) map[string]any {
	if want.Parts.Has(engine.Vectors) {
		request["with_vector"] = true
		if d.using != "" {
			request["with_vector"] = []string{d.using}
		}
	}
	request["with_payload"] = d.payload(want)
	return request
}

// payload selects the part of payloads to request: nothing, or all but an unwanted text.
func (d *driver) payload(want remote.Want) any {
	if want.All()&^engine.Vectors == 0 && d.roles.ID == pointID {
		return false
	}
	if path, ok := pathOf(d.roles.Text); ok && !want.All().Has(engine.Texts) {
		return map[string]any{"exclude": []string{path}}
	}
	return true
}

func narrow(request map[string]any, where remote.Where) map[string]any {
	if c, ok := where.Native.(*condition); ok {
		request["filter"] = filterOf(c)
	}
	return request
}

func (d *driver) query(ctx context.Context, request map[string]any) ([]point, error) {
	var answer struct {
		Points []point `json:"points"`
	}
	err := d.ask(ctx, http.MethodPost, d.path+"/points/query", request, &answer)
	return answer.Points, err
}

func (d *driver) Size(ctx context.Context) (engine.Size, error) {
	n, err := d.count(ctx, nil)
	return engine.Size{Documents: n, Vectors: n, Dimension: d.dim}, err
}

func (d *driver) Count(ctx context.Context, where remote.Where, _ bool, _ int) (int, error) {
	has := remote.NewCondition(map[string]any{"has_vector": d.using})
	if c, ok := where.Native.(*condition); ok {
		return d.count(ctx, remote.Join(conditions.And, has, c))
	}
	return d.count(ctx, has)
}

func (d *driver) count(ctx context.Context, c *condition) (int, error) {
	request := map[string]any{"exact": true}
	if c != nil {
		request["filter"] = filterOf(c)
	}
	var answer struct {
		Count int `json:"count"`
	}
	err := d.ask(ctx, http.MethodPost, d.path+"/points/count", request, &answer)
	return answer.Count, err
}

// scanned is the number of points up to which a search with a filter compares all that pass.
const scanned = 100_000

// Nearest requests the wanted parts with the results. Qdrant's index follows links between points that
// pass a filter only, and overlooks many points if the filtered fields have no index: the
// points of a small collection are compared without it.
func (d *driver) Nearest(ctx context.Context, vector []float32, limit int, where remote.Where, want remote.Want, _ bool) ([]remote.Hit, error) {
	size, err := d.calls.Size.Get(ctx, d.Size)
	if err != nil {
		return nil, err
	}
	params := map[string]any{"hnsw_ef": 2*limit + 64, "exact": where.Native != nil && size.Documents <= scanned}
	request := d.wanted(map[string]any{"query": vector, "limit": limit, "params": params}, want)
	if d.using != "" {
		request["using"] = d.using
	}
	points, err := d.query(ctx, narrow(request, where))
	hits := make([]remote.Hit, len(points))
	for i := range points {
		e, err := d.entry(&points[i], want)
		if err != nil {
			return nil, err
		}
		hits[i] = remote.Hit{Ref: e.Ref, Score: d.cosine(points[i].Score), Entry: e}
	}
	return hits, err
}

// cosine returns the cosine for the score of two vectors of length 1.
func (d *driver) cosine(score float64) float64 {
	if d.distance == euclid {
		score = 1 - score*score/2
	}
	return min(max(score, -1), 1)
}

func (d *driver) Read(ctx context.Context, refs []engine.Ref, want remote.Want, visit func(*remote.Entry) error) error {
	ids := []any{}
	for _, r := range refs {
		if isKey(r.Key) {
			ids = append(ids, idOf(r.Key))
		}
	}
	if len(ids) == 0 {
		return ctx.Err()
	}
	var points []point
	if err := d.ask(ctx, http.MethodPost, d.path+"/points", d.wanted(map[string]any{"ids": ids}, want), &points); err != nil {
		return err
	}
	return d.visit(points, want, visit)
}

func (d *driver) visit(points []point, want remote.Want, visit func(*remote.Entry) error) error {
	return remote.VisitEach(len(points), func(i int) (*remote.Entry, error) { return d.entry(&points[i], want) }, visit)
}

// Get finds points by the field with the role of the id.
func (d *driver) Get(ctx context.Context, id string, want remote.Want, visit func(*remote.Entry) error) error {
	if d.roles.ID == pointID {
		return d.Read(ctx, []engine.Ref{{Key: id}}, want, visit)
	}
	path, ok := pathOf(d.roles.ID)
	if !ok {
		return remote.BadAnswer("a field has the name %.40q", d.roles.ID)
	}
	same := match(path, id)
	if n, err := strconv.ParseInt(id, 10, 64); err == nil {
		same = remote.Join(conditions.Or, same, match(path, n))
	}
	points, _, err := d.scroll(ctx, "", 10, remote.Where{Native: same}, want)
	if err != nil {
		return err
	}
	return d.visit(points, want, visit)
}

// scroll returns the points from a key on, in the order of their keys, and whether there are
// more.
func (d *driver) scroll(ctx context.Context, from string, limit int, where remote.Where, want remote.Want) (points []point, more bool, err error) {
	request := narrow(d.wanted(map[string]any{"limit": limit}, want), where)
	if from != "" {
		request["offset"] = idOf(from)
	}
	var answer struct {
		Points []point         `json:"points"`
		Next   json.RawMessage `json:"next_page_offset"`
	}
	err = d.ask(ctx, http.MethodPost, d.path+"/points/scroll", request, &answer)
	return answer.Points, given(answer.Next), err
}

const longestPage = 1000

func (d *driver) Page(ctx context.Context, after string, limit int, where remote.Where, want remote.Want, visit func(*remote.Entry) (bool, error)) error {
	if after != "" && !isKey(after) {
		return remote.BadMark(after)
	}
	for more := true; more; {
		var points []point
		var err error
		if points, more, err = d.scroll(ctx, after, min(limit, longestPage)+1, where, want); err != nil { // it begins with the point of the mark
			return err
		}
		for i := range points {
			e, err := d.entry(&points[i], want)
			if err != nil {
				return err
			}
			if e.Ref.Key == after {
				continue
			}
			if goOn, err := visit(e); err != nil || !goOn {
				return err
			}
		}
		if len(points) == 0 {
			return nil
		}
		last, err := points[len(points)-1].key()
		if err == nil && more && last == after {
			err = remote.BadAnswer("a page has no point after the one before it")
		}
		if err != nil {
			return err
		}
		after = last
	}
	return nil
}

func (d *driver) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	return d.sample.Get(ctx, n, func(ctx context.Context) ([]engine.Ref, error) {
		points, err := d.query(ctx, map[string]any{"query": map[string]any{"sample": "random"}, "limit": drawn})
		refs := make([]engine.Ref, len(points))
		for i := range points {
			if err == nil {
				refs[i].Key, err = points[i].key()
			}
		}
		return refs, err
	})
}

// drawn is the number of points that a sample keeps.
const drawn = 4096
