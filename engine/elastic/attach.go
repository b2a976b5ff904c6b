package elastic

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// Attached is an open index that something else has made and fills. It is safe for
// concurrent use, and only read.
type Attached struct {
	remote.ReadOnly
	*reader
}

// Worded is one with texts.
type Worded struct {
	*Attached
	remote.Words
}

var (
	_ engine.Collection = (*Attached)(nil)
	_ engine.Collection = (*Worded)(nil)
	_ engine.Worded     = (*Worded)(nil)
)

// identity is the name of what identifies documents, which is no field of theirs.
const identity = "_id"

// attach opens an index of somebody else's.
func (s *reader) attach(ctx context.Context, d *description, roles remote.Roles) (engine.Collection, error) {
	m := newMapping(&d.Mappings.property)
	roles, err := roles.Fill(s.calls.Place, m.columns)
	if err != nil {
		return nil, err
	}
	if roles.ID != identity {
		return nil, engine.BadInput("id="+roles.ID, "documents of Elasticsearch are identified by %s: leave id out", identity)
	}
	vector := m.fields[roles.Vector]
	if vector.Dimension < 1 || vector.Dimension > maxDimension {
		return nil, fmt.Errorf("the field %s holds no vectors yet: it has the dimension %d", roles.Vector, vector.Dimension)
	}
	o := s.calls.Options
	o.Encoder = "" // which nobody knows
	if err := (remote.Identity{Dimension: vector.Dimension}).Agrees(s.calls.Place, format, &o); err != nil {
		return nil, err
	}
	f := &theirs{mapping: m, Roles: roles}
	s.dim, s.form = vector.Dimension, f
	if vector.indexed() {
		f.list = []list{{field: roles.Vector, all: f.documents(), rough: rough(vector.kind()), cosine: cosines[vector.Similarity]}}
		if !directional(vector.Similarity) {
			if err := s.look(ctx, f); err != nil {
				return nil, err
			}
		}
	}
	a := &Attached{reader: s}
	if roles.Text == "" && roles.Title == "" {
		return a, nil
	}
	return &Worded{a, remote.Words{Store: a, Search: a.finder(f)}}, nil
}

// look reads some vectors, whose lengths tell whether an index that goes by lengths is of
// use.
func (s *reader) look(ctx context.Context, f *theirs) error {
	const some = 100
	r := s.request(engine.Vectors)
	r.Size, r.Query = min(r.Size, some), allOf(f.documents())
	a, err := s.search(ctx, r, new(lack))
	if err != nil {
		return err
	}
	for i := range a.Hits.Hits {
		if _, err := f.vector(&a.Hits.Hits[i]); err != nil {
			return err
		}
	}
	return nil
}

// finder finds documents by their words, where a text is indexed by its words.
func (a *Attached) finder(f *theirs) func(context.Context, [][]string, query.Node, int) ([]engine.Ref, error) {
	var fields []string
	for _, name := range []string{f.Text, f.Title} {
		if p, ok := f.fields[name]; ok && p.indexed() && slices.Contains([]string{"text", "match_only_text", "search_as_you_type"}, p.Type) {
			fields = append(fields, name)
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return func(ctx context.Context, wanted [][]string, node query.Node, n int) (refs []engine.Ref, err error) {
		var ways []string
		for _, written := range wanted {
			ways = append(ways, written...)
		}
		match := clause{"multi_match": clause{"query": strings.Join(ways, " "), "fields": fields, "type": "most_fields"}}
		err = a.calls.Read(ctx, "looking for words", func(ctx context.Context) error {
			refs = nil
			f, parts, most := newFilter(node, a.form), engine.NoParts, n
			if !f.exact {
				parts, most = engine.Metadata, maxResults
			}
			return a.ranked(ctx, a.request(parts), match, f, most, new(lack), func(h *hit) error {
				if !f.exact {
					stored, err := a.form.stored(h, parts)
					if err != nil {
						return err
					}
					if passes, err := remote.Passes(f.node, []byte(stored.Metadata)); err != nil || !passes {
						return err
					}
				}
				if len(refs) < n {
					refs = append(refs, engine.Ref{Key: h.ID})
				}
				return nil
			})
		})
		return refs, err
	}
}

// Catalogue are those of the mapping.
func (a *Attached) Catalogue() (fields []string, parts map[string]string) {
	f := a.form.(*theirs)
	return f.Fields(f.columns)
}
