package jsonlimit

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		text          string
		depth, values int
	}{
		{``, 0, 0}, {`1`, 0, 0}, {`{}`, 1, 1}, {`[1, 2, 3]`, 1, 3}, {`{"a": [1, {"b": null}]}`, 3, 6},
		{`"[[[["`, 0, 0}, {`"\"[["`, 0, 0}, {`["\\", [1]]`, 2, 3}, {`]]]][`, 1, 1},
	} {
		got, err := Of([]byte(c.text))
		if err != nil || got.Depth != c.depth || got.Values != c.values {
			t.Errorf("%s: depth %d, %d values, %v; want %d and %d", c.text, got.Depth, got.Values, err, c.depth, c.values)
		}
	}
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := Of(nested(MaxDepth)); err != nil {
		t.Errorf("as deep as is allowed: %v", err)
	}
	if _, err := Of(nested(MaxDepth + 1)); !errors.Is(err, ErrDepth) {
		t.Errorf("too deep: %v", err)
	}
}

// FuzzOf: no value of valid JSON is deeper than reported. A duplicate field may
// hide the deepest value.
func FuzzOf(f *testing.F) {
	for _, text := range []string{`{"a": [1, "]\"", {}]}`, `"\\"`, `[[[]], {"[": 1}]`, `[` + strings.Repeat(`[`, MaxDepth)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		whole, err := Of(text)
		var value any
		if err == nil && json.Unmarshal(text, &value) == nil && depth(value) > whole.Depth {
			t.Fatalf("%q: depth %d, and a value at %d", text, whole.Depth, depth(value))
		}
	})
}

func depth(value any) (deepest int) {
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			deepest = max(deepest, depth(inner))
		}
	case map[string]any:
		for _, inner := range v {
			deepest = max(deepest, depth(inner))
		}
	default:
		return 0
	}
	return deepest + 1
}
