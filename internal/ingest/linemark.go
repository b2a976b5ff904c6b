package ingest

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

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
