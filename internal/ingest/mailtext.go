package ingest

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/nsfl-go/nsfl/passage"
)

// blocks returns the author's own text: the plain text or, without one, the HTML parts.
func (p *parts) blocks(b *budget) []passage.Block {
	if text := strings.Join(p.plain, "\n\n"); strings.TrimSpace(text) != "" {
		return b.blocks(ownWords(text))
	}
	var blocks []passage.Block
	for _, page := range p.pages {
		blocks = append(blocks, ownBlocks(b, page)...)
	}
	return blocks
}

// ownWords removes quotations and the signature, unless nothing else is left.
func ownWords(text string) string {
	var kept []string
	for line := range passage.Lines(text) {
		if line == "-- " || line == "--" || strings.HasPrefix(line, "-----Original Message-----") {
			break
		}
		if strings.HasPrefix(line, ">") {
			kept = withoutIntroduction(kept)
			continue
		}
		kept = append(kept, line)
	}
	if own := strings.Join(kept, "\n"); strings.TrimSpace(own) != "" {
		return own
	}
	return strings.ReplaceAll(text, "\n>", "\n")
}

// withoutIntroduction removes "On Monday somebody wrote:", which spans one or two lines.
func withoutIntroduction(lines []string) []string {
	const mostBlank = 3
	n := len(lines)
	for n > 0 && len(lines)-n < mostBlank && strings.TrimSpace(lines[n-1]) == "" {
		n--
	}
	if n == 0 || !strings.HasSuffix(strings.TrimSpace(lines[n-1]), ":") {
		return lines
	}
	n--
	if n > 0 && strings.TrimSpace(lines[n-1]) != "" && (n == 1 || strings.TrimSpace(lines[n-2]) == "") {
		n--
	}
	return lines[:n]
}

// ownBlocks is ownWords for a page.
func ownBlocks(b *budget, page string) []passage.Block {
	root, err := b.page([]byte(page))
	if err != nil {
		return nil
	}
	var quotes []*html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Blockquote && attribute(n, "type") == "cite" || strings.Contains(attribute(n, "class"), "gmail_quote") ||
			attribute(n, "class") == "moz-cite-prefix" {
			quotes = append(quotes, n)
		}
	}
	all := blocksOf(b, root)
	for _, n := range quotes {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	if own := blocksOf(b, root); len(own) > 0 {
		return own
	}
	return all
}
