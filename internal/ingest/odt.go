package ingest

import (
	"strconv"
	"strings"
)

// readODT reads documents of LibreOffice and compatible programs.
func readODT(b *budget, content []byte) (draft, error) {
	a, err := openArchive(b, content)
	if err != nil {
		return draft{}, err
	}
	if a.files["content.xml"] == nil {
		return draft{}, unusable(Malformed, "it has no content.xml; save it again as .odt")
	}
	manifest, err := a.read("META-INF/manifest.xml")
	if err != nil {
		return draft{}, err
	}
	if strings.Contains(string(manifest), "encryption-data") {
		return draft{}, unusable(Unreadable, "it has a password; save it without one")
	}
	about, body := &properties{}, &odt{composer: composer{budget: b}}
	if err := a.readXML("meta.xml", about, nil); err != nil {
		return draft{}, err
	}
	if err := a.readXML("content.xml", body, odtHidden); err != nil {
		return draft{}, err
	}
	return about.draft(body.finish()), nil
}

// odt reads content.xml.
type odt struct {
	composer
	level, item int
	note        strings.Builder
	notes       int // open notes
	paragraphs  int // open paragraphs; only these contain text
}

var odtHidden = map[string]bool{"tracked-changes": true, "annotation": true, "note-citation": true, "sequence-decls": true, "forms": true, "desc": true}

func (o *odt) begin(name string, attribute func(string) string) {
	switch name {
	case "note":
		o.notes++
	case "h":
		level, err := strconv.Atoi(attribute("outline-level"))
		if err != nil {
			level = 1
		}
		o.level = min(max(level, 1), 6)
		o.paragraphs++
	case "p":
		o.paragraphs++
	case "list":
		o.item++
	case "s", "tab", "line-break":
		o.text(" ")
	case "table":
		o.tables++
	}
}

func (o *odt) end(name string) {
	switch name {
	case "note":
		if o.notes--; o.notes <= 0 && o.budget.spend(1, 0) {
			o.composer.notes, o.notes = append(o.composer.notes, o.note.String()), 0
			o.note.Reset()
		}
	case "h", "p":
		if o.paragraphs = max(0, o.paragraphs-1); o.notes > 0 {
			o.note.WriteByte(' ')
			return
		}
		o.paragraph(o.level, o.item)
		o.level = 0
	case "list":
		o.item = max(0, o.item-1)
	case "table-cell":
		o.endCell()
	case "table-row":
		o.endRow()
	case "table":
		o.endTable()
	}
}

func (o *odt) text(s string) {
	switch {
	case o.paragraphs == 0:
	case o.notes == 0:
		o.write(s)
	case o.budget.spend(0, len(s)):
		o.note.WriteString(s)
	}
}
