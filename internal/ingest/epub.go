package ingest

import (
	"bytes"
	"cmp"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/nsfl-go/nsfl/passage"
)

// readEPUB reads the chapters of a book in order, each an HTML page.
func readEPUB(b *budget, content []byte) (draft, error) {
	a, err := openArchive(b, content)
	if err != nil {
		return draft{}, err
	}
	book := &epub{items: map[string]string{}}
	if err := a.readXML("META-INF/container.xml", book, nil); err != nil {
		return draft{}, err
	}
	if a.files[book.packaged] == nil {
		return draft{}, unusable(Malformed, "it does not list its chapters; convert it again, for example with Calibre")
	}
	if err := a.readXML(book.packaged, book, nil); err != nil {
		return draft{}, err
	}
	locked, err := a.read("META-INF/encryption.xml")
	if err != nil {
		return draft{}, err
	}
	title := passage.OneLine(book.title)
	var blocks []passage.Block
	for _, id := range book.spine {
		if !b.spend(16, 0) { // cost of a page without text
			return draft{}, b.err
		}
		href := book.items[id]
		name := path.Join(path.Dir(book.packaged), href)
		if href != "" && bytes.Contains(locked, []byte(href)) {
			return draft{}, unusable(Unreadable, "its text is locked by its seller and cannot be read")
		}
		page, err := a.read(name)
		if err != nil {
			return draft{}, err
		}
		chapter, err := chapterOf(b, page, title)
		if err != nil {
			return draft{}, err
		}
		blocks = append(blocks, chapter...)
	}
	return book.draft(blocks), nil
}

// chapterOf reads a page of a book. If the page does not begin with a heading, its title
// becomes one, unless it equals the book's title.
func chapterOf(b *budget, page []byte, book string) ([]passage.Block, error) {
	page, err := decodePage(page)
	if err != nil {
		return nil, err
	}
	root, err := b.page(page)
	if err != nil {
		return nil, err
	}
	blocks := blocksOf(b, root)
	if len(blocks) == 0 || blocks[0].Kind == passage.Heading {
		return blocks, nil
	}
	if n := first(root, func(n *html.Node) bool { return n.DataAtom == atom.Title }); n != nil {
		if title := passage.OneLine(rawText(n)); title != "" && title != book {
			blocks = append([]passage.Block{{Kind: passage.Heading, Rows: []string{title}, Level: 1}}, blocks...)
		}
	}
	return blocks, b.err
}

// epub reads META-INF/container.xml, then the package document.
type epub struct {
	properties
	packaged string            // name of the package document
	items    map[string]string // the names of pages by their ids
	spine    []string          // the ids in the order of reading
}

func (e *epub) begin(name string, attribute func(string) string) {
	switch name {
	case "rootfile":
		e.packaged = cmp.Or(e.packaged, attribute("full-path"))
	case "item":
		href, err := url.PathUnescape(attribute("href"))
		isPage := strings.Contains(attribute("media-type"), "html") && !strings.Contains(attribute("properties"), "nav")
		if err == nil && isPage {
			e.items[attribute("id")] = href
		}
	case "itemref":
		e.spine = append(e.spine, attribute("idref"))
	}
	e.properties.begin(name, attribute)
}
