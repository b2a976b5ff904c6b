//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/vec"
	"github.com/nsfl-go/nsfl/words"
)

// bestByWords is how many documents words are to find.
const bestByWords = 1000

// compareFinders finds the best documents for two words by different structures: the scan
// that a collection does, an inverted file and SQLite's full-text index.
func compareFinders(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("words", flag.ExitOnError)
	n := f.Int("n", 1_000_000, "documents")
	withFTS := f.Bool("fts", true, "build SQLite's index too, which takes the longest")
	_ = f.Parse(args) // it exits
	p, err := newProse()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "nsfl-words-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	texts := speak(p, *n)
	kinds := p.pairs(texts)

	finders := []finder{&scanner{texts: texts}, &scanner{texts: texts, marked: true}, &inverted{texts: texts, dir: dir}, &inverted{texts: texts, dir: dir, soft: true}}
	if *withFTS {
		finders = append(finders, &fullText{texts: texts, pieces: p, file: dir + "/fts.db"})
	}
	fmt.Printf("%d documents of %.0f pieces; the %d best for two words; ms, the least of some queries, and processor time, their median\n",
		*n, float64(len(texts.pieces))/float64(*n), bestByWords)
	columns := []string{"", "built in, s", "bytes a document"}
	for _, k := range kinds {
		columns = append(columns, fmt.Sprintf("%s (in %.2g%% and %.2g%%)", k.name, 100*k.share[0], 100*k.share[1]))
	}
	head(os.Stdout, columns...)
	for _, find := range finders {
		start := time.Now()
		bytes, err := find.build(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.1f | %.0f |", find.name(), time.Since(start).Seconds(), float64(bytes)/float64(*n))
		for i := range kinds {
			least, used, err := kinds[i].time(ctx, find)
			if err != nil {
				return err
			}
			fmt.Printf(" %.1f, %.1f |", least, used)
		}
		fmt.Println()
	}
	return nil
}

// finder finds documents by words.
type finder interface {
	name() string
	// build makes what find needs, and returns its size on the disk.
	build(context.Context) (bytes int64, err error)
	// find returns the best documents, and what words say of them where that is comparable
	// with the scan.
	find(context.Context, *pair) (values []float32, err error)
}

// spoken are the pieces of documents.
type spoken struct {
	pieces []uint16
	ends   []int // where the pieces of each document end
	having []int // by piece: how many documents have it
	*words.Statistics
}

func (s *spoken) of(doc int) []uint16 {
	if doc == 0 {
		return s.pieces[:s.ends[0]]
	}
	return s.pieces[s.ends[doc-1]:s.ends[doc]]
}

// speak makes n documents of 40 to 80 whole words.
func speak(p *prose, n int) *spoken {
	drawn := make([]uint16, 1<<22) // drawing each by Zipf's law would take minutes
	for i := range drawn {
		at := p.next()
		for strings.HasPrefix(p.pieces[at], "##") {
			at = p.next()
		}
		drawn[i] = uint16(firstWord + at)
	}
	s := &spoken{pieces: make([]uint16, 0, 61*n), ends: make([]int, n), having: make([]int, 1<<16), Statistics: words.NewStatistics()}
	random := rand.New(rand.NewPCG(5, 5))
	last := make([]int, 1<<16)
	for i := range n {
		for range 40 + random.IntN(41) {
			piece := drawn[random.IntN(len(drawn))]
			s.pieces = append(s.pieces, piece)
			if last[piece] != i+1 {
				last[piece] = i + 1
				s.having[piece]++
			}
		}
		s.ends[i] = len(s.pieces)
		if i < 1<<16 {
			s.Add(s.of(i))
		}
	}
	return s
}

// pair are two words that are looked for.
type pair struct {
	texts [2]string
	query *words.Query
	// near are, for each word, the pieces that have anything of it, the nearest first.
	near [2][]words.Neighbour
	want []float32 // what the scan has found
}

// said is what the shares of two words say of both, as a conjunction has it.
func said(a, b float32) float32 { return (min(a, b) + (a+b)/2) / 2 }

// kind is a kind of pairs.
type kind struct {
	name  string
	pairs []*pair
	share [2]float64 // of the documents, that have each word
}

// pairs are three of each kind: rare words stand in some of ten thousand documents, common
// ones in some of a hundred.
func (p *prose) pairs(s *spoken) []kind {
	const rare, common, each = 9000, 250, 3
	out := []kind{{name: "rare and rare"}, {name: "rare and common"}, {name: "common and common"}}
	next := map[int]int{rare: rare, common: common}
	draw := func(from int) int {
		for at := next[from]; ; at++ {
			if word := p.pieces[at]; len(word) > 4 && words.Stem(word) == word && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
				next[from] = at + 1
				return at
			}
		}
	}
	for i, from := range [][2]int{{rare, rare}, {rare, common}, {common, common}} {
		for range each {
			q := &pair{}
			for j := range q.texts {
				at := draw(from[j])
				q.texts[j] = p.pieces[at]
				out[i].share[j] += float64(s.having[firstWord+at]) / float64(len(s.ends)) / each
			}
			q.query = words.NewQuery(q.texts[:], s.Statistics)
			q.neighbours()
			out[i].pairs = append(out[i].pairs, q)
		}
	}
	return out
}

