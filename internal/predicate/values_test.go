package predicate

import (
	"slices"
	"testing"
)

// FuzzValues: whatever the bytes, they are refused or give sorted values.
func FuzzValues(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,"1",{"b":null}],"c":1e400}`, `{"a":-0.0,"":""}`, `[`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, metadata []byte) {
		values, err := Values(metadata)
		if err == nil && !slices.IsSortedFunc(values, Compare) {
			t.Fatalf("%q: %v", metadata, values)
		}
	})
}
