package vectors

import (
	"bytes"
	"path/filepath"
	"strings"
)

// Format is a file format and its file extension. The zero value means the format that the
// name and the first bytes of a file show.
type Format string

const (
	NPY     Format = "npy"
	Parquet Format = "parquet"
	JSONL   Format = "jsonl"
)

// Formats returns the formats that can be read and written.
func Formats() []Format {
	return []Format{NPY, Parquet, JSONL}
}

// FormatOf returns the format that the name of a file shows, or "".
func FormatOf(path string) Format {
	name := strings.ToLower(filepath.Base(path))
	name, zipped := strings.CutSuffix(name, ".gz")
	switch extension := strings.TrimPrefix(filepath.Ext(name), "."); extension {
	case "ndjson":
		return JSONL
	case "pq":
		return Parquet
	default:
		for _, f := range Formats() {
			// Only lines are read compressed; for other formats the error is then about the
			// compression.
			if extension == string(f) {
				return f
			}
		}
	}
	if zipped {
		return JSONL
	}
	return ""
}

// beginnings lists the first bytes of known formats.
var beginnings = []struct {
	magic  string
	format Format // "" for formats that are not supported
	words  string
}{
	{"\x93NUMPY", NPY, "an npy file"},
	{"PAR1", Parquet, "a parquet file"},
	{"\x1f\x8b\x08", JSONL, "a file compressed with gzip; decompress it with gunzip"},
	{"PK\x03\x04", "", "a zip archive, which an npz file is too; save each array with numpy.save"},
	{"\x28\xb5\x2f\xfd", "", "a file compressed with zstd; decompress it"},
	{"\x89HDF\r\n", "", "an HDF5 file; save the array with numpy.save"},
	{"ARROW1", "", "an Arrow file; save the table as parquet"},
	{"\x80\x02", "", "a pickle, which could run anything when loaded; save the array with numpy.save"},
	{"\x80\x03", "", "a pickle, which could run anything when loaded; save the array with numpy.save"},
	{"\x80\x04", "", "a pickle, which could run anything when loaded; save the array with numpy.save"},
	{"\x80\x05", "", "a pickle, which could run anything when loaded; save the array with numpy.save"},
}

// recognize returns the format that the first bytes show, or "".
func recognize(head []byte) Format {
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return b.format
		}
	}
	if text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n"); len(text) > 0 && text[0] == '{' {
		return JSONL
	}
	return ""
}

// likeness returns a hint for errors: which format a file looks like.
func likeness(head []byte) string {
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return "; it begins like " + b.words
		}
	}
	return ""
}
