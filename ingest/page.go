package ingest

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/nsfl-go/nsfl/passage"
)

// readPage finds the text of an HTML page: that of <main> or, lacking one, of
// <article>, else of all of it, without what is not shown or leads elsewhere.
func readPage(content []byte) (draft, error) {
	root, err := html.Parse(bytes.NewReader(content))
	if err != nil {
		return draft{}, unusable(Malformed, "it cannot be taken apart: %v", err)
	}
	blocks := blocksOfMain(root)
	title := ""
	if n := first(root, func(n *html.Node) bool {
		return n.DataAtom == atom.Title && n.Parent != nil && n.Parent.DataAtom == atom.Head
	}); n != nil {
		title = passage.OneLine(rawText(n))
	}
	return withoutTitle(title, blocks, true), nil
}

// blocksOfMain are those of the part that matters, if there is something in it.
func blocksOfMain(root *html.Node) []passage.Block {
	isMain := func(n *html.Node) bool {
		return (n.DataAtom == atom.Main || attribute(n, "role") == "main") && !isDropped(n)
	}
	if main := first(root, isMain); main != nil {
		if blocks := blocksOf(main); len(blocks) > 0 {
			return blocks
		}
	}
	var blocks []passage.Block
	var articles func(n *html.Node)
	articles = func(n *html.Node) {
		for c := range n.ChildNodes() {
			switch {
			case isDropped(c):
			case c.DataAtom == atom.Article:
				blocks = append(blocks, blocksOf(c)...)
			default:
				articles(c)
			}
		}
	}
	if articles(root); len(blocks) > 0 {
		return blocks
	}
	return blocksOf(root)
}

// withoutTitle settles the title and takes the heading that says the same out of
// the text. Lacking one, the first main heading is the title, or whatever heading
// the text begins with. Where the title of a page begins with its main heading, of
// two words or more, what follows is the name of the site; of one word, the heading
// may be that name itself.
func withoutTitle(title string, blocks []passage.Block, site bool) draft {
	at := -1
	for i, b := range blocks {
		if b.Kind != passage.Heading {
			continue
		}
		s := b.Rows[0]
		if title == "" && (b.Level == 1 || i == 0) || title == s ||
			site && b.Level == 1 && strings.HasPrefix(title, s) && strings.Contains(s, " ") {
			at = i
			break
		}
		if title != "" && b.Level == 1 {
			break // another one
		}
	}
	if at < 0 {
		return draft{title: title, blocks: blocks}
	}
	return draft{title: blocks[at].Rows[0], blocks: append(blocks[:at:at], blocks[at+1:]...)}
}

// first is the first node for which is holds, in the order of the text.
func first(n *html.Node, is func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && is(d) {
			return d
		}
	}
	return nil
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func rawText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Br:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// blocksOf takes an element apart.
func blocksOf(n *html.Node) []passage.Block { return blocksWithin(n, 0) }

// blocksWithin is blocksOf within depth lists or tables.
func blocksWithin(n *html.Node, depth int) []passage.Block {
	p := pageReader{depth: depth}
	p.children(n)
	p.flush()
	return p.blocks
}

// wordsOf is all that is in an element, on one line.
func wordsOf(n *html.Node, depth int) string {
	var words []string
	for _, b := range blocksWithin(n, depth) {
		words = append(words, b.Rows...)
	}
	return passage.OneLine(strings.Join(words, " "))
}

// pageReader collects blocks.
type pageReader struct {
	blocks []passage.Block
	inline strings.Builder // text that belongs to one paragraph
	depth  int
}

func (p *pageReader) flush() {
	if s := passage.OneLine(p.inline.String()); s != "" {
		p.blocks = append(p.blocks, passage.Block{Kind: passage.Prose, Rows: []string{s}})
	}
	p.inline.Reset()
}

func (p *pageReader) children(n *html.Node) {
	for c := range n.ChildNodes() {
		p.node(c)
	}
}

func (p *pageReader) node(n *html.Node) {
	if n.Type == html.TextNode {
		p.inline.WriteString(n.Data)
		return
	}
	if n.Type != html.ElementNode || isDropped(n) {
		return
	}
	switch n.DataAtom {
	case atom.Br, atom.Wbr:
		p.inline.WriteByte(' ')
	case atom.Img:
		p.inline.WriteString(" " + attribute(n, "alt") + " ")
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.flush()
		if s := wordsOf(n, p.depth); s != "" {
			p.blocks = append(p.blocks, passage.Block{Kind: passage.Heading, Rows: []string{s}, Level: int(n.Data[1] - '0')})
		}
	case atom.Pre:
		p.flush()
		p.blocks = append(p.blocks, passage.Code(rawText(n))...)
	case atom.Ul, atom.Ol, atom.Menu:
		p.flush()
		p.add(p.items(n))
	case atom.Table:
		p.flush()
		if first(n, func(n *html.Node) bool { return n.DataAtom == atom.Table }) != nil {
			p.children(n) // a table that arranges others
			p.flush()
			return
		}
		p.add(p.tableRows(n))
	default:
		if !isBlock[n.DataAtom] {
			p.children(n)
			return
		}
		p.flush()
		p.children(n)
		p.flush()
	}
}

func (p *pageReader) add(list []string) {
	if len(list) > 0 {
		p.blocks = append(p.blocks, passage.Block{Kind: passage.Rows, Rows: list})
	}
}

// items are the rows of a list. What an item has besides its first row is
// indented below it, up to a depth at which it no longer helps.
func (p *pageReader) items(n *html.Node) []string {
	const deepest = 4
	var out []string
	number := 0
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || isDropped(c) {
			continue
		}
		number++
		mark, indent := "- ", "  "
		if n.DataAtom == atom.Ol {
			mark = fmt.Sprintf("%d. ", number)
		}
		if p.depth >= deepest {
			indent = ""
		}
		var inner []passage.Block
		if c.DataAtom == atom.Li {
			inner = blocksWithin(c, p.depth+1)
		} else { // not allowed, and seen: a list right within a list
			only := pageReader{depth: p.depth + 1}
			only.node(c)
			only.flush()
			inner, mark = only.blocks, indent
		}
		for _, b := range inner {
			for _, row := range b.Rows {
				out = append(out, mark+row)
				mark = indent
			}
		}
	}
	return out
}

// tableRows are the rows of a table, with bars between the cells.
func (p *pageReader) tableRows(n *html.Node) []string {
	var out []string
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.Tr:
			var cells []string
			for c := range d.ChildNodes() {
				if (c.DataAtom == atom.Td || c.DataAtom == atom.Th) && !isDropped(c) {
					cells = append(cells, wordsOf(c, p.depth+1))
				}
			}
			if row := strings.Join(cells, " | "); strings.Trim(row, " |") != "" {
				out = append(out, row)
			}
		case atom.Caption:
			if row := passage.OneLine(rawText(d)); row != "" {
				out = append(out, row)
			}
		}
	}
	return out
}
