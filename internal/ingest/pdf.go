package ingest

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/nsfl-go/nsfl/internal/ingest/pdf"
	"github.com/nsfl-go/nsfl/passage"
)

// readPDF joins the lines of a PDF file into paragraphs and headings.
func readPDF(b *budget, content []byte) (draft, error) {
	doc, err := pdf.Read(content, func(parts, bytes int) error {
		b.spend(parts, bytes)
		return b.err
	})
	switch {
	case errors.Is(err, pdf.ErrEncrypted):
		return draft{}, unusable(Unreadable, "it has a password; save it without one, for example by qpdf --decrypt")
	case errors.Is(err, pdf.ErrFormat), errors.Is(err, pdf.ErrNoPages):
		return draft{}, unusable(Malformed, "%v; open it in a viewer and save it again", err)
	case err != nil:
		return draft{}, err
	}
	removeRunning(doc.Pages)
	t := newTypesetting(doc.Pages)
	for i, p := range doc.Pages {
		t.page(p, i+1)
	}
	t.flush()
	if len(t.blocks) == 0 {
		return draft{}, unusable(Empty, "its %d pages have no text; if they are scans, add text with an OCR program such as ocrmypdf", len(doc.Pages))
	}
	title := passage.OneLine(doc.Title)
	if fileTitle.MatchString(title) {
		title = ""
	}
	return withoutTitle(title, t.blocks, false), nil
}

// fileTitle matches titles that programs generate.
var fileTitle = regexp.MustCompile(`(?i)^(untitled|microsoft (word|powerpoint|excel) - .*|.*\.(docx?|odt|tex|dvi|pdf|html?|indd|pptx?|xlsx?|ps|txt|rtf|eps|svg))$`)

// leaders matches the dots between an entry of a table of contents and its page.
var leaders = regexp.MustCompile(`(\s*\.){4,}\s*`)

// typesetting joins lines into paragraphs by their layout.
type typesetting struct {
	blocks []passage.Block
	words  map[string]bool // those with a hyphen within
	body   float64         // the size of most letters
	levels map[float64]int // of headings, by size

	lines []pdf.Line // of the present paragraph
	size  int        // bytes of its lines
	at    int        // the page it begins on
	width float64    // where the lines of the page end
}

func newTypesetting(pages []pdf.Page) *typesetting {
	t := &typesetting{words: map[string]bool{}, levels: map[float64]int{}}
	letters := map[float64]int{}
	for _, p := range pages {
		for _, l := range p.Lines {
			letters[l.Size] += len(l.Text)
			for w := range strings.FieldsSeq(l.Text) {
				if i := strings.Index(w, "-"); i > 0 && i < len(w)-1 {
					t.words[strings.Trim(w, ".,;:!?()\"“”")] = true
				}
			}
		}
	}
	for size, n := range letters {
		if n > letters[t.body] || n == letters[t.body] && size < t.body {
			t.body = size
		}
	}
	sizes := slices.Sorted(maps.Keys(letters))
	slices.Reverse(sizes)
	for i, size := range sizes {
		if t.isLarge(size) {
			t.levels[size] = min(i+1, 6)
		}
	}
	return t
}

func (t *typesetting) isLarge(size float64) bool { return size >= 1.12*t.body }

// Limits of a paragraph.
const (
	mostLines = 500
	mostBytes = 64 << 10
)

func (t *typesetting) page(p pdf.Page, number int) {
	t.width = 0
	for _, l := range p.Lines {
		t.width = max(t.width, l.Right)
	}
	for i, l := range p.Lines {
		switch {
		case len(t.lines) == 0:
		case i == 0: // the paragraph may continue from the previous page
			if last := t.lines[len(t.lines)-1]; isEnd(last.Text) || t.differs(last, l) || !beginsSmall(l.Text) {
				t.flush()
			}
		case t.isNew(l) || len(t.lines) > mostLines || t.size > mostBytes:
			t.flush()
		}
		if len(t.lines) == 0 {
			t.at = number
		}
		t.lines = append(t.lines, l)
		t.size += len(l.Text)
	}
}

