package ingest

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/nsfl-go/nsfl/passage"
)

// readPage extracts the text of an HTML page, without hidden content and navigation.
func readPage(b *budget, content []byte) (draft, error) {
	root, err := b.page(content)
	if err != nil {
		return draft{}, err
	}
	title := ""
	if n := first(root, func(n *html.Node) bool {
		return n.DataAtom == atom.Title && n.Parent != nil && n.Parent.DataAtom == atom.Head
	}); n != nil {
		title = passage.OneLine(rawText(n))
	}
	var blocks []passage.Block
	for _, n := range contentOf(root) {
		blocks = append(blocks, blocksOf(b, n)...)
	}
	return withoutTitle(title, blocks, true), b.err
}

// withoutTitle determines the title and removes the heading that repeats it from the text.
// Without a title, the first main heading becomes the title, or any heading at the start of
// the text. If the title of a page begins with its main heading and the heading has two words
// or more, the rest is the name of the site. A heading of one word may be the name of the site
// itself.
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
	if at >= 0 {
		title, blocks = blocks[at].Rows[0], append(blocks[:at:at], blocks[at+1:]...)
	}
	for len(blocks) > 0 && len(blocks[0].Rows) == 1 && blocks[0].Rows[0] == title { // as a paragraph of its own
		blocks = blocks[1:]
	}
	return draft{title: title, blocks: blocks}
}

// first returns the first node in document order for which is returns true.
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

func blocksOf(b *budget, n *html.Node) []passage.Block {
	return (&pageReader{budget: b, depth: -1}).within(n)
}

// within is blocksOf for an element in a list, a table or a heading.
func (p *pageReader) within(n *html.Node) []passage.Block {
	inner := pageReader{budget: p.budget, depth: p.depth + 1}
	inner.children(n)
	inner.flush()
	return inner.blocks
}

// wordsOf returns the text of an element on one line.
func (p *pageReader) wordsOf(n *html.Node) string {
	var words []string
	for _, b := range p.within(n) {
		words = append(words, b.Rows...)
	}
	return passage.OneLine(strings.Join(words, " "))
}

// pageReader collects blocks.
type pageReader struct {
	budget *budget
	blocks []passage.Block
	inline strings.Builder // text that belongs to one paragraph
	depth  int
	line   int // line in the Markdown source; 0 if unknown
}

func (p *pageReader) flush() {
	if s := passage.OneLine(p.inline.String()); s != "" && p.budget.spend(1, len(s)) {
		p.add(passage.Block{Kind: passage.Prose, Rows: []string{s}})
	}
	p.inline.Reset()
}

func (p *pageReader) add(blocks ...passage.Block) {
	for _, b := range blocks {
		if len(b.Rows) > 0 {
			b.Line = p.line
			p.blocks = append(p.blocks, b)
		}
	}
}

func (p *pageReader) children(n *html.Node) {
	for c := range n.ChildNodes() {
		if p.budget.err != nil {
			return
		}
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
	if line, err := strconv.Atoi(attribute(n, lineAttribute)); err == nil {
		p.flush()
		p.line = line
	}
	switch n.DataAtom {
	case atom.Br, atom.Wbr:
		p.inline.WriteByte(' ')
	case atom.Img:
		p.inline.WriteString(" " + attribute(n, "alt") + " ")
	case atom.A:
		if !p.isAnchor(n) {
			p.children(n)
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.flush()
		if s := p.wordsOf(n); s != "" {
			p.add(passage.Block{Kind: passage.Heading, Rows: []string{s}, Level: int(n.Data[1] - '0')})
		}
	case atom.Pre:
		p.flush()
		p.add(p.budget.code(rawText(n))...)
	case atom.Ul, atom.Ol, atom.Menu:
		p.flush()
		p.add(passage.Block{Kind: passage.Rows, Rows: p.items(n)})
	case atom.Table:
		p.flush()
		if first(n, func(n *html.Node) bool { return n.DataAtom == atom.Table }) != nil {
			p.children(n) // a layout table
			p.flush()
			return
		}
		p.add(passage.Block{Kind: passage.Rows, Rows: p.tableRows(n)})
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

// isAnchor reports whether an element is the link sign next to a heading.
func (p *pageReader) isAnchor(n *html.Node) bool {
	if !strings.HasPrefix(attribute(n, "href"), "#") {
		return false
	}
	text := rawText(n)
	p.budget.spend(0, len(text)) // links may be nested
	switch strings.TrimSpace(text) {
	case "¶", "#", "§", "🔗":
		return true
	}
	return false
}

// items returns the rows of a list. The rest of an item is indented below its first row, up to
// a maximum depth.
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
			inner = p.within(c)
		} else { // invalid but common: a list directly within a list
			only := pageReader{budget: p.budget, depth: p.depth + 1}
			only.node(c)
			only.flush()
			inner, mark = only.blocks, indent
		}
		for _, b := range inner {
			for _, row := range b.Rows {
				if !p.budget.spend(0, len(row)) {
					return out
				}
				out = append(out, mark+row)
				mark = indent
			}
		}
	}
	return out
}

// tableRows returns the rows of a table, with bars between the cells.
func (p *pageReader) tableRows(n *html.Node) []string {
	var out []string
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.Tr:
			var cells []string
			for c := range d.ChildNodes() {
				if (c.DataAtom == atom.Td || c.DataAtom == atom.Th) && !isDropped(c) {
					cells = append(cells, p.wordsOf(c))
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

// isBlock lists the elements that begin and end a paragraph.
var isBlock = setOf(
	atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center,
	atom.Dd, atom.Details, atom.Dialog, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption,
	atom.Figure, atom.Form, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Li, atom.Main, atom.P,
	atom.Section, atom.Summary, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr,
)

// notText lists the elements whose content is not shown or is not part of the page's text.
var notText = setOf(
	atom.Head, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Nav, atom.Footer,
	atom.Svg, atom.Canvas, atom.Iframe, atom.Object, atom.Embed, atom.Video, atom.Audio, atom.Map,
	atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Datalist, atom.Noframes, atom.Frameset,
)

// isDropped reports whether an element is skipped with all its content.
func isDropped(n *html.Node) bool {
	if notText[n.DataAtom] {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			if a.Val != "until-found" {
				return true
			}
		case "aria-hidden":
			if a.Val == "true" {
				return true
			}
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}
