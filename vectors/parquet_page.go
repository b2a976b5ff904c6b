package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
)

// Limits of a page. Writers make pages of about a megabyte, some of a hundred.
const (
	maxPage       = 512 << 20
	maxPageValues = 1 << 26
	maxPageRatio  = 1 << 15 // what zstd makes of zeros
)

// plainDictionary is what older writers call RLEDictionary.
const plainDictionary format.Encoding = 2

// pageCheck looks at each page of a column before the library does, which makes
// room for whatever a page says it unpacks to: one wrong byte can cost gigabytes.
// To see that, the page is unpacked once more than needed.
type pageCheck struct {
	src        *source
	leaf       *parquet.Column
	at, end    int64
	codec      compress.Codec // nil: not compressed
	buf        *bufio.Reader
	raw, plain []byte
}

// pageHeader is what a page tells.
type pageHeader struct {
	kind, plain, packed int64
	values, encoding    int64
	definitions         int64 // bytes of these levels, in pages of version 2
	repetitions         int64
	compressed          bool
}

func (h *pageHeader) number(outer, field int, n int64) {
	data := outer == int(format.DataPage)+5 // the structures are fields 5 to 8
	dataV2 := outer == int(format.DataPageV2)+5
	switch {
	case outer == 0 && field == 1:
		h.kind = n
	case outer == 0 && field == 2:
		h.plain = n
	case outer == 0 && field == 3:
		h.packed = n
	case outer >= 5 && field == 1:
		h.values = n
	case data && field == 2, dataV2 && field == 4:
		h.encoding = n
	case dataV2 && field == 5:
		h.definitions = n
	case dataV2 && field == 6:
		h.repetitions = n
	case dataV2 && field == 7:
		h.compressed = n == 1
	}
}

func newPageCheck(src *source, leaf *parquet.Column, meta *format.ColumnMetaData) (*pageCheck, error) {
	c := &pageCheck{src: src, leaf: leaf, at: meta.DataPageOffset, buf: bufio.NewReaderSize(nil, 512)}
	switch meta.Codec {
	case format.Uncompressed:
	case format.Snappy, format.Gzip, format.Zstd:
		c.codec = parquet.LookupCompressionCodec(meta.Codec)
	default:
		// On a damaged block the library's LZ4 asks for more memory until there
		// is none.
		return nil, bad(ErrFormat, "its columns are compressed with %s, but zstd, snappy, gzip and none are read; save it with one of these", meta.Codec)
	}
	if meta.DictionaryPageOffset != 0 {
		c.at = meta.DictionaryPageOffset
	}
	c.end = c.at + meta.TotalCompressedSize
	if c.at < 0 || meta.TotalCompressedSize < 0 || c.end < c.at || c.end > src.size {
		return nil, bad(ErrTruncated, "a column would lie from byte %d to %d, but the file ends at %d", c.at, c.end, src.size)
	}
	return c, nil
}

// next checks what the library reads next: a page of data, and a dictionary
// before it.
func (c *pageCheck) next() error {
	for c.at < c.end {
		at := c.at
		h := pageHeader{compressed: true}
		s := skimmer{r: c.buf, left: c.end - at, number: h.number}
		c.buf.Reset(io.NewSectionReader(c.src.file, at, c.end-at))
		err := s.structure(0, 0)
		if err == nil && (h.packed < 0 || h.packed > s.left || h.plain < 0 || h.plain > min(maxPage, h.packed*maxPageRatio+1<<20) ||
			h.values < 0 || h.values > maxPageValues) {
			err = errors.New("its sizes cannot be, or are far above what is usual; save the file with pages of a megabyte")
		}
		if err == nil {
			err = c.page(&h, c.end-s.left)
		}
		if err != nil {
			return bad(ErrFormat, "the page at byte %d of the file cannot be read; the file is damaged", at).because(err)
		}
		c.at = c.end - s.left + h.packed
		if h.kind != int64(format.DictionaryPage) {
			return nil
		}
	}
	return nil
}

var errPage = errors.New("it does not unpack to what its header tells")

