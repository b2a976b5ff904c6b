//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/query"
)

// documents are n random ones, some with passages.
func documents(n, dim int) []engine.Document {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	vector := func() []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		return v
	}
	docs := make([]engine.Document, n)
	for i := range docs {
		docs[i] = engine.Document{ID: fmt.Sprint("id ", i), Text: fmt.Sprint("text ", i), Vector: vector()}
		for range 2 * (i % 2) {
			docs[i].Passages = append(docs[i].Passages, engine.Passage{Vector: vector()})
		}
	}
	return docs
}

func embedded(t *testing.T, docs []engine.Document) *index.Collection {
	t.Helper()
	e, err := index.OpenOrCreate(context.Background(), t.TempDir(), index.Options{Dimension: len(docs[0].Vector)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if err := e.Upsert(context.Background(), docs); err != nil {
		t.Fatal(err)
	}
	return e
}

// hidden hides the optional methods of a store.
type hidden struct{ engine.Store }

// A store under a watch answers as it does without, and each of its calls counts
// where it belongs.
func TestTiming(t *testing.T) {
	ctx := context.Background()
	docs := documents(500, 16)
	e := embedded(t, docs)
	vectors := [][]float32{docs[1].Vector, docs[2].Vector, docs[3].Vector}
	for _, inner := range []engine.Store{e, hidden{e}} {
		store, spent := timing(inner)
		_, apart := inner.(*index.Collection)
		if scanner, ok := store.(engine.Scanner); ok != apart {
			t.Errorf("%T can scan: %t", inner, ok)
		} else if ok {
			want, err := e.Scan(ctx, vectors, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := scanner.Scan(ctx, vectors, nil)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%T: another scan, %v", inner, err)
			}
			if spent.Engine <= 0 || spent.Gather+spent.Read+spent.Size != 0 {
				t.Errorf("a scan counts as %+v", *spent)
			}
		}
		for _, near := range [][][]float32{vectors[:1], vectors[1:]} {
			*spent = storeTimes{}
			want, err := e.Pool(ctx, near, 20, nil, vectors)
			if err != nil {
				t.Fatal(err)
			}
			got, err := store.Pool(ctx, near, 20, nil, vectors)
			if err != nil || !reflect.DeepEqual(got, want) || len(got.Refs) < 20 {
				t.Errorf("%T: another pool, %v", inner, err)
			}
			if spent.Engine <= 0 || spent.Gather+spent.Read+spent.Size != 0 {
				t.Errorf("%T: a pool counts as %+v", inner, *spent)
			}
			*spent = storeTimes{}
			read, err := store.Documents(ctx, got.Refs, engine.AllParts)
			if err != nil || len(read) != len(got.Refs) || read[0].ID == "" {
				t.Errorf("%T: %d documents, %v", inner, len(read), err)
			}
			if spent.Read <= 0 || spent.Engine+spent.Gather+spent.Size != 0 {
				t.Errorf("%T: reading counts as %+v", inner, *spent)
			}
		}
		*spent = storeTimes{}
		if size, err := store.Size(ctx); err != nil || size.Documents != len(docs) || spent.Size <= 0 {
			t.Errorf("%T: %+v, %v, which counts as %+v", inner, size, err, *spent)
		}
	}
}

// Calls add up, and the processor time of each is in the sum.
func TestWatch(t *testing.T) {
	var times storeTimes
	for range 3 {
		done := times.watch()
		sum := 0
		for start := own(); own()-start < 5*time.Millisecond; sum++ {
			_ = fmt.Sprint(sum)
		}
		done(&times.Engine)
	}
	if times.Engine <= 0 || times.CPU < 15*time.Millisecond || times.Read != 0 {
		t.Errorf("three times five milliseconds of the processor are %+v", times)
	}
}

// failing cannot be asked.
type failing struct{ engine.Store }

func (failing) Pool(context.Context, [][]float32, int, query.Node, [][]float32) (*engine.Columns, error) {
	return nil, engine.ErrClosed
}

func TestTimingFails(t *testing.T) {
	store, spent := timing(failing{})
	if c, err := store.Pool(context.Background(), nil, 1, nil, nil); c != nil || !errors.Is(err, engine.ErrClosed) || spent.Engine <= 0 {
		t.Errorf("%v, %v, %+v", c, err, *spent)
	}
}
