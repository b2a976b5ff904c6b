package fieldstats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// facetOf counts documents one after the other.
func facetOf(size int, docs [][]predicate.Value) *Facet {
	t := newTally(FacetRequest{"f", size})
	for _, values := range docs {
		t.addDocument(values)
	}
	return t.facet()
}

// checkFacet compares a facet with the conditions of its buckets.
func checkFacet(t *testing.T, f *Facet, size int, docs [][]predicate.Value) {
	t.Helper()
	if len(f.Buckets) > size {
		t.Errorf("%d buckets, want %d at most", len(f.Buckets), size)
	}
	for _, values := range docs {
		f.Find(values)
	}
	told := map[string]bool{}
	for i, b := range f.Buckets {
		if b.Count != b.Found {
			t.Errorf("%+v: counted as %d, and found in %d", b, b.Count, b.Found)
		}
		if b.From == "" && i > 0 && b.Count > f.Buckets[i-1].Count {
			t.Errorf("%+v is not the most frequent after %+v", b, f.Buckets[i-1])
		}
		if b.Query == "" {
			continue
		}
		if told[b.Query] {
			t.Errorf("%s comes twice", b.Query)
		}
		told[b.Query] = true
		n, err := query.Parse(b.Query)
		if err != nil {
			t.Fatal(err)
		}
		holds := 0
		for _, values := range docs {
			for v := range counted(values, "f") {
				if predicate.Passes(n, []predicate.Value{v}) {
					holds++
				}
			}
		}
		if holds != b.Count {
			t.Errorf("%s holds of %d documents, counted are %d", b.Query, holds, b.Count)
		}
	}
}

func values(texts ...string) (out []predicate.Value) {
	for _, x := range texts {
		out = append(out, predicate.NewValue("f", x))
	}
	slices.SortFunc(out, predicate.Compare)
	return slices.Compact(out)
}

// each are documents of one value.
func each(n int, of func(i int) string) (docs [][]predicate.Value) {
	for i := range n {
		docs = append(docs, values(of(i)))
	}
	return docs
}

func TestFacets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		size int
		docs [][]predicate.Value
		want string // how it begins
	}{
		{"nothing", 10, nil, ""},
		{"few texts", 3, [][]predicate.Value{values("a"), values("b", "a"), values("c"), values("d", "a"), values("d")}, "a 3, d 2, b 1, +1"},
		{"few numbers", 3, [][]predicate.Value{values("2015"), values("2015.0", "2015"), values("7")}, "2015 2, 7 1"},
		{"truth", 3, [][]predicate.Value{values("true"), values("false"), values("true")}, "true 2, false 1"},
		{"years", 10, each(70, func(i int) string { return fmt.Sprint(1950 + i) }), "1950…1960 10, 1960…1970 10"},
		{"prices", 5, each(100, func(i int) string { return fmt.Sprint(float64(i) / 100) }), "0…0.2 20, 0.2…0.4 20, 0.4…0.6 20, 0.6…0.8 20"},
		{"below zero", 5, each(41, func(i int) string { return fmt.Sprint(i - 20) }), "-20…-10 10, -10…0 10, 0…10 10, 10…20 10, 20…30 1"},
		{"large", 4, each(100, func(i int) string { return fmt.Sprint(1e15 + float64(i)) }), ""},
		{"huge", 4, each(100, func(i int) string { return fmt.Sprint(math.Pow10(3 * i)) }), ""},
		{"far apart", 4, each(100, func(i int) string { return fmt.Sprint((float64(i) - 50) * 3e306) }), ""},
		{"many numbers", 8, each(30_000, func(i int) string { return fmt.Sprint(r.NormFloat64() * 1000) }), ""},
		{"growing numbers", 8, each(30_000, func(i int) string { return fmt.Sprint(float64(i) * float64(i) / 7) }), ""},
		{"days", 5, each(5, func(i int) string { return fmt.Sprintf("2024-02-%02d", 26+i) }), "2024-02-26 1"},
		{"months", 12, each(300, func(i int) string { return fmt.Sprintf("2023-%02d-%02dT10:00:00Z", 1+i%12, 1+i%28) }), "2023-01…2023-02 25"},
		{"years of days", 4, each(3000, func(i int) string { return fmt.Sprintf("20%02d-%02d-%02d", 20+i%4, 1+i%12, 1+i%31) }), "2020…2021 750"},
		{"decades of days", 10, each(60_000, func(i int) string { return fmt.Sprintf("%04d-%02d-%02d 00:00", 1950+i%60, 1+i/60%12, 1+i/720%28) }), "1950…1960 10000"},
		{"the end of times", 2, each(30, func(i int) string { return fmt.Sprintf("%04d-01-01", 9970+i) }), ""},
		{"a number and texts", 3, [][]predicate.Value{values("7", "x"), values("x"), values("7.0"), values("y")}, "7 2, x 2, y 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := facetOf(c.size, c.docs)
			if got := briefly(f); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
			checkFacet(t, f, c.size, c.docs)
			sum := 0
			for _, b := range f.Buckets {
				sum += b.Count
			}
			if len(f.Buckets) > 0 && f.Buckets[0].From != "" && sum != len(c.docs) {
				t.Errorf("%d documents are in ranges, of %d", sum, len(c.docs))
			}
		})
	}
}

