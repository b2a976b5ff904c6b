package ingest

import (
	"testing"
)

const longText = "The pump lifts water from the well to the tank on the roof, where a float shuts it off. " +
	"Clean the filter twice a year, and check the valve whenever the pressure falls."

func TestContent(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"banners, menus and steps around a text",
			`<title>Pumps</title><body><div id=banner><a href=/get>Download the ebook</a></div>
			<p id=title><a href=/><img alt="Product Site"></a> <a href=/doc><img alt="Documentation Site"></a></p>
			<ul class="docnav top"><li><a href=a>Prev</a></li><li>The Handbook</li><li><a href=b>Next</a></li></ul>
			<div class=section><h2>Care<a href="#care">¶</a></h2><div class=para>` + longText + `</div></div>
			<ul class=docnav><li><a href=a>Prev</a></li><li><a href=b>Next</a></li></ul>`,
			"Pumps\n## Care\n" + longText},
		{"cookies, crumbs, shares and what is related",
			`<title>Pumps</title><div class="cookie-consent">We value your privacy. Accept all?</div>
			<div class="breadcrumbs"><a href=/>Home</a> › <a href=/p>Pumps</a></div>
			<p>` + longText + `</p><div class="social-share">Share this: <a href=x>by mail</a></div>
			<h3>Related articles</h3><ul><li><a href=1>Ten wells</a></li><li><a href=2>Tanks</a></li></ul>
			<div class="site-footer">© The Pump Company</div>`,
			"Pumps\n" + longText},
		{"names in a text are not those of a site",
			`<title>HTTP</title><section id=cookies><h2>Cookies</h2><p>A cookie is kept.</p></section>
			<dl><dt id=share>share<dd>who else reads it</dl><div class=sidebar>A box beside the text.</div><p>` + longText,
			"HTTP\n## Cookies\nA cookie is kept.\nshare\nwho else reads it\nA box beside the text.\n" + longText},
		{"an index is made of links",
			`<title>Contents</title><h1>Contents</h1><div class=toc><ul><li><a href=1>Wells and pumps</a><li><a href=2>Tanks</a></ul></div>`,
			"Contents\n| - Wells and pumps / - Tanks"},
		{"a main part that is small is not all there is",
			`<title>Pumps</title><main>Welcome.</main><div><p>` + longText + `</p></div>`,
			"Pumps\nWelcome.\n" + longText},
		{"a link at the end of a sentence stays",
			`<title>Pumps</title><p>` + longText + `</p><p>Read about <a href=x>wells and tanks and everything else there is</a></p>`,
			"Pumps\n" + longText + "\nRead about wells and tanks and everything else there is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := readPage(defaultBudget(), []byte(c.page))
			checkOutline(t, d, err, c.want)
		})
	}
}

func TestMarkdownLines(t *testing.T) {
	d, err := readMarkdown(defaultBudget(), []byte("---\ntitle: Notes\n---\n\n# First\n\nSome\ntext.\n\n- a\n- b\n\n> quoted\n>\n> more\n\n```go\nx := 1\n```\n\n<p>Raw</p>\n\n| a |\n|---|\n| b |\n\nEnd\n===\n"))
	checkOutline(t, d, err, `Notes
5 # First
7 Some text.
10 | - a / - b
13 quoted
15 more
17 | x := 1
21 Raw
23 | a / b
27 # End`)
}

func TestTextLines(t *testing.T) {
	d, err := readText(defaultBudget(), []byte("One\r\ntwo.\r\n\r\n\r\nThree:\r\n- four\r\n  five\r\n"))
	checkOutline(t, d, err, "\n1 One two.\n5 Three:\n6 | - four five")
}