// page reads the content of a page and holds it against its header.
func (c *pageCheck) page(h *pageHeader, at int64) error {
	c.raw = append(c.raw[:0], make([]byte, h.packed)...)
	if _, err := c.src.file.ReadAt(c.raw, at); err != nil {
		return err
	}
	switch h.kind {
	case int64(format.DictionaryPage):
		_, err := c.unpack(c.raw, h.plain)
		return err
	case int64(format.DataPage):
		body, err := c.unpack(c.raw, h.plain)
		for _, level := range []int{c.leaf.MaxRepetitionLevel(), c.leaf.MaxDefinitionLevel()} {
			if err == nil && level > 0 {
				if len(body) < 4 || uint64(little.Uint32(body)) > uint64(len(body)-4) {
					return errPage
				}
				size := little.Uint32(body)
				err = checkRuns(body[4:4+size], bits.Len(uint(level)), h.values)
				body = body[4+size:]
			}
		}
		if err != nil {
			return err
		}
		return checkEncoding(body, h)
	case int64(format.DataPageV2):
		levels := h.repetitions + h.definitions
		if h.repetitions < 0 || h.definitions < 0 || levels > min(h.packed, h.plain) {
			return errPage
		}
		err := errors.Join(
			checkRuns(c.raw[:h.repetitions], bits.Len(uint(c.leaf.MaxRepetitionLevel())), h.values),
			checkRuns(c.raw[h.repetitions:levels], bits.Len(uint(c.leaf.MaxDefinitionLevel())), h.values))
		body := c.raw[levels:]
		if err == nil && h.compressed {
			body, err = c.unpack(body, h.plain-levels)
		}
		if err != nil {
			return err
		}
		return checkEncoding(body, h)
	}
	return nil // the library says what it thinks of others
}

// unpack decompresses a block after a look at the size that it tells itself.
func (c *pageCheck) unpack(b []byte, size int64) ([]byte, error) {
	if c.codec == nil {
		return b, nil
	}
	told := uint64(0)
	switch c.codec.CompressionCodec() {
	case format.Snappy:
		told, _ = binary.Uvarint(b)
	case format.Zstd:
		told = zstdSize(b)
	}
	if told > uint64(size) {
		return nil, errPage
	}
	// The codecs write into what they are given, if it is large enough.
	c.plain = append(c.plain[:0], make([]byte, size)...)
	out, err := c.codec.Decode(c.plain, b)
	if err == nil && int64(len(out)) != size {
		err = errPage
	}
	return out, err
}

// zstdSize is the content size in the header of a frame (RFC 8878, 3.1.1.1); 0
// where it tells none.
func zstdSize(b []byte) uint64 {
	if len(b) < 5 || little.Uint32(b) != 0xfd2fb528 {
		return 0
	}
	descriptor := b[4]
	single := descriptor >> 5 & 1
	skip := 5 + int(1-single) + []int{0, 1, 2, 4}[descriptor&3] // window, dictionary
	width := []int{int(single), 2, 4, 8}[descriptor>>6]
	if width == 0 || len(b) < skip+width {
		return 0
	}
	var field [8]byte
	copy(field[:], b[skip:skip+width])
	size := little.Uint64(field[:])
	if width == 2 {
		size += 256
	}
	return size
}

// checkEncoding looks at encodings that say how many values they make.
func checkEncoding(b []byte, h *pageHeader) error {
	switch format.Encoding(h.encoding) {
	case plainDictionary, format.RLEDictionary:
		if len(b) == 0 {
			return nil
		}
		return checkRuns(b[1:], int(b[0]), h.values)
	case format.RLE:
		if len(b) < 4 || uint64(little.Uint32(b)) > uint64(len(b)-4) {
			return errPage
		}
		return checkRuns(b[4:4+little.Uint32(b)], 1, h.values)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray, format.DeltaByteArray:
		// The size of a block, the number of its parts, and that of the values.
		for range 2 {
			_, n := binary.Uvarint(b)
			b = b[max(n, 0):]
		}
		if n, _ := binary.Uvarint(b); n > uint64(h.values) {
			return errPage
		}
	}
	return nil
}

// checkRuns adds up the values of runs, each of which is a value and how often it
// comes, or eights of values of width bits. The last eight is filled up; DuckDB
// fills up to 256 values.
func checkRuns(b []byte, width int, values int64) error {
	limit := uint64(values) + 1024
	for total := uint64(0); len(b) > 0; {
		header, n := binary.Uvarint(b)
		if n <= 0 {
			return errPage
		}
		count, size := header>>1, uint64(width+7)/8
		if header&1 == 1 {
			if count > limit {
				return errPage
			}
			count, size = 8*count, count*uint64(width)
		}
		if total += count; count > limit || total > limit {
			return errPage
		}
		b = b[n:]
		b = b[min(size, uint64(len(b))):]
	}
	return nil
}
