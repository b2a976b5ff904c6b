// Package pdf extracts the text of PDF files, line by line in reading order.
//
// It finds objects by scanning the whole file instead of using the table at its end, so
// damaged files read like intact ones. Limits bound its memory, the caller's budget its
// text and time; no input makes it panic or loop forever.
//
// The package knows pages, fonts and the positions of lines. It never knows documents,
// passages or files on disk, and it renders nothing.
package pdf

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// Reasons why a file cannot be read.
var (
	ErrFormat    = errors.New("it is not a PDF file")
	ErrEncrypted = errors.New("it has a password")
	ErrNoPages   = errors.New("it is damaged: no page was found in it")
)

// Document is the text of a file.
type Document struct {
	Title string // from the file's metadata
	Pages []Page
}

// Page holds the lines of a page in reading order.
type Page struct{ Lines []Line }

// Line is a line of text, or a part of one in a column or a table. Coordinates are in
// points of 1/72 inch, from the lower left corner of the page as it is read.
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
	maxPieces  = 200_000 // strings on a page
	maxNesting = 64      // of objects and of forms
	maxTitle   = 4096    // bytes
)

// Read reads a file. Lines of unreadable pages are missing. It calls spend with the parts
// (pages, lines) and the bytes of text before it adds them, and often in between; the first
// error of spend ends the reading.
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
	if f.crypt == nil { // strings are encrypted too; a missing title does not matter
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

// text decodes a text string: UTF-16 or UTF-8 with a byte order mark, else approximately
// Latin-1.
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

// pages returns the page dictionaries in order, each with its inherited entries.
func (f *file) pages() []dict {
	var out []dict
	seen := map[ref]bool{}
	var walk func(v any, above dict, depth int)
	walk = func(v any, above dict, depth int) {
		if r, ok := v.(ref); ok {
			if seen[r] {
				return
			}
			seen[r] = true
		}
		d := f.dict(v)
		if d == nil || depth > maxNesting || len(out) >= maxPages {
			return
		}
		page := dict{"Contents": d["Contents"], "Resources": d["Resources"]}
		if page["Resources"] == nil {
			page["Resources"] = above["Resources"]
		}
		if kids := f.array(d["Kids"]); kids != nil {
			for _, kid := range kids {
				walk(kid, page, depth+1)
			}
		} else if d["Contents"] != nil || f.value(d["Type"]) == name("Page") {
			out = append(out, page)
		}
	}
	walk(f.dict(f.trailer["Root"])["Pages"], nil, 0)
	if out != nil {
		return out
	}
	var numbers []ref // the page tree is lost; its leaves are mostly in order
	for r := range f.objects {
		numbers = append(numbers, r)
	}
	slices.Sort(numbers)
	for _, r := range numbers {
		if f.value(f.dict(r)["Type"]) == name("Page") {
			walk(r, nil, 0)
		}
	}
	return out
}
