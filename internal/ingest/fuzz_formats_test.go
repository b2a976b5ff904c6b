package ingest

import (
	"archive/zip"
	"bytes"
	"testing"
)

// zipped is a ZIP file of a part and others.
func zipped(t testing.TB, part, content string, others map[string]string) []byte {
	t.Helper()
	files := map[string]string{part: content}
	for name, text := range others {
		files[name] = text
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fuzzPacked makes ZIP files that have one part of the bytes, and others as they are.
func fuzzPacked(f *testing.F, name, part string, others map[string]string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	fuzzAs(f, name, func(t testing.TB, content []byte) []byte { return zipped(t, part, string(content), others) })
}

func FuzzPDF(f *testing.F) {
	fuzzFormat(f, "x.pdf", "%PDF-1.4\n1 0 obj<</Type/Page/Contents 2 0 R/Resources<</Font<</F<</Subtype/Type1>>>>>>>>endobj 2 0 obj<<>>stream\nBT /F 12 Tf (x) Tj ET\nendstream",
		"%PDF-\ntrailer<</Encrypt 1 0 R>>")
}

func FuzzArchive(f *testing.F) { fuzzFormat(f, "x.epub", "PK\x03\x04", "\xD0\xCF\x11\xE0") }

func FuzzDOCX(f *testing.F) {
	fuzzPacked(f, "x.docx", "word/document.xml", nil,
		`<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>T</w:t><w:tab/></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:t>c</w:t></w:p></w:tc></w:tr></w:tbl>`,
		`</w:tbl></w:p><w:del><w:t>x`, `<w:p><w:numPr><w:ilvl w:val="-3"/><w:numId w:val="1"/></w:numPr><w:t>&a;`)
}

func FuzzODT(f *testing.F) {
	fuzzPacked(f, "x.odt", "content.xml", nil,
		`<text:h text:outline-level="9">H</text:h><text:list><text:list-item><text:p>i<text:note><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p></text:list-item></text:list>`,
		`</text:list></text:note><table:table><table:table-row><table:table-cell><text:p>x`)
}

func FuzzEPUB(f *testing.F) {
	fuzzPacked(f, "x.epub", "p.opf", map[string]string{
		"META-INF/container.xml": `<rootfile full-path="p.opf"/>`, "a.xhtml": "<title>A</title><p>x",
	}, `<dc:title>T</dc:title><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/><itemref idref="a"/>`,
		`<item href="%zz" media-type="html"/><itemref/>`)
}

func FuzzOrg(f *testing.F) {
	fuzzFormat(f, "x.org", "#+begin_src\n x", "* TODO [#A] h :t:\n:A:\n:END:", "- [ ] a\n | b |\n|-|", "*b/ /i* [[a][b]] [fn:1] x", "#+title: t\n#+begin_quote\nq")
}

func FuzzRST(f *testing.F) {
	fuzzFormat(f, "x.rst", "=\n=\n=", "a\n--\n::\n\n  x", ".. a::\n  :b:\n\n  c", ".. [1] n\n__ x", "== ==\na  b\n== ==", "``a`` :r:`b <c>` *d*", "| l\n+--+\n| g |")
}

func FuzzLaTeX(f *testing.F) {
	fuzzFormat(f, "x.tex", `\begin{verbatim}x`, `\section[a]{b\section{c}}`, `\item[`, `\'\i \"{o}\c`, `$$a$ \[ \verb|x`,
		`\begin{tabular}{l}a&b\\\end{tabular}`, `\title{\title{\title{x}}}\author`, `\hypersetup{x`, "a%b\n%\n\n\\")
}

func FuzzRoff(f *testing.F) {
	fuzzFormat(f, "x.1", ".TH A 1\n.SH NAME\na \\- b\n.SH B\n.nf\nx\\", ".Dd x\n.Sh NAME\n.Nm\n.Nd\n.Op Xr a\n.It Fn", ".TH\n.TH x\n.SH \"\n.if n .if n .el \\{\n\\(", ".TH a\n.SH b\n\\f(\\s+\\h'\\*[")
}

func FuzzMail(f *testing.F) {
	fuzzFormat(f, "x.eml", "Subject: =?x?q?=?=\n\n", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\n--x\nContent-Type: message/rfc822\n\na:b\n\nc",
		"A: b\nContent-Transfer-Encoding: base64\n\n%%", "A: b\nContent-Type: text/plain; charset=utf-16\n\nx\n> y\n-- ")
}

func FuzzMbox(f *testing.F) {
	fuzzFormat(f, "x.mbox", "From \nA: b\n\n>>From c\n\nFrom \n\n", "From x\nSubject: a\n\n:\n> b")
}

func FuzzNotebook(f *testing.F) {
	fuzzFormat(f, "x.ipynb", `{"cells":[{"cell_type":"code","source":1,"outputs":[{"text":["a",1]}]}]}`,
		`{"worksheets":[{"cells":[{"cell_type":"markdown","source":"# a"}]}]}`, `[]`)
}

func FuzzCode(f *testing.F) {
	fuzzFormat(f, "x.py", "#!a\n'''x", "def f(\n\"\\\n# c\nclass A: 'b'", "#\n#\n\"\"\"")
}

func FuzzCLike(f *testing.F) {
	fuzzFormat(f, "x.rs", "/* a\n */fn x('a, '\\'') // b", "`", "'\n\"", "/*")
}

func FuzzRule(f *testing.F) {
	for _, s := range []string{"a/**", "!/b/", `\ `, "{[", "**/", "/", "[]", "a/[!"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, line string) {
		if r, ok := parseRule(line); ok {
			g := &ignore{place: "/a", rules: []rule{r}}
			g.match("/a/b/c", true)
		}
	})
}

func FuzzRIS(f *testing.F) {
	fuzzFormat(f, "x.ris", "TY  - JOUR\nTI  - a\n b\nDO  - 10.1/x\nER  - \n", "ER  -\nTY  -\nN1  - included: 1", "TI  - x\nTY  - ")
}

func FuzzNbib(f *testing.F) {
	fuzzFormat(f, "x.nbib", "PMID- 1\nTI  - a\n      b\nLID - 10.1/x [doi]\n\nPMID- 2\n", "AB  - \nPMID- ", "PMID- 1\nDP  - 99999")
}

func FuzzBibTeX(f *testing.F) {
	fuzzFormat(f, "x.bib", "@article{k, title={A {B}}, author = \"C and D\", year=1999}", "@string(a = {b})@misc{", "@a{b,c={\\\"{o}},d=\"}\",}", "@comment{@@")
}
