package ingest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// archive reads a document that is packed as a ZIP file. It limits the bytes it decompresses,
// whatever sizes the file declares.
type archive struct {
	files  map[string]*zip.File
	budget *budget
	left   int64 // bytes that may still be decompressed
}

const (
	maxEntries    = 20_000
	maxAttributes = 10_000 // of an element
)

func openArchive(b *budget, content []byte) (*archive, error) {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		if bytes.HasPrefix(content, []byte("\xD0\xCF\x11\xE0")) {
			return nil, unusable(Unreadable, "it has a password or an older format; save it again without a password, as .docx or .odt")
		}
		return nil, unusable(Malformed, "it is not a valid ZIP file, as documents of its type are; save it again")
	}
	if len(z.File) > maxEntries {
		return nil, unusable(TooLarge, "it contains %d files; the limit is %d", len(z.File), maxEntries)
	}
	a := &archive{files: map[string]*zip.File{}, budget: b, left: int64(b.bytes)}
	for _, f := range z.File {
		a.files[f.Name] = f
	}
	return a, nil
}

// read returns a file of the archive, or nil if the archive does not contain it.
func (a *archive) read(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, nil
	}
	var content []byte
	r, err := f.Open()
	if err == nil {
		content, err = io.ReadAll(io.LimitReader(r, a.left+1))
	}
	if err != nil {
		return nil, unusable(Malformed, "its part %s cannot be read: %v", name, err)
	}
	if a.left -= int64(len(content)); a.left < 0 {
		return nil, unusable(TooLarge, "it has more text than one document may have")
	}
	return content, nil
}

// xmlReader receives the elements and the text of an XML file in document order.
type xmlReader interface {
	begin(name string, attribute func(name string) string)
	end(name string)
	text(s string)
}

// readXML parses a file of the archive, except the hidden elements. It passes names without
// their namespaces.
func (a *archive) readXML(name string, into xmlReader, hidden map[string]bool) error {
	content, err := a.read(name)
	if err != nil {
		return err
	}
	for tag := range bytes.SplitSeq(content, []byte("<")) {
		if len(tag) > maxAttributes && bytes.Count(tag, []byte("=")) > maxAttributes {
			return unusable(TooLarge, "an element of its part %s has more than %d attributes", name, maxAttributes)
		}
	}
	d := xml.NewDecoder(bytes.NewReader(content))
	d.Entity = xml.HTMLEntity // strict: an attribute without a value would take few bytes and much memory
	skipped := 0              // open hidden elements
	for a.budget.spend(0, 0) {
		token, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return unusable(Malformed, "its part %s is not valid XML: %v", name, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if hidden[t.Name.Local] {
				skipped++
			}
			if skipped > 0 {
				continue
			}
			into.begin(t.Name.Local, func(name string) string {
				for _, a := range t.Attr {
					if a.Name.Local == name {
						return a.Value
					}
				}
				return ""
			})
		case xml.EndElement:
			switch {
			case skipped == 0:
				into.end(t.Name.Local)
			case hidden[t.Name.Local]:
				skipped--
			}
		case xml.CharData:
			if skipped == 0 {
				into.text(strings.ToValidUTF8(string(t), ""))
			}
		}
	}
	return a.budget.err
}

// properties holds the title and the author from a document's metadata.
type properties struct {
	title, author string
	now           *string
}

func (p *properties) begin(name string, _ func(string) string) {
	switch name {
	case "title":
		p.now = &p.title
	case "creator":
		p.now = &p.author
	default:
		p.now = nil
	}
}

func (p *properties) end(string) { p.now = nil }

func (p *properties) text(s string) {
	const most = 4096 // bytes
	if p.now != nil && len(*p.now)+len(s) < most {
		*p.now += s
	}
}

// draft returns a document with the title and the author, if they are known.
func (p *properties) draft(blocks []passage.Block) draft {
	d := withoutTitle(passage.OneLine(p.title), blocks, false)
	if author := passage.OneLine(p.author); author != "" {
		d.metadata = map[string]any{"author": author}
	}
	return d
}
