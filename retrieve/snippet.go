package retrieve

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// snippets finds the passages that match a formula's wanted atoms best.
type snippets struct {
	names   []string
	vectors [][]float32
}

func newSnippets(e *Encoded) *snippets {
	negated := query.Negated(e.Formula.Root)
	s := &snippets{}
	for i, a := range e.Formula.Terms.Atoms() {
		if !negated[a.String()] {
			s.names, s.vectors = append(s.names, a.String()), append(s.vectors, e.Vectors[i])
		}
	}
	return s
}

// of is the passage, other than the title, that is most similar to a wanted
// atom; the whole text where there are no passages to compare.
func (s *snippets) of(d *engine.Document) Snippet {
	if d.ID == "" { // deleted meanwhile
		return Snippet{}
	}
	best := Snippet{Text: d.Text}
	found := false
	for _, p := range d.Passages {
		if p.Text == d.Title && len(d.Passages) > 1 {
			continue
		}
		v := p.Vector
		if v == nil { // the only one
			v = d.Vector
		}
		if atom, similarity := s.nearest(v); !found || similarity > best.Similarity {
			best, found = Snippet{p.Text, atom, similarity}, true
		}
	}
	if !found {
		best.Atom, best.Similarity = s.nearest(d.Vector)
	}
	return best
}

func (s *snippets) nearest(v []float32) (atom string, similarity float64) {
	for i, a := range s.vectors {
		if c := vec.Dot64(a, v); i == 0 || c > similarity {
			atom, similarity = s.names[i], c
		}
	}
	return atom, similarity
}
