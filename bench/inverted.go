//go:build linux

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/vec"
	"github.com/nsfl-go/nsfl/words"
)

// inverted is an inverted file: for each piece the documents that have it, as varints of
// their distances. It knows neither passages nor what they deny, which a real one would
// have to keep beside.
type inverted struct {
	texts *spoken
	dir   string
	soft  bool // neighbours of words count, as they do in a scan

	segments []*segment
}

// segment is the file of some documents: few enough that what a query gathers stays in the
// cache.
type segment struct {
	first, size int
	starts      []uint32 // by piece, where its documents begin
	postings    []byte   // mapped
}

const segmentSize = 1 << 18

func (v *inverted) name() string {
	if v.soft {
		return "inverted file, soft words"
	}
	return "inverted file, exact words"
}

func (v *inverted) build(ctx context.Context) (bytes int64, err error) {
	n := len(v.texts.ends)
	v.segments = make([]*segment, (n+segmentSize-1)/segmentSize)
	err = workers.Each(ctx, len(v.segments), runtime.GOMAXPROCS(0), func(_ context.Context, i int) (err error) {
		s := &segment{first: i * segmentSize, size: min(segmentSize, n-i*segmentSize)}
		v.segments[i] = s
		s.postings, err = mapped(filepath.Join(v.dir, fmt.Sprintf("segment-%d", i)), s.invert(v.texts))
		return err
	})
	for _, s := range v.segments {
		if s != nil {
			bytes += int64(len(s.postings) + 4*len(s.starts))
		}
	}
	return bytes, err
}

// invert writes the documents of each piece.
func (s *segment) invert(texts *spoken) []byte {
	const pieces = 1 << 16
	var room [binary.MaxVarintLen32]byte
	last := make([]uint32, pieces) // document, from 1 on, that was seen to have a piece
	each := func(f func(piece uint16, distance uint64)) {
		clear(last)
		for doc := range s.size {
			now := uint32(doc + 1)
			for _, p := range texts.of(s.first + doc) {
				if last[p] != now {
					f(p, uint64(now-last[p]))
					last[p] = now
				}
			}
		}
	}
	s.starts = make([]uint32, pieces+1)
	each(func(p uint16, distance uint64) { s.starts[int(p)+1] += uint32(binary.PutUvarint(room[:], distance)) })
	for p := range pieces {
		s.starts[p+1] += s.starts[p]
	}
	out := make([]byte, s.starts[pieces])
	at := make([]uint32, pieces)
	copy(at, s.starts)
	each(func(p uint16, distance uint64) { at[p] += uint32(binary.PutUvarint(out[at[p]:], distance)) })
	return out
}

// mapped writes a file and maps it.
func mapped(name string, content []byte) ([]byte, error) {
	if err := os.WriteFile(name, content, 0o666); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return unix.Mmap(int(f.Fd()), 0, len(content), unix.PROT_READ, unix.MAP_SHARED)
}

func (v *inverted) find(ctx context.Context, q *pair) ([]float32, error) {
	tops := make([]*vec.TopK, runtime.GOMAXPROCS(0))
	gathered := make([]gathering, len(tops))
	for i := range tops {
		tops[i] = vec.NewTopK(bestByWords)
	}
	err := workers.Numbered(ctx, len(v.segments), len(tops), func(_ context.Context, worker, i int) error {
		g, s := &gathered[worker], v.segments[i]
		g.begin()
		for j, near := range q.near {
			for _, n := range near {
				if v.soft || n.Similarity == 255 {
					g.gather(s, j, n)
				}
			}
		}
		for _, doc := range g.docs {
			shares := &g.shares[doc]
			tops[worker].PushIDs([]uint32{uint32(s.first) + doc}, []float32{said(float32(shares[0])/255, float32(shares[1])/255)})
		}
		return nil
	})
	values := merged(tops)
	if !v.soft {
		return nil, err // what is found is not what the scan finds
	}
	return values, err
}

// gathering is what a query has of the documents of a segment.
type gathering struct {
	shares [][2]byte // by document
	docs   []uint32  // that have anything
}

func (g *gathering) begin() {
	if g.shares == nil {
		g.shares = make([][2]byte, segmentSize)
	}
	for _, doc := range g.docs {
		g.shares[doc] = [2]byte{}
	}
	g.docs = g.docs[:0]
}

// gather notes the documents that have a piece.
func (g *gathering) gather(s *segment, word int, n words.Neighbour) {
	postings := s.postings[s.starts[n.Piece]:s.starts[int(n.Piece)+1]]
	for doc := uint32(0); len(postings) > 0; {
		distance, size := uint32(postings[0]), 1
		if distance >= 0x80 {
			long, n := binary.Uvarint(postings)
			distance, size = uint32(long), n
		}
		postings = postings[size:]
		doc += distance
		shares := &g.shares[doc-1]
		if *shares == ([2]byte{}) {
			g.docs = append(g.docs, doc-1)
		}
		shares[word] = max(shares[word], n.Similarity)
	}
}
