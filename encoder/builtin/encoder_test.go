package builtin

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// slow is set when the kernels are plain Go or the race detector is on: tests then
// encode only some of the texts.
var slow bool

func TestIdentity(t *testing.T) {
	for i, tokens := range []int{256, 512} {
		e, err := revisions[i].open()
		if err != nil {
			t.Fatal(err)
		}
		if id := e.Identity(); id.Name != Name || id.Revision != revisions[i].name || id.Dimension != 384 || id.MaxTokens != tokens || len(id.Weights) != 64 {
			t.Errorf("Identity() = %+v", id)
		}
		if size := len(revisions[i].data); size > 25e6 {
			t.Errorf("weights have %d bytes, want at most 25 MB", size)
		}
	}
}

// A text gets the same vector, bit for bit, alone, in any batch and in any order.
func TestBatchChangesNothing(t *testing.T) {
	e := open(t)
	all := texts(fixture(t))
	sample := slices.Concat(all[:40], all[600:640], all[900:915], []string{strings.Repeat("dog ", 600)})
	if slow {
		sample = slices.Concat(all[:5], all[600:605], all[900:902])
	}
	sample = append(sample, "", "[SEP]")
	together := encode(t, e, sample...)
	for i, text := range sample {
		alone := encode(t, e, text)
		if !slices.Equal(alone.Vectors[0], together.Vectors[i]) || alone.Cut[0] != together.Cut[i] {
			t.Errorf("%.60q: vector differs in a batch", text)
		}
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(sample))
	shuffled := make([]string, len(sample))
	for i, j := range order {
		shuffled[i] = sample[j]
	}
	again := encode(t, e, shuffled...)
	for i, j := range order {
		if !slices.Equal(again.Vectors[i], together.Vectors[j]) {
			t.Errorf("%.60q: vector differs in another order", sample[j])
		}
	}
}

func TestUnitVectors(t *testing.T) {
	for i, v := range encode(t, open(t), "", "dog", "\xff", "[PAD][PAD]", strings.Repeat("中", 999)).Vectors {
		if n := vec.Norm(v); math.Abs(n-1) > 1e-6 || len(v) != 384 {
			t.Errorf("text %d: %d dimensions, length %g", i, len(v), n)
		}
	}
}

func TestMeaning(t *testing.T) {
	v := encode(t, open(t), "a dog", "a puppy", "tax law", "dogs AND NOT puppies").Vectors
	dog, tax := vec.Dot(v[0], v[1]), vec.Dot(v[0], v[2])
	if dog < 0.6 || tax > 0.3 {
		t.Errorf("a dog: cosine %.3f to a puppy, %.3f to tax law", dog, tax)
	}
	if with := vec.Dot(v[3], v[1]); with > dog {
		t.Errorf("dogs without puppies are nearer to a puppy (%.3f) than a dog is (%.3f)", with, dog)
	}
}

func TestCut(t *testing.T) {
	e := open(t)
	whole, longer := strings.Repeat("dog ", e.Room()), strings.Repeat("dog ", e.Room()+1)
	got := encode(t, e, whole, longer)
	if got.Cut[0] || !got.Cut[1] {
		t.Errorf("cut: %v, want the second only", got.Cut)
	}
	if !slices.Equal(got.Vectors[0], got.Vectors[1]) {
		t.Error("text beyond the token limit changes the vector")
	}
}

func TestEncodeNothing(t *testing.T) {
	if got := encode(t, open(t)); len(got.Vectors) != 0 || len(got.Cut) != 0 {
		t.Errorf("got %d vectors for no texts, want 0", len(got.Vectors))
	}
	if _, err := open(t).Encode(context.Background(), encoder.Role(9), []string{"dog"}); err == nil {
		t.Error("an unknown role was accepted")
	}
}

func TestCancel(t *testing.T) {
	e := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	long := slices.Repeat([]string{strings.Repeat("dog ", 300)}, 10_000)
	before := runtime.NumGoroutine()
	time.AfterFunc(20*time.Millisecond, cancel)
	start := time.Now()
	_, err := e.Encode(ctx, encoder.Document, long)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("cancelled after %v", d)
	}
	if after := runtime.NumGoroutine(); after > before+1 { // the timer's goroutine may still run
		t.Errorf("got %d goroutines, want %d as before", after, before)
	}
}

// TestMemory counts the memory held by Go plus all embedded weights, although only some
// of the weights need be resident.
func TestMemory(t *testing.T) {
	e := open(t)
	encode(t, e, slices.Repeat([]string{strings.Repeat("dog ", 300)}, 2*runtime.GOMAXPROCS(0))...)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	total := m.Sys - m.HeapReleased + uint64(len(revisions[len(revisions)-1].data))
	t.Logf("%d MB", total>>20)
	if total > 120<<20 && !slow {
		t.Errorf("got %d MB, want at most 120", total>>20)
	}
}
