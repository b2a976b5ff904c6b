package vectors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// hostile is a parquet file of one column that lies about itself.
type hostile struct {
	kind     format.Type
	optional bool
	codec    format.CompressionCodec
	pages    []hostilePage
	edit     func(footer []byte) []byte // nil: it is left as it is
}

type hostilePage struct {
	header format.PageHeader
	edit   func(header []byte) []byte // nil: it is left as it is
	body   []byte
}

func (h hostile) file(t testing.TB) []byte {
	t.Helper()
	marshal := func(v any, edit func([]byte) []byte) []byte {
		b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
		must(t, err)
		if edit != nil {
			b = edit(b)
		}
		return b
	}
	out := []byte("PAR1")
	for _, p := range h.pages {
		p.header.CompressedPageSize = int32(len(p.body))
		if p.header.UncompressedPageSize == 0 {
			p.header.UncompressedPageSize = int32(len(p.body))
		}
		out = slices.Concat(out, marshal(&p.header, p.edit), p.body)
	}
	repetition := format.Required
	if h.optional {
		repetition = format.Optional
	}
	size := int64(len(out) - 4)
	footer := marshal(&format.FileMetaData{
		Version: 1, NumRows: 1,
		Schema: thrift.Slice[format.SchemaElement]{
			{Name: "root", NumChildren: thrift.New(int32(1))},
			{Name: "text", Type: thrift.New(h.kind), RepetitionType: thrift.New(repetition)},
		},
		RowGroups: thrift.Slice[format.RowGroup]{{
			NumRows: 1, TotalByteSize: size,
			Columns: thrift.Slice[format.ColumnChunk]{{MetaData: format.ColumnMetaData{
				Type: h.kind, Codec: h.codec, PathInSchema: thrift.Slice[string]{"text"}, NumValues: 1,
				TotalCompressedSize: size, TotalUncompressedSize: size, DataPageOffset: 4,
			}}},
		}},
	}, h.edit)
	if h.kind != format.ByteArray { // only texts are read under that name
		footer = bytes.ReplaceAll(footer, []byte("text"), []byte("more"))
	}
	out = append(out, footer...)
	return append(little.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

func dataPage(values int32, e format.Encoding, body []byte) hostilePage {
	return hostilePage{body: body, header: format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{
		NumValues: values, Encoding: e, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
	})}}
}

func wordsPage(values int32) hostilePage {
	return hostilePage{body: make([]byte, 8), header: format.PageHeader{Type: format.DictionaryPage,
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: values, Encoding: format.Plain})}}
}

// deep stands before a structure: a field that is not known, of structures within
// each other.
func deep(b []byte) []byte {
	return slices.Concat([]byte{0x0c, 200, 1}, bytes.Repeat([]byte{0x1c}, 8<<20), b)
}

// TestHostile reads files for each of which the library alone makes room for
// gigabytes, or ends the program.
func TestHostile(t *testing.T) {
	const most = math.MaxInt32
	number := make([]byte, 8)
	run := append(binary.AppendUvarint(nil, most-1), 0) // a billion times the same
	sized := func(b []byte) []byte { return append(little.AppendUint32(nil, uint32(len(b))), b...) }
	delta := []byte{0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 0x07, 0}
	indexes := func(b []byte) hostilePage { return dataPage(1, format.RLEDictionary, append([]byte{1}, b...)) }
	one := dataPage(1, format.Plain, number)
	large, statistics, deepPage := one, one, one
	large.header.UncompressedPageSize = most
	statistics.header.DataPageHeader.V.Statistics.Max = []byte("MAXIMUM")
	statistics.edit = func(b []byte) []byte {
		i := bytes.Index(b, []byte("\x07MAXIMUM"))
		return slices.Replace(b, i, i+1, 0xff, 0xff, 0xff, 0xff, 0x07)
	}
	deepPage.edit = deep
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := z.Write(make([]byte, 64<<20))
	must(t, errors.Join(err, z.Close()))

	for name, h := range map[string]hostile{
		"good": {kind: format.Int64, pages: []hostilePage{one}},
		"elements of a list": {kind: format.Int64, pages: []hostilePage{one}, edit: func(b []byte) []byte {
			return append([]byte{0x15, 2, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07}, b[4:]...)
		}},
		"depth":                 {kind: format.Int64, pages: []hostilePage{one}, edit: deep},
		"depth of a page":       {kind: format.Int64, pages: []hostilePage{deepPage}},
		"size of a page":        {kind: format.Int64, codec: format.Zstd, pages: []hostilePage{large}},
		"size of statistics":    {kind: format.Int64, pages: []hostilePage{statistics}},
		"texts":                 {kind: format.ByteArray, pages: []hostilePage{dataPage(most, format.Plain, number)}},
		"numbers or none":       {kind: format.Int64, optional: true, pages: []hostilePage{dataPage(most, format.Plain, append(sized([]byte{2, 1}), number...))}},
		"levels":                {kind: format.Int64, optional: true, pages: []hostilePage{dataPage(1, format.Plain, append(sized(run), number...))}},
		"numbers of words":      {kind: format.Int64, pages: []hostilePage{wordsPage(most), indexes([]byte{2, 0})}},
		"texts of words":        {kind: format.ByteArray, pages: []hostilePage{wordsPage(most), indexes([]byte{2, 0})}},
		"indexes of words":      {kind: format.Int64, pages: []hostilePage{wordsPage(1), indexes(run)}},
		"booleans":              {kind: format.Boolean, pages: []hostilePage{dataPage(1, format.RLE, sized(run))}},
		"differences":           {kind: format.Int64, pages: []hostilePage{dataPage(1, format.DeltaBinaryPacked, delta)}},
		"lengths":               {kind: format.ByteArray, pages: []hostilePage{dataPage(1, format.DeltaLengthByteArray, delta)}},
		"beginnings":            {kind: format.ByteArray, pages: []hostilePage{dataPage(1, format.DeltaByteArray, delta)}},
		"size told by snappy":   {kind: format.Int64, codec: format.Snappy, pages: []hostilePage{dataPage(1, format.Plain, []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0})}},
		"size told by zstd":     {kind: format.Int64, codec: format.Zstd, pages: []hostilePage{dataPage(1, format.Plain, append([]byte("\x28\xb5\x2f\xfd\xc0\x00"), append(little.AppendUint64(nil, 1<<35), 1, 0, 0)...))}},
		"size not told by gzip": {kind: format.Int64, codec: format.Gzip, pages: []hostilePage{dataPage(1, format.Plain, bomb.Bytes())}},
	} {
		path := filepath.Join(t.TempDir(), "a.parquet")
		must(t, os.WriteFile(path, h.file(t), 0o666))
		rows, spent, err := readCounting(path, ReadOptions{})
		if spent > 16<<20 {
			t.Errorf("%s: %d bytes were allocated", name, spent)
		}
		if name == "good" && len(rows) != 1 || name != "good" && !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}
