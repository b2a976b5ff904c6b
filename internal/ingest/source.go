package ingest

import (
	"bufio"
	"cmp"
	"path"
	"regexp"
	"strings"
	"time"
)

// Source is a file that can be read.
type Source struct {
	Path     string // path to open
	Name     string // id of a single document: relative, slash-separated
	Place    string // the absolute path, without links
	Size     int64
	Modified time.Time

	named bool   // named by the user: read whatever its name
	as    string // name that determines the format; empty for its own
}

// StandardInput is the path of standard input.
const StandardInput = "-"

func (s Source) formatName() string { return cmp.Or(s.as, s.Name) }

// format reads a file in one of three ways.
type format struct {
	whole  func(b *budget, text []byte) (draft, error)    // the file is text, and one document
	decode func(content []byte) ([]byte, error)           // converts it to UTF-8; nil: decode
	packed func(b *budget, content []byte) (draft, error) // one document that is not text
	rows   func(k *sink, content *bufio.Reader) error     // many documents, streamed
	byPath bool                                           // its title is its path: source code
}

var plainText = &format{whole: readText}

// formats maps extensions to formats.
var formats = withLanguages(map[string]*format{
	".txt .text":                plainText,
	".md .markdown .mdown .mkd": {whole: readMarkdown},
	".html .htm .xhtml":         {whole: readPage, decode: decodePage},
	".org":                      {whole: orgMode.read},
	".rst .rest":                {whole: structured.read},
	".tex .latex":               {whole: latex.read},
	".ipynb":                    {whole: readNotebook},
	".pdf":                      {packed: readPDF},
	".docx":                     {packed: readDOCX},
	".odt":                      {packed: readODT},
	".epub":                     {packed: readEPUB},
	".csv .tsv .tab":            {rows: (*sink).readTable},
	".jsonl .ndjson":            {rows: (*sink).readJSONLines},
	".json":                     {rows: (*sink).readJSON}, // a list or a sequence of objects
	".eml":                      {rows: (*sink).readMail}, // one message; attachments are reported
	".mbox":                     {rows: (*sink).readMbox},
	".ris":                      {rows: risFormat.read},
	".nbib":                     {rows: nbibFormat.read},
	".bib":                      {rows: (*sink).readBibTeX},
})

// formatOf returns the format for a file name, or nil if there is none, and whether the file
// is compressed. A name without an extension is text, and so is any file that the user names.
func formatOf(name string, named bool) (f *format, gzipped bool) {
	name, gzipped = cutGzip(name)
	e := extensionOf(name)
	if f = formats[e]; f == nil && (e == "" || named || manual.MatchString(e)) {
		f = plainText
	}
	return f, gzipped
}

func cutGzip(name string) (string, bool) {
	if n := len(name) - len(".gz"); n > 0 && strings.EqualFold(name[n:], ".gz") {
		return name[:n], true
	}
	return name, false
}

// extensionOf returns the extension in lower case. The rest after the dot in "Minutes 12.5."
// or "v1.2 plan" is not an extension.
func extensionOf(name string) string {
	if e := suffix.FindString(strings.ToLower(name)); len(e) <= 10 {
		return e
	}
	return ""
}

var suffix = regexp.MustCompile(`\.[a-z0-9]*[a-z][a-z0-9]*$`)

// manual matches the extension of a manual page with a suffix to its section.
var manual = regexp.MustCompile(`^\.[1-8](?:ssl|pm|x|p|type|const|head|posix|perl|tcl|t|edit|readline)$`)

// TypeOf returns the extension that determines the type of a file, in lower case and with its dot.
func TypeOf(name string) string {
	name, _ = cutGzip(name)
	return extensionOf(name)
}

// stem returns the file's name without folders and extensions, for a title.
func stem(name string) string {
	name, _ = cutGzip(path.Base(name))
	return name[:len(name)-len(extensionOf(name))]
}
