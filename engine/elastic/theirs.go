package elastic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/vec"
)

// theirs is the form of an index that something else has made. A document is what has a
// vector.
type theirs struct {
	*mapping
	remote.Roles
	list   []list
	uneven atomic.Bool // a vector was seen whose length is not 1, and the index goes by lengths
}

func (t *theirs) documents() clause { return clause{"exists": clause{"field": t.Vector}} }

func (t *theirs) lists() []list {
	if !t.uneven.Load() || len(t.list) == 0 {
		return t.list
	}
	l := t.list[0]
	l.cosine = nil
	return []list{l}
}

func (t *theirs) vectors() string { return "" }

// key is the id itself, where Elasticsearch could have it.
func (t *theirs) key(id string) string {
	const most = 512
	if len(id) > most || !utf8.ValidString(id) {
		return ""
	}
	return id
}

func (t *theirs) ask(r *request, parts engine.Parts) {
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		// They come by themselves, since a mapping may leave them out of the source.
		r.Fields = []string{t.Vector}
	}
	wanted, unwanted := []string{}, slices.Clone(t.mapping.vectors)
	for _, p := range []struct {
		part engine.Parts
		name string
	}{{engine.Titles, t.Title}, {engine.Texts, t.Text}} {
		switch {
		case p.name == "":
		case parts.Has(p.part):
			wanted = append(wanted, p.name)
		default:
			unwanted = append(unwanted, p.name)
		}
	}
	switch {
	case parts.Has(engine.Metadata):
		r.Source = clause{"excludes": unwanted}
	case len(wanted) > 0:
		r.Source = clause{"includes": wanted}
	default:
		r.Source = false
	}
}

func (t *theirs) stored(h *hit, parts engine.Parts) (*remote.Stored, error) {
	s := &remote.Stored{ID: h.ID}
	if parts.Has(engine.Vectors | engine.PassageVectors) {
		v, err := t.vector(h)
		if err != nil {
			return nil, err
		}
		if vec.Norm(v) > 0 { // of the others all cosines are 0
			if err := engine.Unit(v); err != nil {
				return nil, fmt.Errorf("the vector of the document %.64q %s", h.ID, engine.VectorProblem(err))
			}
		}
		s.Rows = [][]float32{v}
	}
	if len(bytes.TrimSpace(h.Source)) == 0 {
		return s, nil
	}
	source, err := newTree(h.Source)
	if err != nil {
		return nil, &formError{fmt.Sprintf("the document %.64q: %v", h.ID, err)}
	}
	s.Title, s.Text = textOf(source.take(t.Title)), textOf(source.take(t.Text))
	for _, name := range t.mapping.vectors {
		source.take(name)
	}
	if below, err := newTree(source.take(t.Metadata)); err == nil {
		maps.Copy(below, source)
		source = below
	}
	s.Metadata, err = source.text()
	return s, err
}

// vector reads the vector of a document, which may have any length.
func (t *theirs) vector(h *hit) ([]float32, error) {
	field := t.fields[t.Vector]
	v, err := numbers(h.Fields[t.Vector], field.Dimension)
	if err != nil {
		return nil, &formError{fmt.Sprintf("the vector of the document %.64q: %v", h.ID, err)}
	}
	const slack = 1e-3
	if !directional(field.Similarity) && math.Abs(vec.Norm(v)-1) > slack {
		t.uneven.Store(true)
	}
	return v, nil
}

// textOf is a text, or several in a list, one after the other.
func textOf(raw json.RawMessage) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var many []any
	if json.Unmarshal(raw, &many) == nil {
		var texts []string
		for _, x := range many {
			texts = append(texts, fmt.Sprint(x))
		}
		return strings.Join(texts, "\n")
	}
	return strings.TrimSuffix(string(raw), "null") // a number or a truth value
}

// tree is an object whose fields are named by what they stand in: outer.inner is inner in
// the object outer, or a field of that name.
type tree map[string]json.RawMessage

func newTree(raw json.RawMessage) (t tree, err error) {
	if err = json.Unmarshal(raw, &t); err == nil && t == nil {
		err = errors.New("it is null")
	}
	return t, err
}

// take removes a field, and returns it.
func (t tree) take(name string) json.RawMessage {
	if found, ok := t[name]; ok {
		delete(t, name)
		return found
	}
	for i, c := range name {
		if c != '.' {
			continue
		}
		outer, inner := name[:i], name[i+1:]
		below, err := newTree(t[outer])
		if err != nil { // a list of objects stays whole
			continue
		}
		found := below.take(inner)
		if found == nil {
			continue
		}
		if t[outer], err = json.Marshal(below); err != nil {
			return nil
		}
		return found
	}
	return nil
}

// text is what is left; empty: nothing is.
func (t tree) text() (string, error) {
	if len(t) == 0 {
		return "", nil
	}
	b, err := marshal(t)
	return strings.TrimSpace(string(b)), err
}
