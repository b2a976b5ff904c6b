package elastic

import (
	"fmt"
	"testing"
)

// What is asked for again and again stays, and what is remembered does not grow without end.
func TestRemembered(t *testing.T) {
	var r remembered
	row := [][]float32{make([]float32, 1<<20)} // 4 MiB
	r.add(version{id: "kept"}, row)
	for i := range 100 {
		if rows, ok := r.get(version{id: "kept"}); !ok || &rows[0][0] != &row[0][0] {
			t.Fatalf("forgotten after %d others", i)
		}
		r.add(version{id: fmt.Sprint(i)}, row)
		if n := len(r.now) + len(r.before); n > 16 {
			t.Fatalf("%d are remembered", n)
		}
	}
	if _, ok := r.get(version{id: "kept", number: 1}); ok {
		t.Error("another version")
	}
	if _, ok := r.get(version{id: "0"}); ok {
		t.Error("what nobody has asked for since")
	}
}
