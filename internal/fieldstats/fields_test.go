package fieldstats

import (
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

func TestIsTime(t *testing.T) {
	for text, want := range map[string]bool{
		"2024-02-29": true, "2024-02-29T12:00:00Z": true, "2024-02-29 12:00:00.5+02:00": true, "0001-01-01": true,
		"2024-13-01": false, "2024-00-10": false, "2024-02-32": false, "2024-2-29": false, "2024": false, "2024-02": false,
		"2024-02-29x": false, "2024-02-29Tnoon": false, "": false, "a024-02-29": false, "2024/02/29": false,
	} {
		if IsTime(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

// TestFieldKinds checks that the kind of a field does not depend on the order of its values.
func TestFieldKinds(t *testing.T) {
	of := func(texts ...string) engine.Field {
		var f Sketch
		for _, x := range texts {
			f.Add(predicate.NewValue("f", x))
		}
		return f.Told()
	}
	for _, c := range []struct {
		a, b string
		want engine.FieldKind
	}{
		{"1", "2.5", engine.Number}, {"true", "false", engine.Bool}, {"true", "green", engine.String}, {"2024-01-01", "2023-01-01T00:00:00Z", engine.Time},
		{"2024-01-01", "soon", engine.String}, {"true", "2024-01-01", engine.String}, {"1", "x", engine.Mixed}, {"1", "true", engine.Mixed}, {"a", "b", engine.String},
	} {
		for _, f := range []engine.Field{of(c.a, c.b), of(c.b, c.a)} {
			if f.Kind != c.want || (f.Least != "") != (c.want == engine.Number || c.want == engine.Time) {
				t.Errorf("%q, %q: %+v, want %s", c.a, c.b, f, c.want)
			}
		}
	}
	if f := of("10", "9", "1e3"); f.Least != "9" || f.Most != "1e3" {
		t.Errorf("from %s to %s", f.Least, f.Most)
	}
	if f := of(); f.Kind != engine.Unknown {
		t.Errorf("of nothing: %s", f.Kind)
	}
}