// isNew reports whether a line starts a new paragraph.
func (t *typesetting) isNew(l pdf.Line) bool {
	n := len(t.lines)
	last := t.lines[n-1]
	drop := last.Y - l.Y
	if n > 1 && last.Y-l.Y > 1.3*(t.lines[n-2].Y-last.Y) && t.lines[n-2].Y > last.Y {
		return true
	}
	switch {
	case t.differs(last, l):
		return true
	case drop <= 0: // up, to the next column, or on the same row of a table
		return drop == 0 || isEnd(last.Text) || !beginsSmall(l.Text)
	case drop > 1.9*max(l.Size, last.Size):
		return true
	case len(passage.Blocks(l.Text)) > 0 && passage.Blocks(l.Text)[0].Kind == passage.Rows:
		return true // an item of a list
	case isEnd(last.Text):
		indented := l.Left > last.Left+0.8*l.Size && (n == 1 || t.lines[n-2].Left <= last.Left+0.5*l.Size)
		short := last.Right < l.Right-3*l.Size
		return indented || short && last.Right < 0.85*t.width
	}
	return false
}

// differs reports whether two lines have different typesetting.
func (t *typesetting) differs(a, b pdf.Line) bool {
	return a.Size > 1.1*b.Size || b.Size > 1.1*a.Size || a.Bold != b.Bold && (len(a.Text) < 80 || len(b.Text) < 80)
}

func isEnd(text string) bool {
	return strings.ContainsAny(text[len(text)-1:], ".:!?") || strings.HasSuffix(text, "”") || strings.HasSuffix(text, "…")
}

func beginsSmall(text string) bool {
	first := strings.ToLower(text[:1])
	return text[:1] == first && first >= "a" && first <= "z" || text[0] >= 0x80
}

func (t *typesetting) flush() {
	if len(t.lines) == 0 {
		return
	}
	text, bold := t.lines[0].Text, t.lines[0].Bold
	for _, l := range t.lines[1:] {
		bold = bold && l.Bold
		text = t.unhyphen(text, l.Text) + l.Text
	}
	const longest = 150 // bytes of a heading
	text = passage.OneLine(leaders.ReplaceAllString(text, " "))
	lines, size := len(t.lines), t.lines[0].Size
	t.lines, t.size = t.lines[:0], 0
	if text == "" {
		return
	}
	block := passage.Block{Kind: passage.Prose, Rows: []string{text}, Page: t.at}
	switch {
	case len(text) > longest || !strings.ContainsFunc(text, unicode.IsLetter):
	case t.isLarge(size):
		block.Kind, block.Level = passage.Heading, t.levels[size]
	case bold && lines == 1 && size >= 0.95*t.body && !isEnd(text):
		block.Kind, block.Level = passage.Heading, min(len(t.levels)+1, 6)
	}
	if items := passage.Blocks(text); block.Kind == passage.Prose && items[0].Kind == passage.Rows {
		block.Kind = passage.Rows
		if n := len(t.blocks); n > 0 && t.blocks[n-1].Kind == passage.Rows {
			t.blocks[n-1].Rows = append(t.blocks[n-1].Rows, text)
			return
		}
	}
	t.blocks = append(t.blocks, block)
}

// unhyphen ends a line with a space or, if its last word continues on the next line, without the
// hyphen, unless the document spells the word with a hyphen elsewhere.
func (t *typesetting) unhyphen(before, after string) string {
	hyphen := strings.HasSuffix(before, "-")
	cut := strings.TrimRight(before, "-\u2010\u00AD")
	if len(cut) == len(before) || cut == "" || !beginsSmall(after) {
		return before + " "
	}
	head, tail := cut[strings.LastIndex(cut, " ")+1:], strings.Fields(after)[0]
	if hyphen && (len(before)-len(cut) > 1 || t.words[head+"-"+strings.Trim(tail, ".,;:!?()\"“”")]) {
		return before
	}
	return cut
}

var digits = regexp.MustCompile(`\d+`)

// removeRunning removes running heads and page numbers: text that many pages have at the top
// or bottom.
func removeRunning(pages []pdf.Page) {
	const few = 3 // pages
	if len(pages) < few {
		return
	}
	type position struct {
		text string
		top  bool
	}
	of := func(p pdf.Page) map[int]position {
		found := map[int]position{}
		for _, end := range []struct{ from, step int }{{0, 1}, {len(p.Lines) - 1, -1}} {
			for n, i := 0, end.from; n < 2 && i >= 0 && i < len(p.Lines); n, i = n+1, i+end.step {
				found[i] = position{digits.ReplaceAllString(p.Lines[i].Text, "#"), end.step > 0}
			}
		}
		return found
	}
	counts := map[position]int{}
	for _, p := range pages {
		for _, at := range of(p) {
			counts[at]++
		}
	}
	for i, p := range pages {
		running := of(p)
		var kept []pdf.Line
		for j, l := range p.Lines {
			// Left and right pages have different running heads, and so do chapters.
			if at, ok := running[j]; !ok || counts[at] < few || 10*counts[at] < len(pages) {
				kept = append(kept, l)
			}
		}
		pages[i].Lines = kept
	}
}
