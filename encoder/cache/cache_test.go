package cache

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
)

const testDim = 48

// fake is an encoder whose vectors are a hash of its name and the text. They take any
// float32 value and are not unit vectors. A text that ends in ! is cut.
type fake struct {
	id    encoder.Identity
	err   error
	mu    sync.Mutex
	calls [][]string
}

func newFake(name string) *fake {
	return &fake{id: encoder.Identity{
		Name: name, Dimension: testDim, Prefixes: encoder.Prefixes{Query: "query: ", Document: "text: ", Passage: "text: "},
	}}
}

func (f *fake) Identity() encoder.Identity { return f.id }

func (f *fake) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	f.mu.Lock()
	f.calls = append(f.calls, slices.Clone(texts))
	f.mu.Unlock()
	if ctx.Err() != nil || f.err != nil {
		return encoder.Encoded{}, errors.Join(ctx.Err(), f.err)
	}
	var out encoder.Encoded
	for _, text := range texts {
		out.Vectors = append(out.Vectors, f.vector(role, text))
		out.Cut = append(out.Cut, strings.HasSuffix(text, "!"))
	}
	return out, nil
}

func (f *fake) vector(role encoder.Role, text string) []float32 {
	h := fnv.New64a()
	fmt.Fprint(h, f.id.Name, "\x00", f.id.Prefixes.Of(role), text)
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	v := make([]float32, f.id.Dimension)
	for i := range v {
		v[i] = math.Float32frombits(r.Uint32())
	}
	v[0] = float32(math.Copysign(0, -1))
	return v
}

// encoded returns how many texts have reached the encoder.
func (f *fake) encoded() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, texts := range f.calls {
		n += len(texts)
	}
	return n
}

func bits(v []float32) string {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return string(b)
}

// expect encodes through the cache and compares with the encoder, bit for bit.
func expect(t *testing.T, c *Cache, role encoder.Role, texts ...string) {
	t.Helper()
	got, err := c.Encode(t.Context(), role, texts)
	if err != nil {
		t.Error(err)
		return
	}
	if len(got.Vectors) != len(texts) || len(got.Cut) != len(texts) {
		t.Errorf("got %d vectors and %d cuts for %d texts", len(got.Vectors), len(got.Cut), len(texts))
		return
	}
	for i, text := range texts {
		if bits(got.Vectors[i]) != bits(c.inner.(*fake).vector(role, text)) || got.Cut[i] != strings.HasSuffix(text, "!") {
			t.Errorf("%s %q has a different vector or cut through the cache: %v", role, text, got.Cut[i])
		}
	}
}

