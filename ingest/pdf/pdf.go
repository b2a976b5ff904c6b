// Package pdf reads the text of PDF files, a line at a time and in reading order.
//
// It finds objects by looking at the whole file rather than by the table at its end, so
// that damaged files read like sound ones. Memory is bounded by limits, the text by the
// caller's budget and time by a context; no bytes make it panic or run without end.
//
// The package knows pages, fonts and where a line stands. It never knows documents,
// passages or files on a disk, and it draws nothing.
package pdf

import (
	"errors"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// Why a file is not read.
var (
	ErrFormat    = errors.New("it is no PDF file")
	ErrEncrypted = errors.New("it has a password")
	ErrNoPages   = errors.New("it is damaged: no page was found in it")
)

// Document is what a file says.
type Document struct {
	Title string // as its maker has noted it
	Pages []Page
}

// Page has the lines of a page in reading order.
type Page struct{ Lines []Line }

// Line is a line of text, or a part of one in a column or a table. Points are 1/72 inch,
// from the lower left corner of a page that is held as its text is read.
type Line struct {
	Text           string
	Left, Right, Y float64
	Size           float64 // of most of its letters
	Bold           bool
}

const (
	maxPages   = 20_000
	maxDecoded = 512 << 20 // bytes, of all streams
	maxStream  = 64 << 20
	maxPieces  = 200_000 // strings that a page shows
	maxNesting = 64      // of objects and of forms
	maxTitle   = 4096    // bytes
)

// Read reads a file. Where a page cannot be read, its lines are missing. spend is called
// with the parts (pages, lines) and the bytes of text before they are added, and often
// besides; the first error that it returns ends the reading.
func Read(content []byte, spend func(parts, bytes int) error) (*Document, error) {
	f := &file{objects: map[ref]place{}, loaded: map[ref]any{}, trailer: dict{}, budget: spend}
	if err := f.open(content); err != nil {
		return nil, err
	}
	pages := f.pages()
	if len(pages) == 0 {
		return nil, ErrNoPages
	}
	doc := &Document{}
	if f.crypt == nil { // strings are encrypted, too, and that one does not matter
		doc.Title = text(f.value(f.dict(f.trailer["Info"])["Title"]))
	}
	fonts := map[ref]*font{}
	for _, p := range pages {
		r := &interpreter{file: f, fonts: fonts}
		r.page(p)
		lines := layOut(r.pieces)
		if !f.spend(1+len(lines), 0) {
			break
		}
		doc.Pages = append(doc.Pages, Page{lines})
	}
	return doc, f.err
}

// text reads a string for people: UTF-16 or UTF-8 with a mark, else nearly Latin-1.
func text(v any) string {
	s, _ := v.(string)
	s = s[:min(len(s), maxTitle)]
	switch {
	case strings.HasPrefix(s, "\xFE\xFF"):
		return fromUTF16(s[2:])
	case strings.HasPrefix(s, "\xEF\xBB\xBF"):
		return strings.ToValidUTF8(s[3:], "")
	}
	decoded, err := charmap.Windows1252.NewDecoder().String(s)
	if err != nil {
		return ""
	}
	return decoded
}

func fromUTF16(s string) string {
	units := make([]uint16, len(s)/2)
	for i := range units {
		units[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	return string(utf16.Decode(units))
}
