package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
)

// skimmer goes through a structure of Thrift's compact protocol, in which parquet
// files describe themselves, before the library does: that one makes room for as
// many elements as a list says it has.
type skimmer struct {
	r    *bufio.Reader
	left int64 // bytes that there can be
	// number, if there is one, is told the integers and booleans of the top and
	// of the structures in it, with the field in which each stands and that of
	// the structure, 0 at the top.
	number func(outer, field int, n int64)
}

var errThrift = errors.New("there is a length or a type that cannot be")

func (s *skimmer) ReadByte() (byte, error) {
	if s.left--; s.left < 0 {
		return 0, errThrift
	}
	return s.r.ReadByte()
}

func (s *skimmer) uvarint() (uint64, error) { return binary.ReadUvarint(s) }

// size is a number of bytes or elements, none of which takes less than a byte.
func (s *skimmer) size() (int64, error) {
	n, err := s.uvarint()
	if err == nil && n > uint64(s.left) {
		err = errThrift
	}
	return int64(n), err
}

func (s *skimmer) discard(n int64) error {
	s.left -= n
	if s.left < 0 {
		return errThrift
	}
	_, err := s.r.Discard(int(n))
	return err
}

// structure reads fields until the one that ends it.
func (s *skimmer) structure(outer, depth int) error {
	if depth > 32 {
		return errThrift
	}
	for field := 0; ; {
		b, err := s.ReadByte()
		if err != nil {
			return err
		}
		if b == 0 {
			return nil
		}
		if delta := int(b >> 4); delta != 0 {
			field += delta
		} else {
			id, err := s.uvarint()
			if err != nil || id > 1<<16 {
				return errors.Join(errThrift, err)
			}
			field = int(id>>1) ^ -int(id&1)
		}
		kind := b & 15
		if kind > 2 {
			err = s.value(kind, outer, field, depth)
		} else { // a boolean, which is its type: 1 true, 2 false
			s.tell(outer, field, depth, int64(kind&1))
		}
		if err != nil {
			return err
		}
	}
}

func (s *skimmer) value(kind byte, outer, field, depth int) error {
	switch kind {
	case 1, 2, 3: // a boolean in a list, a byte
		return s.discard(1)
	case 4, 5, 6: // integers
		n, err := s.uvarint()
		s.tell(outer, field, depth, int64(n>>1)^-int64(n&1))
		return err
	case 7:
		return s.discard(8)
	case 8: // bytes
		n, err := s.size()
		if err != nil {
			return err
		}
		return s.discard(n)
	case 9, 10: // a list, a set
		return s.list(field, depth)
	case 12:
		return s.structure(field, depth+1)
	}
	return errThrift // maps and UUIDs do not occur
}

func (s *skimmer) tell(outer, field, depth int, n int64) {
	if s.number != nil && depth < 2 {
		s.number(outer, field, n)
	}
}

func (s *skimmer) list(field, depth int) error {
	b, err := s.ReadByte()
	if err != nil {
		return err
	}
	n := int64(b >> 4)
	if n == 15 {
		if n, err = s.size(); err != nil {
			return err
		}
	}
	if n > s.left || depth > 32 {
		return errThrift
	}
	for range n {
		if err := s.value(b&15, 0, field, depth+1); err != nil {
			return err
		}
	}
	return nil
}