// openTest opens a cache that fails the test if there is trouble.
func openTest(t *testing.T, inner encoder.Encoder, dir string, o Options) *Cache {
	t.Helper()
	if o.OnTrouble == nil {
		o.OnTrouble = func(err error) { t.Error(err) }
	}
	c := Open(t.Context(), inner, dir, o)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func numbered(from, to int) []string {
	var texts []string
	for i := from; i < to; i++ {
		texts = append(texts, fmt.Sprint("text ", i))
	}
	return texts
}

func TestCache(t *testing.T) {
	dir := t.TempDir() + "/not/there yet ?#%41"
	f := newFake("a")
	c := openTest(t, f, dir, Options{})
	expect(t, c, encoder.Document, "a", "b!", "a", "c", "b!")
	if len(f.calls) != 1 || !slices.Equal(f.calls[0], []string{"a", "b!", "c"}) {
		t.Errorf("the encoder was asked for %q", f.calls)
	}
	expect(t, c, encoder.Document, "c", "d", "b!", "e")
	if len(f.calls) != 2 || !slices.Equal(f.calls[1], []string{"d", "e"}) {
		t.Errorf("the encoder was asked for %q", f.calls)
	}
	expect(t, c, encoder.Passage, "a", "b!") // has the prefix of documents
	expect(t, c, encoder.Document)
	if len(f.calls) != 2 {
		t.Errorf("the encoder was asked for %q", f.calls)
	}
	expect(t, c, encoder.Query, "a", "b!")
	if s := c.Stats(); len(f.calls) != 3 || s.Hits != 4 || s.Misses != 7 || s.Bytes < 7*4*testDim {
		t.Errorf("got stats %+v after %d calls", s, len(f.calls))
	}
	if c.Identity() != f.Identity() {
		t.Errorf("Identity() = %s, want %s", c.Identity(), f.Identity())
	}
	if _, err := c.Encode(t.Context(), 3, []string{"a"}); err == nil {
		t.Error("an unknown role was accepted")
	}

	must(t, c.Close())
	expect(t, c, encoder.Query, "a")
	if len(f.calls) != 4 {
		t.Errorf("after Close the encoder was asked for %q", f.calls)
	}
	again := newFake("a")
	c = openTest(t, again, dir, Options{})
	expect(t, c, encoder.Document, "a", "b!", "c", "d", "e")
	expect(t, c, encoder.Query, "a", "b!")
	if again.encoded() != 0 {
		t.Errorf("after opening again the encoder was asked for %q", again.calls)
	}
}

// Repetitions of a text in one call get vectors that do not share memory.
func TestRepetitions(t *testing.T) {
	c := openTest(t, newFake("a"), t.TempDir(), Options{})
	for range 2 {
		got, err := c.Encode(t.Context(), encoder.Query, []string{"a", "a"})
		must(t, err)
		got.Vectors[0][1] = 7
		if got.Vectors[1][1] == 7 {
			t.Error("two vectors share memory")
		}
		expect(t, c, encoder.Query, "a")
	}
}

// Encoders whose identities differ in any field share a file but no vectors.
func TestIdentities(t *testing.T) {
	dir := t.TempDir()
	base := encoder.Identity{Name: "a", Revision: "b", Dimension: testDim, Pooling: "mean", MaxTokens: 512, Weights: "c"}
	ids := []encoder.Identity{base}
	for _, change := range []func(*encoder.Identity){
		func(id *encoder.Identity) { id.Name = "x" },
		func(id *encoder.Identity) { id.Name, id.Revision = "ab", "" },
		func(id *encoder.Identity) { id.Revision = "x" },
		func(id *encoder.Identity) { id.Dimension = 2 * testDim },
		func(id *encoder.Identity) { id.Pooling = "cls" },
		func(id *encoder.Identity) { id.Prefixes.Query = "x" },
		func(id *encoder.Identity) { id.Prefixes.Passage = "x" },
		func(id *encoder.Identity) { id.MaxTokens = 256 },
		func(id *encoder.Identity) { id.Weights = "x" },
	} {
		id := base
		change(&id)
		ids = append(ids, id)
	}
	for round := range 2 {
		for i, id := range ids {
			f := &fake{id: id}
			c := openTest(t, f, dir, Options{})
			expect(t, c, encoder.Document, "one", "two")
			if want := 2 * (1 - round); f.encoded() != want {
				t.Errorf("round %d, identity %d: %d texts encoded, want %d", round, i, f.encoded(), want)
			}
			must(t, c.Close())
		}
	}
}

func TestErrors(t *testing.T) {
	f := newFake("a")
	c := openTest(t, f, t.TempDir(), Options{})
	f.err = errors.New("no")
	if _, err := c.Encode(t.Context(), encoder.Query, []string{"a"}); !errors.Is(err, f.err) {
		t.Error(err)
	}
	f.err = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, texts := range [][]string{{"a"}, nil} {
		if _, err := c.Encode(ctx, encoder.Query, texts); err != context.Canceled { //nolint:errorlint // it must be this very error
			t.Errorf("%q: got error %v, want context.Canceled", texts, err)
		}
	}
	expect(t, c, encoder.Query, "a") // the cancelled calls had no effect
}

func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	caches := []*Cache{
		openTest(t, newFake("a"), dir, Options{MaxBytes: 1 << 20}),
		openTest(t, newFake("a"), dir, Options{MaxBytes: 1 << 20}),
		openTest(t, newFake("b"), dir, Options{MaxBytes: 1 << 20}),
	}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 5))
			for range 25 {
				var texts []string
				for range r.IntN(40) {
					texts = append(texts, fmt.Sprint("text ", r.IntN(6000)))
				}
				expect(t, caches[i%3], encoder.Role(r.IntN(3)), texts...)
				if r.IntN(8) == 0 { // cancelled calls do not affect others
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(1000))*time.Microsecond)
					caches[i%3].Encode(ctx, encoder.Query, numbered(0, 50))
					cancel()
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkHit(b *testing.B) {
	f := newFake("a")
	f.id.Dimension = 384
	c := Open(b.Context(), f, b.TempDir(), Options{OnTrouble: func(err error) { b.Fatal(err) }})
	defer c.Close()
	for _, n := range []int{1, 1000} {
		texts := numbered(0, n)
		if _, err := c.Encode(b.Context(), encoder.Query, texts); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Encode(b.Context(), encoder.Query, texts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestCancelledRead cancels reads while a value is decoded. Vectors are long, so that
// most cancellations arrive between the scan of a row and the end of its query.
func TestCancelledRead(t *testing.T) {
	const dim = 1 << 20
	s, _, err := openStore(t.Context(), t.TempDir(), time.Minute)
	must(t, err)
	defer s.close()
	e := entry{key: key{1}, vector: make([]float32, dim)}
	_, err = s.keep(t.Context(), []entry{e}, nil, 1<<30)
	must(t, err)
	done := make(chan error)
	for i := range 64 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := s.find(ctx, []entry{{key: key{1}}}, dim, 1<<30)
			done <- err
		}()
		time.AfterFunc(time.Duration(i)*200*time.Microsecond, cancel)
		select {
		case err := <-done:
			if err != nil && ctx.Err() == nil {
				t.Fatal(err)
			}
		case <-time.After(time.Minute):
			t.Fatal("a cancelled read did not return")
		}
		cancel()
	}
}
