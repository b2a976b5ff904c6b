package ingest

import (
	"fmt"
	"strings"
	"testing"
)

// TestTitles has where the title of a document comes from, and that it leaves the
// text.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ file, content, title, text string }{
		{"x.md", "# One\n\nText.", "One", "Text."},
		{"x.md", "Text.\n\n# One\n\nMore.", "One", "Text.\n\nMore."},
		{"x.md", "## Two\n\n# One", "Two", "One"},
		{"x.md", "Text.\n\n## Two", "x", "Text.\n\nTwo"},
		{"x.md", "Text.", "x", "Text."},
		{"x.md", "---\ntitle: Front\n---\n# One\n\nText.", "Front", "One\n\nText."},
		{"x.md", "---\ntitle: One\n---\n# One\n\nText.", "One", "Text."},
		{"x.md", "---\ntitle: 1984\n---\nText.", "1984", "Text."},
		{"x.md", "# One", "One", ""},
		{"x.md", "Setext\n======\n\n\tcode  here\n", "Setext", "code  here"},
		{"a.b/My notes.md.gz", gzipped(t, "Text."), "My notes", "Text."},
		{"x.html", "<title>One more – Site</title><h1>One more</h1><p>Text.", "One more", "Text."},
		{"x.html", "<title>Site: One more</title><h1>Site</h1><p>Text.", "Site: One more", "Site\n\nText."},
		{"x.html", "<title>Front</title><h1>One</h1><p>Text.", "Front", "One\n\nText."},
		{"x.html", "<h1>One</h1><p>Text.", "One", "Text."},
		{"x.html", "<p>Text.", "x", "Text."},
		{"x.html", "<nav>n</nav><article><h2>A</h2>1</article>x<article>2</article><footer>f</footer>", "A", "1\n\n2"},
		{"x.html", "<main></main><p>Text.", "x", "Text."},
		{"x.html", "<main hidden>No.</main><article aria-hidden=true>No.</article><article>Text.</article>", "x", "Text."},
		{"README", "Text.", "README", "Text."},
	} {
		docs, skips := from(t, Options{}, c.file, c.content)
		if len(docs) != 1 || docs[0].Title != c.title || docs[0].Text != c.text {
			t.Errorf("%+v: %+v, want the title %+v and the text %+v; skips %v", c.content, docs, c.title, c.text, skips)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	for _, c := range []struct{ content, metadata, body string }{
		{"---\na: b\n---\ntext", `{"a":"b"}`, "text"},
		{"---\r\na: b\r\n...\r\ntext", `{"a":"b"}`, "text"},
		{"---\na: 'it''s'\nb: \"x\\ty\"\nc: ~\nd: 1.5e3\ne: 007\nf: yes # no truth value\n---\ntext", `{"a":"it's","b":"x y","d":1.5e3,"e":"007","f":"yes"}`, "text"},
		{"---\ndate: 2024-01-02\nurl: https://example.org/#x\ntime: 10:30\n---\ntext", `{"date":"2024-01-02","time":"10:30","url":"https://example.org/#x"}`, "text"},
		{"---\nl: [a, 2, true, 'b, c']\nm:\n- x\n- 3\nn:\n  - a: b\no: []\n---\ntext", `{"l":["a",2,true,"b, c"],"m":["x",3]}`, "text"},
		{"---\na: |\n  two\n  lines\nb: goes\n  on\n# remark\nc: {x: 1}\nd:\n  e: f\n---\ntext", `{"a":"two lines","b":"goes on"}`, "text"},
		{"---\na: On bees: a year\nb: c\n---\ntext", `{"a":"On bees: a year","b":"c"}`, "text"},
		{"---\na: {{ x }}\nb: 'open\nc: \"d\": e\nf: *g\nh: 1\n---\ntext", `{"c":"\"d\": e","h":1}`, "text"},
		{"---\n---\ntext", ``, "text"},
		{"---\nJust a paragraph.\n---\ntext", ``, "text"},
		{"---\n\ntext", ``, "text"},
		{"---\na: b\n", ``, "a: b"},
	} {
		docs, skips := from(t, Options{}, "x.md", c.content)
		if len(docs) != 1 || string(docs[0].Metadata) != c.metadata || docs[0].Text != c.body {
			t.Errorf("%+v: %+v, want the metadata %s and the text %+v; skips %v", c.content, docs, c.metadata, c.body, skips)
		}
	}
}

// TestHostileFrontMatter: aliases are not followed, and neither depth nor length
// costs more than the bytes that are there.
func TestHostileFrontMatter(t *testing.T) {
	laughs := "a0: &a0 [ha, ha]\n"
	for i := range 40 {
		laughs += fmt.Sprintf("a%d: &a%[1]d [*a%[2]d, *a%[2]d]\n", i+1, i)
	}
	inOne := "a: [&a [ha, ha]" + strings.Repeat(", [*a, *a]", 1000) + "]\n"
	deep := "a: " + strings.Repeat("[", maxFrontMatter/2) + "\n"
	for _, c := range []struct{ header, metadata string }{
		{laughs, `{"a0":["ha","ha"]}`}, {inOne, ""}, {deep, ""}, {"a: " + strings.Repeat("{a: ", 5000) + "\n", ""},
	} {
		docs, skips := from(t, Options{}, "x.md", "---\n"+c.header+"---\ntext")
		if len(docs) != 1 || string(docs[0].Metadata) != c.metadata || docs[0].Text != "text" {
			t.Errorf("%.40q: %.200v, %v", c.header, docs, skips)
		}
	}
	if docs, _ := from(t, Options{}, "x.md", "---\n"+strings.Repeat("a: b\n", maxFrontMatter)+"---\ntext"); len(docs) != 1 || docs[0].Metadata != nil {
		t.Error("long front matter was read")
	}
}

// TestSwallowing: tags that people write about do not take the rest of the text
// with them.
func TestSwallowing(t *testing.T) {
	for content, want := range map[string]string{
		"About the <script> tag.\n\nAnd more.":                  "About the <script> tag.\n\nAnd more.",
		"About <nav> and <textarea rows=2>.\n\nAnd more.":       "About <nav> and <textarea rows=2>.\n\nAnd more.",
		"<div><style>\n\nAnd more.":                             "<style>\n\nAnd more.",
		"Text.\n\n<script>\nvar a;\n\nvar b;\n</script>\n\nEnd": "Text.\n\nEnd",
		"A <b>bold</b> and <!-- hidden --> word<br>here":        "A bold and word here",
	} {
		if docs, skips := from(t, Options{}, "x.md", content); len(docs) != 1 || docs[0].Text != want {
			t.Errorf("%+v: %+v, want %+v; skips %v", content, docs, want, skips)
		}
	}
}

// TestHostileMarkdown: texts that would keep the parser busy for minutes are refused; a rule and
// a list of links of ordinary length are not.
func TestHostileMarkdown(t *testing.T) {
	const n = 1 << 20
	for _, unit := range []string{">", "> ", "- ", "1. ", "10) ", "[a](", "[a](<b", "![a](b \"", "[a](\n", "[[[[\n"} {
		content := "# Title\n\nText.\n" + strings.Repeat(unit, n/len(unit))
		if docs, skips := from(t, Options{}, "x.md", content); len(docs) != 0 || len(skips) != 1 || skips[0].Kind != Malformed && skips[0].Kind != TooLarge {
			t.Errorf("%q: %d documents, %v", unit, len(docs), skips)
		}
	}
	for _, line := range []string{strings.Repeat("-", 1000), strings.Repeat("* ", 60), strings.Repeat("[a](b) ", 900), strings.Repeat("1", 1000)} {
		if docs, skips := from(t, Options{}, "x.md", "Text.\n\n"+line); len(docs) != 1 {
			t.Errorf("%.20q: %v", line, skips)
		}
	}
}
