package ingest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var hostileBytes = flag.Int("hostile.bytes", 1<<17, "size of the hostile files; the most that is read is 32 MiB")

// hostileFiles are what would take much memory or time, by file name. n is the size of
// those that need one.
func hostileFiles(t *testing.T, n int) map[string][]byte {
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
	shown := "BT /F 9 Tf " + strings.Repeat("<"+strings.Repeat("0001", 1000)+"> Tj ", 2000)
	long := strings.Repeat("0041", 200_000)
	fill := func(unit string) string { return strings.Repeat(unit, n/len(unit)) }
	return map[string]string{
		"bfchar":      file(shown, mapped, stream("1 beginbfchar <0001> <"+long+"> endbfchar")),
		"bfrange":     file(shown, mapped, stream("1 beginbfrange <0000> <FFFF> <"+long+"> endbfrange")),
		"bfrange-512": file(shown, mapped, stream(strings.Repeat("1 beginbfrange <0000> <FFFF> <"+strings.Repeat("0041", 250)+"> endbfrange ", 1000))),
		"operands":    file(fill("1 "), plain),
		"arrays":      file(fill("[]"), plain),
		"array":       file("["+fill("[]")+"]", plain),
		"dictionary":  file("<<"+fill("/A[]")+">>", plain),
		"marks":       file(fill("/A BMC ")+"BT /F 9 Tf "+strings.Repeat("(a)Tj ", 10_000), plain),
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

// TestHostile reads a folder of hostile files in a process of its own, and compares the
// memory that each took with a limit. It ends: no file takes much more than the time of a
// budget.
func TestHostile(t *testing.T) {
	if dir := os.Getenv("NSFL_TEST_HOSTILE"); dir != "" {
		readHostile(t, dir)
		return
	}
	const mostMemory = 600 << 20
	dir := t.TempDir()
	files := hostileFiles(t, *hostileBytes)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	child := exec.Command(os.Args[0], "-test.run=^TestHostile$", "-test.timeout=1h")
	child.Env = append(os.Environ(), "NSFL_TEST_HOSTILE="+dir)
	out, err := child.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var highest int64
	var slowest time.Duration
	read := 0
	for line := range strings.Lines(string(out)) {
		var name string
		var memory, nanoseconds int64
		if _, err := fmt.Sscan(line, &name, &memory, &nanoseconds); err != nil {
			continue // it is of package testing
		}
		took := time.Duration(nanoseconds)
		read++
		t.Logf("%9d bytes %5d MiB %8v %s", len(files[name]), memory>>20, took.Round(time.Millisecond), strings.TrimSpace(line))
		if highest, slowest = max(highest, memory), max(slowest, took); memory > mostMemory {
			t.Errorf("reading %s took %d MiB, want at most %d MiB", name, memory>>20, mostMemory>>20)
		}
	}
	if t.Logf("%d files, at most %d MiB and %v", read, highest>>20, slowest); read != len(files) {
		t.Errorf("%d files were read, want %d", read, len(files))
	}
}

// readHostile reads files and prints the memory and the time that each took.
func readHostile(t *testing.T, dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew
			t.Fatal(err)
		}
		documents, skips := 0, []Skip{}
		run, err := New(Options{Skip: func(s Skip) {
			if len(skips) < 2 {
				skips = append(skips, s)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for source, err := range run.Sources(context.Background(), file) {
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range run.Documents(context.Background(), source) {
				if err != nil {
					t.Fatal(err)
				}
				documents++
			}
		}
		took := time.Since(began)
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		var kilobytes int64
		if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
			t.Fatal(err)
		}
		fmt.Println(filepath.Base(file), kilobytes<<10, took.Nanoseconds(), documents, "documents,", strings.ReplaceAll(fmt.Sprintf("%.150v", skips), "\n", " "))
	}
}
