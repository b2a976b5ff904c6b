package ingest

import (
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// nameSection matches the heading NAME of a formatted manual page, near its beginning, and the
// lines of the section.
var nameSection = regexp.MustCompile(`(?m)^NAME[ \t]*\r?\n((?:[ \t]*\S.*\r?\n?){1,4})`)

// readText reads plain text and manual pages. The title of a manual page is its section NAME.
func readText(b *budget, text []byte) (draft, error) {
	var d draft
	if isRoff(text) {
		d.blocks = readRoff(b, text)
		if len(d.blocks) > 1 && strings.EqualFold(d.blocks[0].Rows[0], "NAME") {
			if d.title = manTitle(d.blocks[1].Rows[0]); d.title != "" {
				d.blocks = d.blocks[2:]
			}
		}
	} else {
		const near = 4000
		if m := nameSection.FindSubmatch(text[:min(near, len(text))]); m != nil {
			d.title = manTitle(string(m[1]))
		}
		d.blocks = b.blocks(string(text))
	}
	if d.title != "" {
		d.metadata = map[string]any{"type": "man"}
	}
	return d, b.err
}

// manTitle returns the line under NAME of a manual page, such as "socket - create an endpoint",
// with only the first of many names, or an empty string if it is another text.
func manTitle(section string) string {
	const most = 200
	title := passage.OneLine(section)
	name, what, ok := strings.Cut(title, " - ")
	if len(title) > most {
		name, _, _ = strings.Cut(name, ",")
		title = name + " - " + what
	}
	if !ok || name == "" || what == "" || len(title) > most {
		return ""
	}
	return title
}
