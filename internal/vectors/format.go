package vectors

import (
	"bytes"
	"fmt"
)

const (
	npyMagic = "\x93NUMPY"
	zipMagic = "\x1f\x8b\x08"
)

// others lists the first bytes of formats that are not read.
var others = []struct{ magic, advice string }{
	{"PAR1", "a parquet file; save it as JSON lines, in Python with table.to_json('rows.jsonl', orient='records', lines=True)"},
	{"PK\x03\x04", "a zip archive, which an npz file is too; save each array with numpy.save"},
	{"\x28\xb5\x2f\xfd", "a file compressed with zstd; decompress it"},
	{"\x89HDF\r\n", "an HDF5 file; save the array with numpy.save"},
	{"ARROW1", "an Arrow file; save the table as JSON lines"},
	{"\x80", "a pickle, which could run anything when loaded; save the array with numpy.save"},
}

// checkFormat returns an error if a file begins like one of a format that is not read.
func checkFormat(head []byte) error {
	for _, o := range others {
		if bytes.HasPrefix(head, []byte(o.magic)) {
			return fmt.Errorf("it begins like %s", o.advice)
		}
	}
	return nil
}
