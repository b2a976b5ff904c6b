package builtin

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// small returns a weights file with one layer of dimension 64.
func small(revision string) []byte {
	var b []byte
	number := func(ns ...uint32) {
		for _, n := range ns {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
	}
	text := func(s string) {
		number(uint32(len(s)))
		b = append(b, s...)
	}
	floats := func(n int) {
		for i := range n {
			number(math.Float32bits(float32(i%3) + 0.5))
		}
	}
	matrix := func(rows, columns int) {
		floats(rows)
		for i := range rows * columns {
			b = append(b, byte(i*37))
		}
	}
	linear := func(rows, columns int) {
		floats(rows)
		matrix(rows, columns)
	}
	const dim, inner, limit = 64, 128, 6
	pieces := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "dog", "##s"}
	number(1, dim, 2, inner, uint32(len(pieces)), limit)
	text(revision)
	text(strings.Join(pieces, "\n"))
	matrix(len(pieces), dim)
	floats(limit*dim + 2*dim)
	linear(3*dim, dim)
	linear(dim, dim)
	floats(2 * dim)
	linear(inner, dim)
	linear(dim, inner)
	floats(2 * dim)
	return seal(b)
}

// seal prepends the file header to body.
func seal(body []byte) []byte {
	sum := sha256.Sum256(body)
	head := binary.LittleEndian.AppendUint32([]byte(magic), version)
	return append(append(head, sum[:]...), body...)
}

const bodyAt = len(magic) + 4 + sha256.Size

func TestSmallModel(t *testing.T) {
	e, err := read(string(small("test")))
	if err != nil {
		t.Fatal(err)
	}
	if id := e.Identity(); id.Revision != "test" || id.Dimension != 64 || id.MaxTokens != 6 {
		t.Errorf("Identity() = %+v", id)
	}
	if got := encode(t, e, "dogs dog", "cat dog dog dog dog"); got.Cut[0] || !got.Cut[1] || len(got.Vectors[0]) != 64 {
		t.Errorf("got %+v, want only the second text cut and 64 dimensions", got)
	}
}

func TestDamagedWeights(t *testing.T) {
	good := small("test")
	body := good[bodyAt:]
	change := func(at int, b byte) []byte {
		c := bytes.Clone(body)
		c[at] = b
		return seal(c)
	}
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "wrong magic bytes", nil},
		{"another file", "wrong magic bytes", []byte("%PDF-1.7 and more of it")},
		{"another version", "version 7", append([]byte(magic), 7, 0, 0, 0)},
		{"cut in the head", "too early", good[:bodyAt-1]},
		{"one bit", "checksum", func() []byte { c := bytes.Clone(good); c[len(c)/2] ^= 1; return c }()},
		{"cut", "checksum", good[:len(good)-1]},
		{"too short", "too early", seal(body[:len(body)-1])},
		{"too long", "1 bytes after", seal(append(bytes.Clone(body), 0))},
		{"words", "too early", change(17, 8)},
		{"no mask", "no [MASK]", seal(bytes.Replace(body, []byte("[MASK]"), []byte("[MUSK]"), 1))},
	} {
		_, err := read(string(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one containing %q", c.name, err, c.want)
		}
	}
}

// An older revision stays available beside the newest one, with vectors of its own.
func TestRevisions(t *testing.T) {
	defer func(before []revision) { revisions = before }(revisions)
	revisions = []revision{newRevision("1", string(small("1"))), newRevision("2", string(small("2")))}
	newest, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range revisions {
		e, err := Revision(r.name)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Revision(r.name)
		if id := e.Identity(); id.Revision != r.name || err != nil || again != e || (e == newest) != (r.name == Newest()) {
			t.Errorf("revision %s: got %v, error %v", r.name, id, err)
		}
	}
	if _, err := Revision("3"); err == nil || !strings.Contains(err.Error(), "only 1 and 2; use a newer version") {
		t.Errorf("got the error %v for an unknown revision", err)
	}
}
