package ingest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// hostileFiles returns files that are made to take much memory or time, by name. n is the size of
// those that need one.
func hostileFiles(t testing.TB, n int) map[string][]byte {
	files := map[string][]byte{}
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)) }
	for name, unit := range map[string]string{
		"lines": "\n", "paragraphs": "a\n\n", "items": "- a\n", "letters": "a", "words": "a ", "spaces": " ", "quotes": `"`, "commas": ",",
	} {
		for _, ending := range []string{"txt", "md", "html", "org", "rst", "tex", "py", "go", "csv", "tsv", "jsonl", "mbox"} {
			content := fill(unit)
			if strings.Contains("csv tsv jsonl mbox", ending) { // rows are streamed, and take as long as there are rows
				content = content[:min(len(content), 4<<20)]
			}
			files[name+"."+ending] = []byte(content)
		}
	}
	for name, unit := range map[string]string{
		"brackets.md": "[", "links.md": "[a](", "lines-of-links.md": "[a](b\n", "stars.md": "*a ", "stars-2.md": "**a *a ", "ticks.md": "`a ``b ",
		"tags.md": "<a ", "comments.md": "<!--", "definitions.md": "[a]: b\n", "quotes.md": "> ", "fences.md": "```\n", "bars.md": "|", "rows.md": "|a|b|\n|-|-|\n",
		"elements.html": "<a>", "spans.html": "<b id=1>", "open.html": "<div>", "lists.html": "<ul><li>", "tables.html": "<table><tr><td>",
		"entities.html": "&amp;", "comment.html": "<!--", "scripts.html": "<script></script>", "rows.html": "<tr><td>a",
		"items.tex": `\item[`, "braces.tex": "{", "commands.tex": `\section[`, "links.org": "[[a][", "stars.org": "*a ", "roles.rst": ":a:`", "rules.rst": "a\n---\n",
		"strings.go": `""`, "comments.go": "//\n", "blocks.go": "/**/", "names.py": "aB_c ", "strings.py": `"""a"""`, "declared.py": "def a(\n",
		"objects.jsonl": "{}\n", "list.json": "[", "numbers.json": "[1,", "parts.mbox": "From a\n\n", "fields.tsv": "\t",
	} {
		files[name] = []byte(fill(unit))
	}
	var formatting strings.Builder
	for i := range 500 {
		fmt.Fprintf(&formatting, "<b id=%d>", i)
	}
	files["formatting.html"] = []byte("<p>" + formatting.String() + fill("<p>x"))
	files["attributes.html"] = []byte("<a" + fill(" a") + ">")
	files["attributes-in-style.html"] = []byte("<script><a x=\"</script><svg><style><b" + fill(" a") + ">")
	files["nested-lists.html"] = []byte(strings.Repeat("<ul><li>", 120) + fill("word "))
	files["nested-links.html"] = []byte(strings.Repeat("<table><tr><td><a href=#>", 60) + fill("word "))
	files["wide.md"] = []byte("|" + strings.Repeat("a|", 3000) + "\n|" + strings.Repeat("-|", 3000) + "\n" + fill("|\n"))
	files["columns.csv"] = []byte("text" + fill(",a") + "\n")
	files["fields.csv"] = []byte("id,text\n" + fill(","))
	files["quoted.csv"] = []byte("id,text\n1,\"" + fill("a\n"))
	files["ids.csv"] = []byte("id,text\n" + fill("1,\n")[:min(n/3*3, 3<<20)])
	files["keys.json"] = []byte("[{\"text\":\"a\"" + fill(`,"a":1`) + "}]")
	files["keys.jsonl"] = []byte("{\"text\":\"a\"" + fill(`,"a":1`) + "}")
	files["passages.jsonl"] = []byte(`{"passages":[""` + fill(`,""`) + "]}")
	files["metadata.jsonl"] = []byte(`{"text":"a","b":[1` + fill(`,1`) + "]}")
	files["deep.jsonl"] = []byte(`{"text":"a","b":` + fill("[") + "}")
	files["cells.ipynb"] = []byte(`{"cells":[{}` + fill(`,{}`) + "]}")
	files["nulls.ipynb"] = []byte(`{"cells":[null` + fill(`,null`) + "]}")
	files["sources.ipynb"] = []byte(`{"cells":[{"cell_type":"code","source":[""` + fill(`,""`) + "]}]}")
	files["headers.eml"] = []byte(fill("a:\n"))
	files["lines.eml"] = []byte("Subject: a\n\n" + fill("\n>"))
	files["words.eml"] = []byte("Subject: " + strings.Repeat("=?x?q?", n/10) + "\n\na")
	files["parts.eml"] = []byte("Content-Type: multipart/mixed; boundary=x\n\n" + fill("--x\n\n"))
	files["names.eml"] = []byte("Content-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\nContent-Disposition: attachment; filename="+strings.Repeat("a", 10_000)+"\n\n", n/10_100))
	files["page.eml"] = []byte("Subject: a\nContent-Type: text/html\n\n" + fill("<a>"))
	for name, unit := range map[string]string{
		"paragraphs": "<w:p><w:t>a</w:t></w:p>", "cells": "<w:tbl><w:tr><w:tc></w:tc>", "tabs": "<w:p><w:tab/>", "open": "<w:p>", "letters": "<w:t>a", "deleted": "<w:del>",
	} {
		files[name+".docx"] = zipped(t, "word/document.xml", fill(unit), nil)
	}
	files["attributes.docx"] = zipped(t, "word/document.xml", "<a"+fill(` a=""`)+">", nil)
	files["bare.docx"] = zipped(t, "word/document.xml", "<a"+fill(` a`)+">", nil)
	files["styles.docx"] = zipped(t, "word/document.xml", "", map[string]string{"word/styles.xml": fill(`<style styleId="a"><numPr/>`)})
	files["notes.docx"] = zipped(t, "word/document.xml", "", map[string]string{"word/footnotes.xml": fill(`<t>a</t><p></p></footnote>`)})
	files["paragraphs.odt"] = zipped(t, "content.xml", fill("<text:p>a</text:p>"), nil)
	files["notes.odt"] = zipped(t, "content.xml", fill("<text:p><text:note>a</text:note>"), nil)
	files["cells.odt"] = zipped(t, "content.xml", "<table:table>"+fill("<table:table-cell></table:table-cell>"), nil)
	container := `<rootfile full-path="p.opf"/>`
	item := `<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>`
	files["spine.epub"] = zipped(t, "p.opf", item+fill(`<itemref idref="a"/>`), map[string]string{"META-INF/container.xml": container, "a.xhtml": "<p>a"})
	files["locked.epub"] = zipped(t, "p.opf", item+fill(`<itemref idref="a"/>`), map[string]string{
		"META-INF/container.xml": container, "a.xhtml": "<p>a", "META-INF/encryption.xml": strings.Repeat("a", n/2)})
	files["page.epub"] = zipped(t, "p.opf", item+`<itemref idref="a"/>`, map[string]string{"META-INF/container.xml": container, "a.xhtml": fill("<p>a")})
	for name, content := range hostilePDFs(n) {
		files[name+".pdf"] = []byte(content)
	}
	for _, name := range []string{"lines.txt", "words.txt", "ids.csv", "objects.jsonl", "brackets.md"} {
		files[name+".gz"] = []byte(gzipped(t, string(files[name])))
	}
	return files
}

