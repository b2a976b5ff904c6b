package audit

import (
	_ "embed"
	"html/template"
	"io"
)

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Parse(pageHTML))

// pageBlock is a block as the template reads it; one field is set.
type pageBlock struct {
	Paragraph string
	List      []string
	Table     *pageTable
}

type pageTable struct {
	Head []string
	Left int
	Rows [][]string
}

type pageSection struct {
	Title  string
	Blocks []pageBlock
}

func cleaned(texts []string) (out []string) {
	for _, t := range texts {
		out = append(out, clean(t))
	}
	return out
}

// html writes a page without scripts. Texts are shown as they are, never as markup.
func (d *document) html(w io.Writer) error {
	var sections []pageSection
	for _, s := range d.sections {
		p := pageSection{Title: s.title}
		for _, b := range s.blocks {
			switch b := b.(type) {
			case paragraph:
				p.Blocks = append(p.Blocks, pageBlock{Paragraph: clean(string(b))})
			case list:
				p.Blocks = append(p.Blocks, pageBlock{List: cleaned(b)})
			case *table:
				t := &pageTable{Head: b.head, Left: b.left}
				for _, row := range b.rows {
					t.Rows = append(t.Rows, cleaned(row))
				}
				p.Blocks = append(p.Blocks, pageBlock{Table: t})
			}
		}
		sections = append(sections, p)
	}
	return page.Execute(w, struct {
		Title    string
		Sections []pageSection
	}{clean(d.title), sections})
}
