package vectors

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// TestFinal says that an error stays.
func TestFinal(t *testing.T) {
	r, err := Open(put(t, "a.jsonl", []byte("{\"vector\":[1]}\n{\"vector\":[1,2]}\n{\"vector\":[1]}\n")), "")
	must(t, err)
	defer r.Close()
	_, err = r.Next()
	must(t, err)
	_, first := r.Next()
	_, second := r.Next()
	if first == nil || !strings.Contains(first.Error(), "row 1 (line 2)") || !errors.Is(second, first) {
		t.Errorf("got %v, then %v; want an error in line 2, twice", first, second)
	}
}

func TestSideErrors(t *testing.T) {
	vectors := put(t, "a.npy", npyShaped("<f4", "2, 1", f32s{1, 2}))
	lines := put(t, "a.jsonl", []byte(`{"vector":[1]}`))
	for _, c := range []struct {
		path, name, side string
		says             string
	}{
		{vectors, "a.jsonl", "{}\n", "it has 1 rows"},
		{vectors, "a.jsonl", "{}\n{}\n{}\n", "goes on after the 2 rows"},
		{vectors, "a.jsonl", "", "empty"},
		{vectors, "a.jsonl", "{\"vector\":[1]}\n{\"vector\":[2]}\n", "it has vectors itself"},
		{vectors, "a.jsonl", "{\"passages\":[\"p\"],\"passage_vectors\":[[1,2]]}\n{}\n", "dimension 2"},
		{lines, "b.jsonl", "{}\n", "hold ids and texts themselves"},
	} {
		err := firstError(c.path, put(t, c.name, []byte(c.side)))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.side, err, c.says)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	if _, err := Open("testdata", ""); err == nil || !strings.Contains(err.Error(), "a folder") {
		t.Error(err)
	}
	if _, err := Open("testdata/missing.npy", ""); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "reading testdata/missing.npy: ") {
		t.Error(err)
	}
	if _, err := Open(put(t, "a.npy", npyShaped("<f4", "1, 65537")), ""); err == nil || !strings.Contains(err.Error(), "the limit is 65536") {
		t.Error(err)
	}
}
