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
	Path     string // as it is opened
	Name     string // the id of its only document: relative, slash-separated
	Place    string // the absolute path, without links
	Size     int64
	Modified time.Time

	named bool   // by a person: it is read whatever it is called
	as    string // a name by which its format is known instead; empty is its own
}

// StandardInput is the path that stands for standard input.
const StandardInput = "-"

func (s Source) formatName() string { return cmp.Or(s.as, s.Name) }

// format is how a file becomes documents, in one of three ways.
type format struct {
	whole  func(b *budget, text []byte) (draft, error)    // the file is text, and one document
	decode func(content []byte) ([]byte, error)           // of a whole, makes it UTF-8
	packed func(b *budget, content []byte) (draft, error) // it is one document, and not text
	rows   func(k *sink, content *bufio.Reader) error     // it has many, and is streamed
	byPath bool                                           // its title is its path: source code
}

var (
	plainText  = &format{whole: readText, decode: decode}
	markdown   = &format{whole: readMarkdown, decode: decode}
	webPage    = &format{whole: readPage, decode: decodePage}
	table      = &format{rows: (*sink).readTable}
	jsonLines  = &format{rows: (*sink).readJSONLines}
	jsonValues = &format{rows: (*sink).readJSON} // a list of objects, or one after the other
	pdfFile    = &format{packed: readPDF}
	wordFile   = &format{packed: readDOCX}
	openText   = &format{packed: readODT}
	book       = &format{packed: readEPUB}
	mailFile   = &format{rows: (*sink).readMail} // one, of which attachments are told
	mailbox    = &format{rows: (*sink).readMbox}
	notebooks  = &format{whole: readNotebook, decode: decode}
	orgFile    = &format{whole: orgMode.read, decode: decode}
	rstFile    = &format{whole: structured.read, decode: decode}
	latexFile  = &format{whole: latex.read, decode: decode}
)

var formats = withLanguages(map[string]*format{
	".txt": plainText, ".text": plainText,
	".md": markdown, ".markdown": markdown, ".mdown": markdown, ".mkd": markdown,
	".html": webPage, ".htm": webPage, ".xhtml": webPage,
	".csv": table, ".tsv": table, ".tab": table,
	".jsonl": jsonLines, ".ndjson": jsonLines,
	".json": jsonValues,
	".pdf":  pdfFile, ".docx": wordFile, ".odt": openText, ".epub": book,
	".eml": mailFile, ".mbox": mailbox, ".ipynb": notebooks,
	".org": orgFile, ".rst": rstFile, ".rest": rstFile, ".tex": latexFile, ".latex": latexFile,
})

// formatOf tells by a file's name how it is read, nil where it is not, and whether
// it is compressed. A name without an extension stands for text, and so does any
// that a person names.
func formatOf(name string, named bool) (f *format, gzipped bool) {
	name, gzipped = cutGzip(name)
	e := extensionOf(name)
	if f = formats[e]; f == nil && (e == "" || named) {
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

// extensionOf is the extension in lower case. What follows the dot in "Minutes
// 12.5." or "v1.2 plan" is none.
func extensionOf(name string) string {
	if e := suffix.FindString(strings.ToLower(name)); len(e) <= 10 {
		return e
	}
	return ""
}

var suffix = regexp.MustCompile(`\.[a-z0-9]*[a-z][a-z0-9]*$`)

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
