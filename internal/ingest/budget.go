package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// Limits for reading one document, in any format. Text is counted before white space is
// normalised and repetitions are dropped, so it may exceed the text that a document keeps.
const (
	maxTextBytes = 2 * engine.MaxDocumentBytes
	maxTextParts = 1 << 20 // paragraphs, rows, cells, elements, marks, lines and pages
	maxReadTime  = 10 * time.Second
)

// budget bounds what reading one document produces and how long it takes. Readers spend it
// where they append text, and before they hand text to a parser that cannot be stopped.
type budget struct {
	ctx          context.Context
	bytes, parts int // left
	until        time.Time
	steps        int
	err          error // why reading must stop
}

func newBudget(ctx context.Context, l limits) *budget {
	return &budget{ctx: ctx, bytes: l.text, parts: l.parts, until: time.Now().Add(l.time)}
}

// spend deducts parts and bytes of text from the budget, and reports whether reading may
// continue.
func (b *budget) spend(parts, bytes int) bool {
	b.parts -= parts
	b.bytes -= bytes
	b.steps++
	switch {
	case b.err != nil:
	case b.bytes < 0:
		b.err = unusable(TooLarge, "it has more than %d bytes of text, the most that one document may have; divide it", maxTextBytes)
	case b.parts < 0:
		b.err = unusable(TooLarge, "it has more than %d paragraphs, rows, elements or marks, the most that one document may have; divide it", maxTextParts)
	case b.steps&0xFF == 0 && b.ctx.Err() != nil:
		b.err = b.ctx.Err()
	case b.steps&0xFF == 0 && time.Now().After(b.until):
		b.err = unusable(TooLarge, "reading it takes more than %v; divide it", maxReadTime)
	}
	return b.err == nil
}

// blocks returns passage.Blocks of a text if the budget allows it.
func (b *budget) blocks(text string) []passage.Block { return b.lines(text, passage.Blocks) }

// code returns passage.Code of a text if the budget allows it.
func (b *budget) code(text string) []passage.Block { return b.lines(text, passage.Code) }

func (b *budget) lines(text string, read func(string) []passage.Block) []passage.Block {
	if !b.spend(1+strings.Count(text, "\n")+strings.Count(text, "\r"), len(text)) {
		return nil
	}
	return read(text)
}

// page parses HTML. The parser's memory grows with elements and attributes, and with the
// product of elements and the formatting elements that stay open. So page first reduces the
// HTML to the parts that affect its text, with formatting elements as spans.
func (b *budget) page(content []byte) (*html.Node, error) {
	z := html.NewTokenizer(bytes.NewReader(content))
	z.SetMaxBuf(maxToken)
	var out bytes.Buffer
	code := false // within a script or style
	for kind := z.Next(); kind != html.ErrorToken && b.spend(0, 0); kind = z.Next() {
		switch kind {
		case html.TextToken:
			if text := z.Text(); !code {
				out.WriteString(html.EscapeString(string(text)))
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			if kind != html.EndTagToken {
				b.spend(1, 0)
			}
			name, more := z.TagName()
			tag := atom.Lookup(name)
			code = kind == html.StartTagToken && (tag == atom.Script || tag == atom.Style)
			if formatting[tag] {
				name = []byte("span")
			}
			out.WriteByte('<')
			if kind == html.EndTagToken {
				out.WriteByte('/')
			}
			out.Write(name)
			for more && b.spend(1, 0) {
				var key, value []byte
				if key, value, more = z.TagAttr(); keptAttributes[string(key)] {
					fmt.Fprintf(&out, ` %s="%s"`, key, html.EscapeString(string(value)))
				}
			}
			out.WriteByte('>')
		}
	}
	if err := z.Err(); b.err == nil && err != nil && !errors.Is(err, io.EOF) {
		b.err = unusable(TooLarge, "it has a piece of more than %d bytes without an element", maxToken)
	}
	if b.err != nil {
		return nil, b.err
	}
	root, err := html.Parse(&out)
	if err != nil {
		return nil, unusable(Malformed, "it cannot be parsed: %v", err)
	}
	return root, nil
}

const maxToken = 8 << 20 // bytes of a tag, or of text between two

var (
	// formatting lists the elements that a parser reopens in each following paragraph.
	formatting = setOf(atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small,
		atom.Strike, atom.Strong, atom.Tt, atom.U)
	keptAttributes = setOf("alt", "aria-hidden", "class", "hidden", "href", "id", "role", "style", "type", lineAttribute)
)
