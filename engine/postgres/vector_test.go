package postgres

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
)

func TestVector(t *testing.T) {
	v := vector{1, -2.5, 0, math.MaxFloat32, math.SmallestNonzeroFloat32}
	m := pgtype.NewMap()
	m.RegisterType(&pgtype.Type{Name: "vector", OID: 99999, Codec: codec{}})
	buf, err := m.Encode(99999, pgtype.BinaryFormatCode, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte{0, 5, 0, 0, 0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0}; !bytes.Equal(buf[:12], want) {
		t.Errorf("%x, want %x and more", buf, want)
	}
	var got vector
	if err := m.Scan(99999, pgtype.BinaryFormatCode, buf, &got); err != nil || !slices.Equal(got, v) {
		t.Errorf("got %v and error %v, want the vector that was encoded", got, err)
	}
	if err := m.Scan(99999, pgtype.BinaryFormatCode, nil, &got); err != nil || got != nil {
		t.Errorf("NULL: %v, %v", got, err)
	}
	if buf, err := m.Encode(99999, pgtype.BinaryFormatCode, vector(nil), nil); buf != nil || err != nil {
		t.Errorf("nil: %v, %v", buf, err)
	}
}

func FuzzVector(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 0x3f, 0x80, 0, 0})
	f.Add([]byte{0, 0, 0, 0})
	f.Add([]byte{0xff, 0xff, 0, 0, 1})
	f.Add([]byte{0, 1, 0, 0, 0x7f, 0xc0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := decodeVector(b)
		if err != nil {
			return
		}
		buf, err := plan{}.Encode(v, nil)
		if err != nil || !bytes.Equal(buf[:2], b[:2]) || !bytes.Equal(buf[4:], b[4:]) {
			t.Errorf("%x is read as %v and written as %x, %v", b, v, buf, err)
		}
	})
}
