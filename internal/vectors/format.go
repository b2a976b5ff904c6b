package vectors

import (
	"bytes"
	"path/filepath"
	"strings"
)

// format is a file format and its file extension.
type format string

const (
	npyFormat   format = "npy"
	jsonlFormat format = "jsonl"
)

// formatNames lists the formats for errors.
const formatNames = ".npy, .jsonl or .jsonl.gz"

// formatOf returns the format that the name of a file shows, or "".
func formatOf(path string) format {
	name, zipped := strings.CutSuffix(strings.ToLower(filepath.Base(path)), ".gz")
	switch filepath.Ext(name) {
	case ".npy":
		return npyFormat // never compressed: the error is then about the compression
	case ".jsonl", ".ndjson":
		return jsonlFormat
	}
	if zipped {
		return jsonlFormat
	}
	return ""
}

// beginnings lists the first bytes of known formats.
var beginnings = []struct {
	magic  string
	format format // "" for formats that are not supported
	words  string
}{
	{"\x93NUMPY", npyFormat, "an npy file"},
	{zipMagic, jsonlFormat, "a file compressed with gzip; decompress it with gunzip"},
	{"PAR1", "", "a parquet file; save it as JSON lines, in Python with table.to_json('rows.jsonl', orient='records', lines=True)"},
	{"PK\x03\x04", "", "a zip archive, which an npz file is too; save each array with numpy.save"},
	{"\x28\xb5\x2f\xfd", "", "a file compressed with zstd; decompress it"},
	{"\x89HDF\r\n", "", "an HDF5 file; save the array with numpy.save"},
	{"ARROW1", "", "an Arrow file; save the table as JSON lines"},
	{"\x80\x02", "", pickled},
	{"\x80\x03", "", pickled},
	{"\x80\x04", "", pickled},
	{"\x80\x05", "", pickled},
}

const (
	zipMagic = "\x1f\x8b\x08"
	pickled  = "a pickle, which could run anything when loaded; save the array with numpy.save"
)

// recognize returns the format that the first bytes show, or "".
func recognize(head []byte) format {
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return b.format
		}
	}
	if text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n"); len(text) > 0 && text[0] == '{' {
		return jsonlFormat
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

// clip shortens a name for an error.
func clip(name string) string {
	const longest = 60
	if runes := []rune(name); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return name
}
