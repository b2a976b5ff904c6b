package ingest

import (
	"path"
	"strings"
	"time"
)

// Source is a file that can be read.
type Source struct {
	Path     string // as it is opened
	Name     string // the id of its only document: relative, slash-separated
	Size     int64
	Modified time.Time

	named bool // by a person: it is read whatever it is called
}

type format int

const (
	unknown format = iota
	plainText
	markdown
	webPage
	table
	jsonLines
	jsonValues // a list of objects, or one after the other
)

// many says whether a file of the format holds more than one document.
func (f format) many() bool { return f >= table }

var formats = map[string]format{
	".txt": plainText, ".text": plainText,
	".md": markdown, ".markdown": markdown, ".mdown": markdown, ".mkd": markdown,
	".html": webPage, ".htm": webPage, ".xhtml": webPage,
	".csv": table, ".tsv": table, ".tab": table,
	".jsonl": jsonLines, ".ndjson": jsonLines,
	".json": jsonValues,
}

// formatOf tells by a file's name how it is read, and whether it is compressed.
// A name without an extension stands for text.
func formatOf(name string) (f format, gzipped bool) {
	name, gzipped = cutGzip(name)
	if e := extensionOf(name); e != "" {
		return formats[e], gzipped
	}
	return plainText, gzipped
}

func cutGzip(name string) (string, bool) {
	if n := len(name) - len(".gz"); n > 0 && strings.EqualFold(name[n:], ".gz") {
		return name[:n], true
	}
	return name, false
}

// extensionOf is the extension in lower case. What follows the dot in "Minutes
// 12.5." or "v1.2 plan" is none.
func extensionOf(name string) string {
	extension := strings.ToLower(path.Ext(path.Base(name)))
	letters := false
	for _, c := range strings.TrimPrefix(extension, ".") {
		switch {
		case c >= 'a' && c <= 'z':
			letters = true
		case c < '0' || c > '9':
			return ""
		}
	}
	if !letters || len(extension) > 10 {
		return ""
	}
	return extension
}

// typeOf is the extension that tells a file's type, for a message.
func typeOf(name string) string {
	name, _ = cutGzip(name)
	return extensionOf(name)
}

// stem is the file's name without folders and extensions, for a title.
func stem(name string) string {
	name, _ = cutGzip(path.Base(name))
	return name[:len(name)-len(extensionOf(name))]
}
