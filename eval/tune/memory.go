package tune

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/vec"
)

// store is what a corpus of package lab is.
type store interface {
	engine.Store
	engine.Scanner
	engine.Sampler
}

// memory is a store that compares all documents with each vector once: the trials
// of a question share most of their vectors. It is for one question and one
// goroutine.
type memory struct {
	store
	known map[string][]float32
}

func remember(s store) *memory { return &memory{s, map[string][]float32{}} }

// Scan compares documents with the vectors that are new.
func (m *memory) Scan(ctx context.Context, vectors [][]float32, filter query.Node) (*engine.Columns, error) {
	keys := make([]string, len(vectors))
	var fresh [][]float32
	var names []string
	for i, v := range vectors {
		keys[i] = key(v)
		if _, known := m.known[keys[i]]; !known {
			m.known[keys[i]] = nil
			fresh, names = append(fresh, v), append(names, keys[i])
		}
	}
	found, err := m.store.Scan(ctx, fresh, filter)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		m.known[name] = found.Similarities[i]
	}
	found.Similarities = make([][]float32, len(vectors))
	for i, k := range keys {
		found.Similarities[i] = m.known[k]
	}
	return found, nil
}

// Pool takes what is nearest from all documents.
func (m *memory) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	all, err := m.Scan(ctx, append(append([][]float32{}, vectors...), near...), filter)
	if err != nil {
		return nil, err
	}
	var lines []uint32
	taken := map[uint32]bool{}
	for _, column := range all.Similarities[len(vectors):] {
		top := vec.NewTopK(min(k, len(column)))
		top.Push(0, column)
		best, _ := top.Ranked()
		for _, line := range best {
			if !taken[line] {
				taken[line] = true
				lines = append(lines, line)
			}
		}
	}
	out := &engine.Columns{Similarities: make([][]float32, len(vectors))}
	for _, line := range lines {
		out.Refs = append(out.Refs, all.Refs[line])
	}
	for j := range vectors {
		for _, line := range lines {
			out.Similarities[j] = append(out.Similarities[j], all.Similarities[j][line])
		}
	}
	return out, nil
}

// key has the bits of a vector.
func key(v []float32) string {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return string(out)
}
