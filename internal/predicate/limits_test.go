package predicate

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestMetadataLimits checks that metadata at the limit is accepted, and that errors above it
// name the number.
func TestMetadataLimits(t *testing.T) {
	nested := func(depth int) string {
		return `{"a": ` + strings.Repeat(`[`, depth-1) + `1` + strings.Repeat(`]`, depth-1) + `}`
	}
	list := func(n int) string { return `{"a": [0` + strings.Repeat(`,0`, n-1) + `]}` }
	for metadata, want := range map[string]string{
		``: "", `{}`: "", `{"a": 1`: "", `[`: "",
		nested(MaxDepth):     "",
		nested(MaxDepth + 1): "more than 16 deep",
		nested(1000):         "more than 16 deep",
		list(MaxValues):      "",
		list(MaxValues + 1):  "has 4097 values",
		`{"a": [null` + strings.Repeat(`,null`, 9999) + `]}`:               "", // nothing is kept of them
		`{"a": "` + strings.Repeat("x", MaxBytes-9) + `"}`:                 "",
		`{"a": "` + strings.Repeat("x", MaxBytes) + `"}`:                   "at most 1048576",
		`{"` + strings.Repeat("x", 1000) + `": {"b": ` + list(2000) + `}}`: "have 2",
	} {
		if got := Problem([]byte(metadata)); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%.80s: %q, want %q", metadata, got, want)
		}
	}
}

// FuzzMetadataLimits checks that the count equals the number of values that Values returns.
func FuzzMetadataLimits(f *testing.F) {
	for _, s := range []string{`{"a": 1, "b": {"c": ["x", true, null, {"d": 1e3}]}}`, `{"a": {"a": {}}, "": ""}`, `{"a": 1, "a": [2, [3]]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, metadata []byte) {
		values, err := Values(metadata)
		if err != nil {
			return
		}
		size := 0
		for _, v := range values {
			size += len(v.Field) + len(v.Text)
		}
		n, counted := flat(metadata)
		if n < len(values) || counted < size-len("false")*len(values) {
			t.Fatalf("%q: %d values of %d bytes are counted, there are %d of %d", metadata, n, counted, len(values), size)
		}
	})
}

func BenchmarkMetadataLimits(b *testing.B) {
	metadata, _ := json.Marshal(map[string]any{"year": 2015, "kind": "photo", "tags": []string{"a", "b"}, "source": fmt.Sprint("notes/", 1)})
	for b.Loop() {
		if Problem(metadata) != "" {
			b.Fatal("it is small")
		}
	}
}
