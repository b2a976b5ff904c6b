package vectors

import (
	"bufio"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

var errThrift = errors.New("it has an impossible length or type")

// skim goes through a structure of Thrift's compact protocol, in which parquet files
// describe themselves, before the library does: that one makes room for as many
// elements as a list says it has, and follows structures as deep as they go. It
// ends before end; size is what it takes.
func skim(file io.ReaderAt, at, end int64) (size int64, err error) {
	limited := &io.LimitedReader{R: io.NewSectionReader(file, at, end-at), N: end - at}
	buf := bufio.NewReaderSize(limited, 512)
	s := skimmer{new(thrift.CompactProtocol).NewReader(buf), func() int64 { return limited.N + int64(buf.Buffered()) }}
	err = s.value(thrift.STRUCT, 0)
	return end - at - s.left(), err
}

type skimmer struct {
	thrift.Reader
	left func() int64 // bytes that there can be
}

func (s *skimmer) value(kind thrift.Type, depth int) (err error) {
	if depth > 32 {
		return errThrift
	}
	switch kind {
	case thrift.TRUE, thrift.FALSE: // a field's type is its value
	case thrift.I8:
		_, err = s.ReadInt8()
	case thrift.I16, thrift.I32, thrift.I64:
		_, err = s.ReadInt64()
	case thrift.DOUBLE:
		_, err = s.ReadFloat64()
	case thrift.BINARY:
		var n int
		if n, err = s.ReadLength(); err == nil {
			_, err = s.Reader.Reader().(*bufio.Reader).Discard(n)
		}
	case thrift.LIST, thrift.SET:
		return s.list(depth)
	case thrift.STRUCT:
		for err == nil {
			var f thrift.Field
			if f, err = s.ReadField(); err == nil && f.Type == thrift.STOP {
				return nil
			} else if err == nil {
				err = s.value(f.Type, depth+1)
			}
		}
	default:
		return errThrift // maps and UUIDs do not occur
	}
	return err
}

func (s *skimmer) list(depth int) error {
	l, err := s.ReadList()
	if err == nil && int64(l.Size) > s.left() { // no element takes less than a byte
		err = errThrift
	}
	for i := int32(0); i < l.Size && err == nil; i++ {
		if l.Type == thrift.TRUE || l.Type == thrift.FALSE {
			_, err = s.ReadBool()
		} else {
			err = s.value(l.Type, depth+1)
		}
	}
	return err
}
