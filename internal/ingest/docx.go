package ingest

import (
	"cmp"
	"strconv"
	"strings"
)

// readDOCX reads documents of Word and compatible programs.
func readDOCX(b *budget, content []byte) (draft, error) {
	a, err := openArchive(b, content)
	if err != nil {
		return draft{}, err
	}
	if a.files["word/document.xml"] == nil {
		return draft{}, unusable(Malformed, "it has no word/document.xml; save it again as .docx")
	}
	about, styles, notes := &properties{}, &docxStyles{levels: map[string]int{}, lists: map[string]bool{}}, &docx{composer: composer{budget: b}}
	body := &docx{composer: composer{budget: b}, styles: styles}
	for _, part := range []struct {
		name string
		into xmlReader
	}{
		{"docProps/core.xml", about}, {"word/styles.xml", styles}, {"word/document.xml", body},
		{"word/footnotes.xml", notes}, {"word/endnotes.xml", notes},
	} {
		if err := a.readXML(part.name, part.into, docxHidden); err != nil {
			return draft{}, err
		}
	}
	body.notes = notes.notes
	about.title = cmp.Or(about.title, body.title)
	return about.draft(body.finish()), nil
}

// docxStyles finds the styles of headings and lists.
type docxStyles struct {
	levels map[string]int
	lists  map[string]bool
	now    string
}

func (s *docxStyles) begin(name string, attribute func(string) string) {
	switch name {
	case "style":
		s.now = attribute("styleId")
	case "name":
		// Style ids may be translated; the names of heading styles are not.
		if n, ok := strings.CutPrefix(strings.ToLower(attribute("val")), "heading "); ok && s.now != "" {
			s.setLevel(n, 0)
		}
	case "outlineLvl":
		s.setLevel(attribute("val"), 1)
	case "numPr":
		s.lists[s.now] = true
	}
}

func (s *docxStyles) setLevel(n string, add int) {
	if level, err := strconv.Atoi(n); err == nil && level+add >= 1 && level+add <= 6 {
		s.levels[s.now] = level + add
	}
}

func (s *docxStyles) end(name string) {
	if name == "style" {
		s.now = ""
	}
}

func (*docxStyles) text(string) {}

// docx reads word/document.xml and the notes, which have the same syntax.
type docx struct {
	composer
	styles *docxStyles
	title  string

	level, item int
	isTitle     bool
	inText      bool
}

// docxHidden lists elements with deleted text, and fallbacks for older programs.
var docxHidden = map[string]bool{"del": true, "moveFrom": true, "Fallback": true, "instrText": true}

func (d *docx) begin(name string, attribute func(string) string) {
	switch name {
	case "p":
		d.level, d.item, d.isTitle = 0, 0, false
	case "pStyle":
		style := attribute("val")
		d.isTitle = strings.EqualFold(style, "Title")
		if d.styles != nil {
			d.level = d.styles.levels[style]
			if d.styles.lists[style] && d.level == 0 {
				d.item = 1
			}
		}
	case "outlineLvl":
		if n, err := strconv.Atoi(attribute("val")); err == nil && n < 6 {
			d.level = n + 1
		}
	case "ilvl":
		if n, err := strconv.Atoi(attribute("val")); err == nil && n >= 0 {
			d.item = n + 1
		}
	case "numId":
		if d.item == 0 && attribute("val") != "0" {
			d.item = 1
		} else if attribute("val") == "0" {
			d.item = 0
		}
	case "t":
		d.inText = true
	case "tab", "br", "cr":
		d.write(" ")
	case "noBreakHyphen":
		d.write("-")
	case "tbl":
		d.tables++
	}
}

func (d *docx) end(name string) {
	switch name {
	case "t":
		d.inText = false
	case "p":
		if d.isTitle && d.title == "" && d.level == 0 {
			d.title, d.level = d.inline.String(), 1
		}
		d.paragraph(d.level, d.item)
	case "tc":
		d.endCell()
	case "tr":
		d.endRow()
	case "tbl":
		d.endTable()
	case "footnote", "endnote":
		var words []string
		for _, b := range d.blocks {
			words = append(words, b.Rows...)
		}
		if d.blocks = nil; words != nil { // the first two notes are separators
			d.notes = append(d.notes, strings.Join(words, " "))
		}
	}
}

func (d *docx) text(s string) {
	if d.inText {
		d.write(s)
	}
}