// briefly is a facet on a line.
func briefly(f *Facet) string {
	var parts []string
	for _, b := range f.Buckets {
		name := b.Value
		if b.From != "" {
			name = b.From + "…" + b.To
		}
		parts = append(parts, fmt.Sprint(name, " ", b.Count))
	}
	if f.Others > 0 {
		parts = append(parts, fmt.Sprint("+", f.Others))
	}
	return strings.Join(parts, ", ")
}

// Of too many texts the most frequent stay, exactly where each comes once.
func TestFacetOfManyTexts(t *testing.T) {
	for _, once := range []bool{true, false} {
		x := newTally(FacetRequest{"f", 3})
		x.once = once
		const n = 3 * maxTallied
		for i := range n {
			count := 1
			if i%maxTallied == 17 {
				count = 5 + i/maxTallied
			}
			x.add(predicate.NewValue("f", fmt.Sprint("text ", i)), count)
			if len(x.texts) > maxTallied+1 {
				t.Fatalf("%d texts are kept", len(x.texts))
			}
		}
		x.add(predicate.NewValue("f", strings.Repeat("x", maxTallyOne+1)), 100)
		f := x.facet()
		want := fmt.Sprintf("text %d 7, text %d 6, text 17 5, +%d", 2*maxTallied+17, maxTallied+17, n+1-3)
		if got := briefly(f); got != want || f.Approximate == once {
			t.Errorf("%s, approximate: %t; want %s", got, f.Approximate, want)
		}
	}
}

// Whatever documents have, buckets are what their conditions say.
func FuzzFacet(f *testing.F) {
	f.Add([]byte(`[[1, 2.5, "x"], ["2024-02-29"], [1e300, -1e300, 0.1], ["true", ""]]`), 2)
	f.Add([]byte(`[[0.1], [0.2], [0.3], [0.30000000000000004], [0.7]]`), 3)
	f.Add([]byte(`[["2024-02-31"], ["2024-12-01"], ["9999-12-31T00"]]`), 2)
	f.Fuzz(func(t *testing.T, content []byte, size int) {
		var lists [][]any
		if json.Unmarshal(content, &lists) != nil || size < 1 || size > MaxFacetSize {
			return
		}
		var docs [][]predicate.Value
		for _, list := range lists {
			metadata, err := json.Marshal(map[string]any{"f": list})
			if err != nil {
				return
			}
			v, err := predicate.Values(metadata)
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, slices.DeleteFunc(v, func(v predicate.Value) bool { return v.Field != "f" }))
		}
		checkFacet(t, facetOf(size, docs), size, docs)
	})
}
