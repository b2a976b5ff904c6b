package indexing

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
)

// pace estimates how much text remains to be encoded, which takes most of the time. Bytes of
// files do not tell: a megabyte of PDF has less text than 100 kB of Markdown. So the share of
// text is learned for each type of file.
type pace struct {
	types map[string]*textShare
}

// textShare describes the files of a type.
type textShare struct {
	left, read int64 // bytes of the files to read, and of those that were read
	encoded    int64 // bytes of their text that were encoded
}

// typicalShares are the shares of text in files of types that are not mostly text, until some
// were read.
var typicalShares = map[string]float64{
	"pdf": 0.15, "docx": 0.3, "odt": 0.3, "epub": 0.5, "html": 0.4, "htm": 0.4, "ipynb": 0.4,
	"c": 0.3, "go": 0.3, "java": 0.3, "js": 0.3, "py": 0.3, "rs": 0.3, "ts": 0.3,
}

func newPace(files []ingest.Source) *pace {
	p := &pace{map[string]*textShare{}}
	for i := range files {
		p.of(&files[i]).left += files[i].Size
	}
	return p
}

func (p *pace) of(s *ingest.Source) *textShare {
	name := typeOf(s.Name)
	if p.types[name] == nil {
		p.types[name] = &textShare{}
	}
	return p.types[name]
}

// encodedBytes returns the size of the texts that are encoded for a document.
func encodedBytes(d *engine.Document) (n int64) {
	for _, p := range d.Passages {
		n += int64(len(p.Text))
	}
	if len(d.Passages) == 0 {
		n = int64(len(d.Title) + len(d.Text))
	}
	return n
}

// count records that bytes of a file were read and text of it was encoded.
func (p *pace) count(s *ingest.Source, bytes, text int64) {
	t := p.of(s)
	t.left, t.read, t.encoded = t.left-bytes, t.read+bytes, t.encoded+text
}

// estimate returns how much text was encoded, and how much is expected to follow.
func (p *pace) estimate() (done, left float64) {
	for name, t := range p.types {
		share, known := typicalShares[name]
		if !known {
			share = 1
		}
		if t.read > 0 {
			// The typical share counts as much as the first 64 kB.
			const prior = 64 << 10
			share = (share*prior + float64(t.encoded)) / float64(prior+t.read)
		}
		done += float64(t.encoded)
		left += share * float64(max(t.left, 0))
	}
	return done, left
}
