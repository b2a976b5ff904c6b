package lab

import (
	"encoding/binary"
	"math"

	"github.com/nsfl-go/nsfl/retrieve"
)

// Remembering is a searcher of a corpus that compares all documents with each vector
// once: searches for one formula in several ways share most of their vectors. It is
// for one goroutine.
func Remembering(s *retrieve.Searcher) *retrieve.Searcher {
	m := *s.Store.(*matrix)
	m.known = map[string][]float32{}
	return &retrieve.Searcher{Store: &m, Encoder: s.Encoder}
}

// columns are the similarities of all documents to each of the vectors.
func (m *matrix) columns(vectors [][]float32) ([][]float32, error) {
	if m.known == nil {
		return m.compare(vectors)
	}
	var fresh [][]float32
	var names []string
	for _, v := range vectors {
		name := bits(v)
		if _, known := m.known[name]; !known {
			m.known[name] = nil
			fresh, names = append(fresh, v), append(names, name)
		}
	}
	columns, err := m.compare(fresh)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		m.known[name] = columns[i]
	}
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		out[i] = m.known[bits(v)]
	}
	return out, nil
}

func bits(v []float32) string {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return string(out)
}
