package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/nsfl-go/nsfl/passage"
)

var markdownParser = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(rawHTML{}, 1), util.Prioritized(lineMarks{}, 1))),
	goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(lineMarks{}, 1))),
)

// readMarkdown converts Markdown to HTML, which it may contain anyway. The title comes from
// the front matter, else from the first main heading, else from a heading at the start of the
// text.
func readMarkdown(b *budget, content []byte) (draft, error) {
	metadata, body := frontMatter(string(content))
	blocks, err := markdownBlocks(b, body)
	if err != nil {
		return draft{}, err
	}
	title := ""
	switch t := metadata["title"].(type) {
	case string:
		title = t
	case json.Number: // 1984
		title = t.String()
	}
	delete(metadata, "title")
	before := strings.Count(string(content[:len(content)-len(body)]), "\n")
	for i := range blocks {
		if blocks[i].Line > 0 {
			blocks[i].Line += before
		}
	}
	d := withoutTitle(passage.OneLine(title), blocks, false)
	d.metadata = metadata
	return d, nil
}

func markdownBlocks(b *budget, body string) ([]passage.Block, error) {
	if err := checkMarkdown(b, body); err != nil {
		return nil, err
	}
	var page bytes.Buffer
	if err := markdownParser.Convert([]byte(body), &page); err != nil {
		return nil, unusable(Malformed, "it cannot be parsed: %v", err)
	}
	root, err := b.page(page.Bytes())
	if err != nil {
		return nil, err
	}
	return blocksOf(b, root), b.err
}

// checkMarkdown charges the cost of parsing a text to the budget in advance, because the
// parser cannot be stopped. The parser's memory grows with lines and marks, and with table
// cells, since it adds the cells missing from a row. Its time grows with the square of the
// brackets in a block, and of nested quotes and lists.
func checkMarkdown(b *budget, body string) error {
	const deepest = 200
	number, lines, brackets, links, bars := 0, 0, 0, 0, 0 // all but the first are per block
	for line := range passage.Lines(body) {
		number++
		if len(line) > deepest && nesting(line) > deepest {
			return unusable(Malformed, "line %d has more than %d quotes or lists within each other", number, deepest)
		}
		if trimmed := strings.TrimLeft(line, " \t"); trimmed == "" || strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "* ") {
			lines, brackets, links, bars = 0, 0, 0, 0
		}
		before := lines*bars*4 + brackets*brackets/1000 + links*links/100
		lines, bars = lines+1, max(bars, strings.Count(line, "|"))
		brackets += strings.Count(line, "[")
		links += strings.Count(line, "](")
		marks := 0
		for i := range len(line) {
			if strings.IndexByte("*_`~<&!\\|[]", line[i]) >= 0 {
				marks++
			}
		}
		if !b.spend(2+marks+lines*bars*4+brackets*brackets/1000+links*links/100-before, 0) {
			return b.err
		}
	}
	return nil
}

// nesting counts the quote and list markers at the start of a line.
func nesting(line string) int {
	n := 0
	for {
		line = strings.TrimLeft(line, " \t")
		rest := strings.TrimLeft(line, "0123456789")
		switch {
		case strings.HasPrefix(line, ">"):
			rest = line[1:]
		case rest == "" || !strings.ContainsAny(rest[:1], "-+*.)") || !strings.HasPrefix(rest[1:], " "):
			return n
		default:
			rest = rest[1:]
		}
		line = rest
		n++
	}
}

// rawHTML passes through HTML in Markdown, except for unclosed elements that would drop all
// following text. Their tags become text, as intended by people who write about the <script>
// tag.
type rawHTML struct{}

func (rawHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, err := w.Write(escapeSwallowing(n.(*ast.RawHTML).Segments.Value(source)))
			return ast.WalkSkipChildren, err
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.HTMLBlock)
		content := block.Lines().Value(source)
		if block.HasClosure() {
			content = append(content, block.ClosureLine.Value(source)...)
		}
		_, err := w.Write(escapeSwallowing(content))
		return ast.WalkContinue, err
	})
}

var swallowing = regexp.MustCompile(`(?i)<(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript|plaintext|` +
	`template|select|datalist|button|svg|math|canvas|object|video|audio|map|nav|footer|frameset)\b`)

// escapeSwallowing escapes tags that are not closed within content.
func escapeSwallowing(content []byte) []byte {
	var lower []byte
	closed := map[string]bool{}
	return swallowing.ReplaceAllFunc(content, func(tag []byte) []byte {
		if lower == nil {
			lower = bytes.ToLower(content)
		}
		name := strings.ToLower(string(tag[1:]))
		if _, known := closed[name]; !known {
			closed[name] = bytes.Contains(lower, []byte("</"+name))
		}
		if closed[name] {
			return tag
		}
		return append([]byte("&lt;"), tag[1:]...)
	})
}

// lineAttribute is the HTML attribute that holds the Markdown line of the block after it.
const lineAttribute = "data-nsfl-line"

// lineMark precedes a block of Markdown and holds its line.
type lineMark struct {
	ast.BaseBlock
	line int
}

var kindLineMark = ast.NewNodeKind("LineMark")

func (*lineMark) Kind() ast.NodeKind              { return kindLineMark }
func (m *lineMark) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

// lineMarks inserts the marks and renders them as HTML.
type lineMarks struct{}

func (lineMarks) Transform(document *ast.Document, r text.Reader, _ parser.Context) {
	source, at, line := r.Source(), 0, 1
	var mark func(n ast.Node)
	mark = func(n ast.Node) {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if begin := c.Pos(); begin >= at && begin <= len(source) {
				line += bytes.Count(source[at:begin], []byte("\n"))
				at = begin
				n.InsertBefore(n, c, &lineMark{line: line})
			}
			if c.Kind() == ast.KindBlockquote {
				mark(c)
			}
		}
	}
	mark(document)
}

func (lineMarks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindLineMark, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			fmt.Fprintf(w, "<wbr %s=\"%d\">\n", lineAttribute, n.(*lineMark).line)
		}
		return ast.WalkContinue, nil
	})
}
