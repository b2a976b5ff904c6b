package vectors

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestGoesOn says that a bad vector costs its row only.
func TestGoesOn(t *testing.T) {
	path := put(t, "a.npy", npyShaped("<f4", "5, 2", f32s{0, 0, nan, 1, 1, 2, 0, 0, 3, 4}))
	side := put(t, "ids.jsonl", []byte("{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n{\"id\":\"d\"}\n{\"id\":\"e\"}\n"))
	r, err := Open(path, ReadOptions{Side: side})
	must(t, err)
	defer r.Close()
	for _, want := range []struct {
		id   string
		kind error
	}{{"a", ErrZero}, {"b", ErrNotFinite}, {"c", nil}, {"d", ErrZero}, {"e", nil}, {"", io.EOF}, {"", io.EOF}} {
		row, err := r.Next()
		if row.ID != want.id || !errors.Is(err, want.kind) || want.id != "" && len(row.Vector) != 2 {
			t.Errorf("%+v, %v; want %s, %v", row, err, want.id, want.kind)
		}
	}
}

// TestFinal says that any other error stays.
func TestFinal(t *testing.T) {
	r, err := Open(put(t, "a.jsonl", []byte("{\"vector\":[1]}\n{\"vector\":[1,2]}\n{\"vector\":[1]}\n")), ReadOptions{})
	must(t, err)
	defer r.Close()
	_, err = r.Next()
	must(t, err)
	_, first := r.Next()
	_, second := r.Next()
	if !errors.Is(first, ErrDimension) || !errors.Is(second, ErrDimension) {
		t.Errorf("%v, then %v", first, second)
	}
	var e *Error
	if errors.As(first, &e); e.Line != 2 {
		t.Errorf("error in line %d, want 2", e.Line)
	}
}

func TestSideErrors(t *testing.T) {
	vectors := put(t, "a.npy", npyShaped("<f4", "2, 1", f32s{1, 2}))
	lines := put(t, "a.jsonl", []byte(`{"vector":[1]}`))
	for _, c := range []struct {
		path, name, side string
		kind             error
		says             string
	}{
		{vectors, "a.jsonl", "{}\n", ErrTruncated, "it has 1 rows"},
		{vectors, "a.jsonl", "{}\n{}\n{}\n", ErrTrailing, "goes on after the 2 rows"},
		{vectors, "a.jsonl", "", ErrEmpty, "empty"},
		{vectors, "a.jsonl", "{\"vector\":[1]}\n{\"vector\":[2]}\n", ErrFormat, "it has vectors itself"},
		{vectors, "a.jsonl", "{\"passages\":[\"p\"],\"passage_vectors\":[[1,2]]}\n{}\n", ErrDimension, "dimension 2"},
		{lines, "b.jsonl", "{}\n", ErrFormat, "holds ids and texts itself"},
	} {
		err := firstError(c.path, ReadOptions{Side: put(t, c.name, []byte(c.side))})
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.side, err, c.says)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	if _, err := Open("testdata", ReadOptions{}); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	if _, err := Open("testdata/missing.npy", ReadOptions{}); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "reading testdata/missing.npy: ") {
		t.Error(err)
	}
	if _, err := Open("testdata/f4.npy", ReadOptions{Format: "xml"}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "no format xml") {
		t.Error(err)
	}
	if _, err := Open(put(t, "a.npy", npyShaped("<f4", "1, 65537")), ReadOptions{}); !errors.Is(err, ErrDimension) {
		t.Error(err)
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]Format{
		"a.npy": NPY, "dir.npy/a.PARQUET": Parquet, "a.jsonl.gz": JSONL, "a.ndjson": JSONL, "a.gz": JSONL, "a.npy.gz": NPY,
		"a.pq": Parquet, "a": "", "npy": "", "a.bin": "", "a.ids": "",
	} {
		if got := FormatOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
