package ingest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/ingest/pdf"
)

func TestDOCX(t *testing.T) {
	d, err := readDOCX(defaultBudget(), zipped(t, "word/document.xml", `<w:document><w:body>
		<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Wells</w:t></w:r></w:p>
		<w:p><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr><w:r><w:t>Pumps</w:t></w:r></w:p>
		<w:p><w:r><w:t>It lifts </w:t></w:r><w:del><w:r><w:delText>wine</w:delText></w:r></w:del><w:ins><w:r><w:t>water</w:t><w:noBreakHyphen/><w:t>like</w:t></w:r></w:ins><w:footnoteReference w:id="2"/></w:p>
		<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
		<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>two</w:t></w:r></w:p>
		<mc:AlternateContent><mc:Choice><w:p><w:t>box</w:t></w:p></mc:Choice><mc:Fallback><w:p><w:t>box</w:t></w:p></mc:Fallback></mc:AlternateContent>
		<w:tbl><w:tr><w:tc><w:p><w:t>a</w:t></w:p></w:tc><w:tc><w:tbl><w:tr><w:tc><w:p><w:t>b</w:t></w:p></w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>
		</w:body></w:document>`, map[string]string{
		"word/styles.xml":    `<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>`,
		"word/footnotes.xml": `<w:footnote w:id="0"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote>`,
		"docProps/core.xml":  `<dc:creator>A. Writer</dc:creator>`,
	}))
	checkOutline(t, d, err, "Wells\n## Pumps\nIt lifts water-like\n| - one /   - two\nbox\n| a | b\n| 1. A note.")
	if d.metadata["author"] != "A. Writer" {
		t.Error(d.metadata)
	}
}

func TestODT(t *testing.T) {
	d, err := readODT(defaultBudget(), zipped(t, "content.xml", `<office:body><office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
		<text:h text:outline-level="2">Pumps</text:h><text:p>It lifts<text:s/>water.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note> Slowly.</text:p>
		<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list>
		<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>`,
		map[string]string{"meta.xml": `<dc:title>Wells</dc:title>`}))
	checkOutline(t, d, err, "Wells\n## Pumps\nIt lifts water. Slowly.\n| - one /   - two\n| a | b\n| 1. A note.")
}

func TestEPUB(t *testing.T) {
	book := map[string]string{
		"META-INF/container.xml": `<rootfile full-path="in/p.opf"/>`,
		"in/a b.xhtml":           `<title>The pump</title><p>It lifts water.</p>`, "in/2.xhtml": `<h1>The tank</h1><p>It holds it.</p>`, "in/nav.xhtml": `<p>menu</p>`,
	}
	const list = `<dc:title>Wells</dc:title><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
		<item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/><item id="b" href="2.xhtml" media-type="application/xhtml+xml"/>
		<itemref idref="n"/><itemref idref="a"/><itemref idref="b"/>`
	d, err := readEPUB(defaultBudget(), zipped(t, "in/p.opf", list, book))
	checkOutline(t, d, err, "Wells\n# The pump\nIt lifts water.\n# The tank\nIt holds it.")
	book["META-INF/encryption.xml"] = `<CipherReference URI="in/2.xhtml"/>`
	if _, err := readEPUB(defaultBudget(), zipped(t, "in/p.opf", list, book)); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Error(err)
	}
}

// TestPackedRefused: what cannot be read says what to do.
func TestPackedRefused(t *testing.T) {
	locked, err := os.ReadFile("pdf/testdata/locked.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		content []byte
		kind    Kind
		says    string
	}{
		{"a.docx", []byte("text"), Malformed, "save it again"},
		{"a.docx", []byte("\xD0\xCF\x11\xE0"), Unreadable, "password"},
		{"a.docx", zipped(t, "x", "", nil), Malformed, "word/document.xml"},
		{"a.docx", zipped(t, "word/document.xml", strings.Repeat(" ", maxTextBytes+1), nil), TooLarge, "more text"},
		{"a.odt", zipped(t, "content.xml", "<a", map[string]string{"META-INF/manifest.xml": "<manifest:encryption-data>"}), Unreadable, "password"},
		{"a.epub", zipped(t, "x", "", nil), Malformed, "Calibre"},
		{"a.pdf", locked, Unreadable, "qpdf --decrypt"},
		{"a.pdf", []byte("%PDF-1.4"), Malformed, "viewer"},
		{"a.pdf", []byte("%PDF-1.4\n1 0 obj <</Type/Page/Contents 2 0 R>> endobj"), Empty, "OCR"},
	} {
		f, _ := formatOf(c.name, true)
		_, err := f.packed(defaultBudget(), c.content)
		var u *unreadable
		if !errors.As(err, &u) || u.kind != c.kind || !strings.Contains(u.reason, c.says) {
			t.Errorf("%s %.20q: got %v, want %v with %q", c.name, c.content, err, c.kind, c.says)
		}
	}
}

func TestParagraphs(t *testing.T) {
	line := func(text string, left, right, y float64) pdf.Line {
		return pdf.Line{Text: text, Left: left, Right: right, Y: y, Size: 10}
	}
	var pages []pdf.Page
	for i, lines := range [][]pdf.Line{
		{{Text: "Wells", Left: 72, Right: 120, Y: 700, Size: 18}, line("The pump stands in the cel-", 72, 500, 660), line("lar of a well-known house and", 72, 500, 648),
			line("is well-", 72, 500, 636), line("known too.", 72, 120, 624), line("A second one begins here, since the", 82, 500, 612), line("line before is short", 72, 300, 600)},
		{line("and goes on.", 72, 500, 700), line("• one", 72, 100, 680), line("• two", 72, 100, 668)},
		{line("Third.", 72, 500, 700)},
		{line("Fourth.", 72, 500, 700)},
	} {
		head := line("Chapter 1", 72, 120, 760)
		foot := line(strings.Repeat("i", i+1)+" of 10", 300, 320, 40)
		pages = append(pages, pdf.Page{Lines: append(append([]pdf.Line{head}, lines...), foot)})
	}
	removeRunning(pages)
	for i := range pages { // a page number in letters is no number: it stays
		pages[i].Lines = pages[i].Lines[:len(pages[i].Lines)-1]
	}
	set := newTypesetting(pages)
	for i, p := range pages {
		set.page(p, i+1)
	}
	set.flush()
	want := `p1 # Wells
p1 The pump stands in the cellar of a well-known house and is well-known too.
p1 A second one begins here, since the line before is short and goes on.
p2 | • one / • two
p3 Third.
p4 Fourth.
`
	if got := outline(set.blocks); got != want {
		t.Errorf("it is\n%swanted is\n%s", got, want)
	}
}
