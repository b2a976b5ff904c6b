package engine

import "testing"

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
	of := func(texts ...string) Field {
		var f FieldSketch
		for _, x := range texts {
			f.Add(NewValue("f", x))
		}
		return f.Told()
	}
	for _, c := range []struct {
		a, b string
		want FieldKind
	}{
		{"1", "2.5", Number}, {"true", "false", Bool}, {"true", "green", String}, {"2024-01-01", "2023-01-01T00:00:00Z", Time},
		{"2024-01-01", "soon", String}, {"true", "2024-01-01", String}, {"1", "x", Mixed}, {"1", "true", Mixed}, {"a", "b", String},
	} {
		for _, f := range []Field{of(c.a, c.b), of(c.b, c.a)} {
			if f.Kind != c.want || (f.Least != "") != (c.want == Number || c.want == Time) {
				t.Errorf("%q, %q: %+v, want %s", c.a, c.b, f, c.want)
			}
		}
	}
	if f := of("10", "9", "1e3"); f.Least != "9" || f.Most != "1e3" {
		t.Errorf("from %s to %s", f.Least, f.Most)
	}
	if f := of(); f.Kind != Unknown {
		t.Errorf("of nothing: %s", f.Kind)
	}
}
