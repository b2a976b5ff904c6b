package vectors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Limits of a page. Writers make pages of about a megabyte, some of a hundred.
const (
	maxPage       = 512 << 20
	maxPageValues = 1 << 26
	maxPageRatio  = 1 << 15 // what zstd makes of zeros
)

// plainDictionary is older writers' name for RLEDictionary.
const plainDictionary format.Encoding = 2

// pageCheck checks each page of a column before the library reads it: the library allocates
// whatever size a page claims, and one wrong byte can cost gigabytes. The page is therefore
// decompressed twice.
type pageCheck struct {
	src        *source
	leaf       *parquet.Column
	at, end    int64
	codec      format.CompressionCodec
	raw, plain []byte
}

func newPageCheck(src *source, leaf *parquet.Column, meta *format.ColumnMetaData) (*pageCheck, error) {
	c := &pageCheck{src: src, leaf: leaf, at: meta.DataPageOffset, codec: meta.Codec}
	switch meta.Codec {
	case format.Uncompressed, format.Snappy, format.Gzip, format.Zstd:
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

// checkedChunk is a column whose pages are checked before they are read.
type checkedChunk struct {
	parquet.ColumnChunk
	check *pageCheck
}

func (c checkedChunk) Pages() parquet.Pages { return checkedPages{c.ColumnChunk.Pages(), c.check} }

type checkedPages struct {
	parquet.Pages
	check *pageCheck
}

func (p checkedPages) ReadPage() (parquet.Page, error) {
	if err := p.check.next(); err != nil {
		return nil, err
	}
	return p.Pages.ReadPage()
}

// next checks the next data page, and a dictionary before it.
func (c *pageCheck) next() error {
	for c.at < c.end {
		h, size, err := c.header()
		if err == nil {
			err = c.page(h, c.at+size)
		}
		if err != nil {
			return bad(ErrFormat, "the page at byte %d of the file cannot be read; the file is damaged", c.at).because(err)
		}
		c.at += size + int64(h.CompressedPageSize)
		if h.Type != format.DictionaryPage {
			return nil
		}
	}
	return nil
}

// header returns the header of the next page and its size.
func (c *pageCheck) header() (h *format.PageHeader, size int64, err error) {
	if size, err = skim(c.src.file, c.at, c.end); err != nil {
		return nil, 0, err
	}
	c.raw = slices.Grow(c.raw[:0], int(size))[:size]
	if _, err := c.src.file.ReadAt(c.raw, c.at); err != nil {
		return nil, 0, err
	}
	h = new(format.PageHeader)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), c.raw, h); err != nil {
		return nil, 0, err
	}
	packed, plain := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	values := max(h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues)
	if packed < 0 || packed > c.end-c.at-size || plain < 0 || plain > min(maxPage, packed*maxPageRatio+1<<20) || values > maxPageValues {
		err = errors.New("its sizes cannot be, or are far above what is usual; save the file with pages of a megabyte")
	}
	return h, size, err
}

var errPage = errors.New("its content does not match its header")

// page reads a page and compares it with its header.
func (c *pageCheck) page(h *format.PageHeader, at int64) error {
	c.raw = slices.Grow(c.raw[:0], int(h.CompressedPageSize))[:h.CompressedPageSize]
	if _, err := c.src.file.ReadAt(c.raw, at); err != nil {
		return err
	}
	switch h.Type {
	case format.DictionaryPage:
		_, err := c.unpack(c.raw, int(h.UncompressedPageSize))
		return err
	case format.DataPage:
		d := &h.DataPageHeader.V
		body, err := c.unpack(c.raw, int(h.UncompressedPageSize))
		for _, level := range []int{c.leaf.MaxRepetitionLevel(), c.leaf.MaxDefinitionLevel()} {
			if err == nil && level > 0 {
				var runs []byte
				if runs, body, err = cutSized(body); err == nil {
					err = checkRuns(runs, bits.Len(uint(level)), d.NumValues)
				}
			}
		}
		if err != nil {
			return err
		}
		return checkEncoding(body, d.Encoding, d.NumValues)
	case format.DataPageV2:
		d := &h.DataPageHeaderV2.V
		repetitions, definitions := int64(d.RepetitionLevelsByteLength), int64(d.DefinitionLevelsByteLength)
		levels := repetitions + definitions
		if repetitions < 0 || definitions < 0 || levels > int64(min(h.CompressedPageSize, h.UncompressedPageSize)) {
			return errPage
		}
		err := errors.Join(
			checkRuns(c.raw[:repetitions], bits.Len(uint(c.leaf.MaxRepetitionLevel())), d.NumValues),
			checkRuns(c.raw[repetitions:levels], bits.Len(uint(c.leaf.MaxDefinitionLevel())), d.NumValues))
		body := c.raw[levels:]
		if err == nil && (d.IsCompressed.V || !d.IsCompressed.Valid) {
			body, err = c.unpack(body, int(h.UncompressedPageSize)-int(levels))
		}
		if err != nil {
			return err
		}
		return checkEncoding(body, d.Encoding, d.NumValues)
	}
	return nil // the library says what it thinks of others
}

// unzstd decodes at most as many bytes as fit.
var unzstd, _ = zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderConcurrency(1)) // the options are some there are

// unpack decompresses a block to exactly size bytes.
func (c *pageCheck) unpack(b []byte, size int) (out []byte, err error) {
	if c.codec == format.Uncompressed {
		return b, nil
	}
	c.plain = slices.Grow(c.plain[:0], size+1)[:size+1] // one byte more shows that there is more
	switch c.codec {
	case format.Snappy:
		if n, err := snappy.DecodedLen(b); err != nil || n != size {
			return nil, errPage
		}
		out, err = snappy.Decode(c.plain, b)
	case format.Zstd:
		out, err = unzstd.DecodeAll(b, c.plain[:0:size])
	case format.Gzip:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			n, _ := io.ReadFull(z, c.plain)
			out = c.plain[:n]
		}
	}
	if err == nil && len(out) != size {
		err = errPage
	}
	return out, err
}

// cutSized cuts off a part that is prefixed with its size.
func cutSized(b []byte) (sized, rest []byte, err error) {
	if len(b) < 4 || uint64(little.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, errPage
	}
	n := little.Uint32(b)
	return b[4 : 4+n], b[4+n:], nil
}

// checkEncoding checks encodings that contain a number of values.
func checkEncoding(b []byte, encoding format.Encoding, values int32) error {
	switch encoding {
	case plainDictionary, format.RLEDictionary:
		if len(b) == 0 {
			return nil
		}
		return checkRuns(b[1:], int(b[0]), values)
	case format.RLE:
		runs, _, err := cutSized(b)
		if err != nil {
			return err
		}
		return checkRuns(runs, 1, values)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray, format.DeltaByteArray:
		// The size of a block, the number of its parts, and that of the values.
		for range 2 {
			_, n := binary.Uvarint(b)
			b = b[max(n, 0):]
		}
		if n, _ := binary.Uvarint(b); n > uint64(values) {
			return errPage
		}
	}
	return nil
}

// checkRuns adds up the values of runs, each of which is a value and how often it
// comes, or eights of values of width bits. The last eight is filled up; DuckDB
// fills up to 256 values.
func checkRuns(b []byte, width int, values int32) error {
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