// neighbours reads each piece as a document of its own, which tells what it is to the words.
func (q *pair) neighbours() {
	reader, shares := q.query.NewReader(), make([]float32, 2)
	for piece := range uint16(1 << 15) {
		reader.Read(shares, []uint16{piece})
		for j, share := range shares {
			if share > 0 {
				q.near[j] = append(q.near[j], words.Neighbour{Piece: piece, Similarity: byte(share*255 + 0.5)})
			}
		}
	}
	for j := range q.near {
		slices.SortStableFunc(q.near[j], func(a, b words.Neighbour) int { return int(b.Similarity) - int(a.Similarity) })
	}
}

// time asks for all pairs several times.
func (k *kind) time(ctx context.Context, f finder) (least, used float64, err error) {
	const rounds = 5
	var times, processor []float64
	for range rounds {
		for _, q := range k.pairs {
			start, before := time.Now(), own()
			values, err := f.find(ctx, q)
			if err != nil {
				return 0, 0, err
			}
			times, processor = append(times, inMS(time.Since(start))), append(processor, inMS(own()-before))
			if values == nil {
				continue
			}
			if q.want == nil {
				q.want = values
			} else if !slices.Equal(values, q.want) {
				return 0, 0, fmt.Errorf("%s finds other documents for %q than the scan", f.name(), q.texts)
			}
		}
	}
	return slices.Min(times), median(processor), nil
}

// scanner reads all pieces. Marked, it reads only documents that have one of the words, as
// a collection does for its pools.
type scanner struct {
	texts  *spoken
	marked bool
}

func (s *scanner) name() string {
	if s.marked {
		return "scan for the words, reading what has them"
	}
	return "scan of pieces, soft words"
}

func (s *scanner) build(context.Context) (int64, error) { return 2 * int64(len(s.texts.pieces)), nil }

func (s *scanner) find(ctx context.Context, q *pair) ([]float32, error) {
	const unit = 512
	cores := runtime.GOMAXPROCS(0)
	tops, readers := make([]*vec.TopK, cores), make([]*words.Reader, cores)
	for i := range tops {
		tops[i], readers[i] = vec.NewTopK(bestByWords), q.query.NewReader()
	}
	n := len(s.texts.ends)
	var marks []uint16
	for _, needle := range q.query.Needles() {
		marks = append(marks, needle.Marks...)
	}
	err := workers.Numbered(ctx, (n+unit-1)/unit, cores, func(_ context.Context, worker, i int) error {
		shares, values := make([]float32, 2), make([]float32, min(unit, n-i*unit))
		for j := range values {
			text := s.texts.of(i*unit + j)
			if s.marked && vec.Find(text, marks) == len(text) { // a collection looks through many at once
				continue
			}
			readers[worker].Read(shares, text)
			values[j] = said(shares[0], shares[1])
		}
		tops[worker].Push(uint32(i*unit), values)
		return nil
	})
	if s.marked { // it finds fewer, and so is not compared
		return nil, err
	}
	return merged(tops), err
}

// merged are the best values of all.
func merged(tops []*vec.TopK) []float32 {
	for _, other := range tops[1:] {
		tops[0].Merge(other)
	}
	_, values := tops[0].Ranked()
	return values
}