// hostilePDFs are files with one page. Some have a few kilobytes whatever n is.
func hostilePDFs(n int) map[string]string {
	file := func(contents, font string, others ...string) string {
		var b strings.Builder
		b.WriteString("%PDF-1.4\ntrailer<</Root 1 0 R>>\n")
		for i, object := range append([]string{"<</Pages 2 0 R>>", "<</Kids[3 0 R]>>",
			"<</Type/Page/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>",
			"<<>>stream\n" + contents + "\nendstream", font}, others...) {
			fmt.Fprintf(&b, "%d 0 obj%s endobj\n", i+1, object)
		}
		return b.String()
	}
	stream := func(s string) string { return "<</Subtype/Form>>stream\n" + s + "\nendstream" }
	const mapped, plain = "<</Subtype/Type0/ToUnicode 6 0 R>>", "<</Subtype/Type1/BaseFont/Helvetica>>"
	shown := "BT /F 9 Tf " + strings.Repeat("<"+strings.Repeat("0001", 1000)+"> Tj ", min(2000, n/50))
	long := strings.Repeat("0041", min(200_000, n))
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)) }
	return map[string]string{
		"bfchar":      file(shown, mapped, stream("1 beginbfchar <0001> <"+long+"> endbfchar")),
		"bfrange":     file(shown, mapped, stream("1 beginbfrange <0000> <FFFF> <"+long+"> endbfrange")),
		"bfrange-512": file(shown, mapped, stream(strings.Repeat("1 beginbfrange <0000> <FFFF> <"+strings.Repeat("0041", 250)+"> endbfrange ", min(1000, n/50)))),
		"operands":    file(fill("1 "), plain),
		"arrays":      file(fill("[]"), plain),
		"array":       file("["+fill("[]")+"]", plain),
		"dictionary":  file("<<"+fill("/A[]")+">>", plain),
		"marks":       file(fill("/A BMC ")+"BT /F 9 Tf "+strings.Repeat("(a)Tj ", min(10_000, n)), plain),
		"pieces":      file("BT /F 9 Tf "+fill("(a)Tj "), plain),
		"lines":       file("BT /F 9 Tf "+fill("(a)Tj T* 9 TL "), plain),
		"row":         file("BT /F 9 Tf "+strings.Repeat("1 0 0 1 9 9 Tm (a)Tj 1 0 0 1 5 9 Tm (b)Tj 1 0 0 1 5 99 Tm (c)Tj ", n/70), plain),
		"string":      file("BT /F 9 Tf ("+fill("a")+")Tj", plain),
		"silent":      file("BT /F 9 Tf ("+fill("\x01")+")Tj", plain),
		"widths":      file("BT /F 9 Tf (a)Tj", "<</Subtype/Type1/Widths["+fill("1 ")+"]>>"),
		"forms":       file(strings.Repeat("/X Do ", 1000), plain, stream(strings.Repeat("/X Do ", 1000))),
		"objects":     "%PDF-1.4\n" + fill("1 0 obj<</XRef "),
		"packed":      "%PDF-1.4\n" + fill("1 0 obj/ObjStm "),
		"numbered": "%PDF-1.4\n" + func() string {
			var b bytes.Buffer
			for i := 0; b.Len() < n; i++ {
				fmt.Fprintf(&b, "%d 0 obj<</Type/Page>>", i)
			}
			return b.String()
		}(),
		"kids":  file("", plain) + "2 0 obj<</Kids[" + fill("<<>>") + "]>>endobj",
		"pages": file(fill("1 "), plain) + "2 0 obj<</Kids[" + strings.Repeat("<</Contents 4 0 R>>", n/2000) + "]>>endobj",
		"title": file("", plain) + "trailer<</Info<</Title(" + fill("a") + ")>>>>",
	}
}
