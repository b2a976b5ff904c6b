package report

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"
)

// Document is tables with words around them.
type Document struct {
	Title    string
	Sections []Section
}

// Section is a part of a document, with a title or, the first, without.
type Section struct {
	Title  string
	Blocks []Block
}

// Block is one of a paragraph, a list and a table.
type Block struct {
	Text  string
	List  []string
	Table *Table
}

// Paragraphs are blocks of texts.
func Paragraphs(texts ...string) (out []Block) {
	for _, t := range texts {
		out = append(out, Block{Text: t})
	}
	return out
}

// Add adds a section.
func (d *Document) Add(title string, blocks ...Block) {
	d.Sections = append(d.Sections, Section{title, blocks})
}

// Write writes the document as Text, Markdown or HTML.
func (d *Document) Write(w io.Writer, f Format) error {
	var b strings.Builder
	switch f {
	case Markdown:
		d.markdown(&b)
	case HTML:
		return documentHTML.Execute(w, struct {
			*Document
			CSS template.CSS
		}{d, template.CSS(pageCSS)})
	default:
		d.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (d *Document) text(w *strings.Builder) {
	w.WriteString(clean(d.Title) + "\n")
	for _, s := range d.Sections {
		if s.Title != "" {
			w.WriteString("\n" + s.Title + "\n" + strings.Repeat("─", utf8.RuneCountInString(s.Title)) + "\n")
		}
		for i, b := range s.Blocks {
			if i > 0 || s.Title == "" {
				w.WriteString("\n")
			}
			switch {
			case b.Table != nil:
				b.Table.text(w)
			case b.List == nil:
				w.WriteString(fold(b.Text, ""))
			}
			for _, item := range b.List {
				w.WriteString(fold(item, "- "))
			}
		}
	}
}

func (d *Document) markdown(w *strings.Builder) {
	w.WriteString("# " + escapeMarkdown(d.Title) + "\n")
	for _, s := range d.Sections {
		if s.Title != "" {
			w.WriteString("\n## " + escapeMarkdown(s.Title) + "\n")
		}
		for _, b := range s.Blocks {
			w.WriteString("\n")
			switch {
			case b.Table != nil:
				b.Table.markdown(w)
			case b.List == nil:
				w.WriteString(escapeMarkdown(b.Text) + "\n")
			}
			for _, item := range b.List {
				w.WriteString("- " + escapeMarkdown(item) + "\n")
			}
		}
	}
}

//go:embed assets/document.html
var documentPage string

// documentHTML is a page without scripts. Texts are shown as they are, never as markup.
var documentHTML = template.Must(template.New("document").Funcs(template.FuncMap{"clean": clean}).Parse(documentPage))
