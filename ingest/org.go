package ingest

import (
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

var (
	orgHeading  = regexp.MustCompile(`^(\*+)\s+(.*)$`)
	orgState    = regexp.MustCompile(`^(TODO|DONE|NEXT|WAITING|HOLD|CANCELLED|CANCELED|STARTED|SOMEDAY)\s+`)
	orgPriority = regexp.MustCompile(`^\[#[A-Z0-9]\]\s*`)
	orgTags     = regexp.MustCompile(`\s+:[\p{L}\p{N}_@#%:]+:\s*$`)
	orgKeyword  = regexp.MustCompile(`^\s*#\+([\w-]+):\s*(.*)$`)
	orgBegin    = regexp.MustCompile(`(?i)^\s*#\+begin_(\w+)`)
	orgDrawer   = regexp.MustCompile(`^\s*:[\w-]+:\s*$`)
	orgPlanning = regexp.MustCompile(`^\s*(SCHEDULED|DEADLINE|CLOSED):\s*[<\[]`)
	orgItem     = regexp.MustCompile(`^(\s*)([-+]|\d+[.)]|\s\*)\s+(\[[ xX-]\]\s+)?(.*)$`)
	orgNote     = regexp.MustCompile(`^\[fn:[^\]]*\]\s*`)
	orgLink     = regexp.MustCompile(`\[\[([^\[\]]*)\](\[([^\[\]]*)\])?\]`)
	orgMark     = regexp.MustCompile(`(^|[\s({'"-])([*/_=~+])([^\s*/_=~+](?:[^*/_=~+\n]*[^\s*/_=~+])?)([*/_=~+])($|[\s.,:;!?)}'"-])`)
)

// readOrg reads a file of Org mode.
func readOrg(content []byte) (draft, error) {
	o := org{lined: lined{inline: orgInline}, metadata: map[string]any{}}
	number := 0
	for line := range passage.Lines(string(content)) {
		number++
		o.line(number, line)
	}
	o.endBlock()
	o.flush()
	d := withoutTitle(passage.OneLine(o.title), o.blocks, false)
	d.metadata = o.metadata
	return d, nil
}

type org struct {
	lined
	title    string
	metadata map[string]any
	block    string // of what kind the open one is, in lower case
	inside   []string
	from     int // where inside begins
	drawer   bool
	table    bool // the last row was that of one
}

func (o *org) line(number int, line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case o.drawer:
		o.drawer = !strings.EqualFold(trimmed, ":END:")
	case o.block != "":
		if strings.EqualFold(trimmed, "#+end_"+o.block) {
			o.endBlock()
			return
		}
		if o.isText() {
			o.text(number, line)
		} else {
			o.inside = append(o.inside, line)
		}
	case orgBegin.MatchString(line):
		o.flush()
		o.block, o.inside, o.from = strings.ToLower(orgBegin.FindStringSubmatch(line)[1]), nil, number+1
	case orgKeyword.MatchString(line):
		o.keyword(orgKeyword.FindStringSubmatch(line))
	case orgDrawer.MatchString(line) && !strings.EqualFold(trimmed, ":END:"):
		o.drawer = true
	case orgPlanning.MatchString(line), strings.HasPrefix(trimmed, "# "), trimmed == "#", strings.HasPrefix(trimmed, "#+"):
	case orgHeading.MatchString(line):
		m := orgHeading.FindStringSubmatch(line)
		text := orgPriority.ReplaceAllString(orgState.ReplaceAllString(m[2], ""), "")
		o.heading(number, len(m[1]), orgTags.ReplaceAllString(text, ""))
	default:
		o.text(number, line)
	}
}

// isText tells whether what is in the open block is written like the rest.
func (o *org) isText() bool {
	switch o.block {
	case "src", "example", "export", "comment", "latex", "html", "ascii":
		return false
	}
	return true
}

func (o *org) endBlock() {
	if o.block == "src" || o.block == "example" {
		o.code(o.from, o.inside)
	}
	o.flush()
	o.block, o.inside = "", nil
}

func (o *org) keyword(m []string) {
	switch key, value := strings.ToLower(m[1]), strings.TrimSpace(m[2]); key {
	case "title":
		o.title += " " + orgInline(value)
	case "author", "date", "description", "keywords", "language":
		if value != "" {
			o.metadata[key] = value
		}
	case "filetags":
		tags := []any{}
		for _, t := range strings.FieldsFunc(value, func(r rune) bool { return r == ':' || r == ' ' }) {
			tags = append(tags, t)
		}
		if len(tags) > 0 {
			o.metadata["tags"] = tags
		}
	}
}

func (o *org) text(number int, line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
		if len(o.words) > 0 {
			o.flush()
		}
	case strings.HasPrefix(trimmed, "|"):
		o.between(true)
		if !strings.HasPrefix(trimmed, "|-") {
			o.row(number, tableRow(trimmed))
		}
	case orgItem.MatchString(line):
		m := orgItem.FindStringSubmatch(line)
		o.between(false)
		o.row(number, strings.Repeat(" ", min(len(m[1]), 8))+strings.TrimSpace(m[2])+" "+m[4])
	case strings.HasPrefix(trimmed, ": "):
		o.row(number, strings.TrimPrefix(trimmed, ": "))
	case indentOf(line) > 0:
		o.more(number, line)
	default:
		o.say(number, orgNote.ReplaceAllString(line, ""))
	}
}

// between ends a list before a table, and a table before a list.
func (o *org) between(table bool) {
	if o.table != table {
		o.flush()
	}
	o.table = table
}

// tableRow writes "| a | b |" as other tables are.
func tableRow(line string) string {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
		cells = append(cells, passage.OneLine(cell))
	}
	if row := strings.Join(cells, " | "); strings.Trim(row, " |") != "" {
		return row
	}
	return ""
}

// orgInline takes marks and the addresses of links out of a line.
func orgInline(s string) string {
	s = orgLink.ReplaceAllStringFunc(s, func(link string) string {
		m := orgLink.FindStringSubmatch(link)
		if m[3] != "" {
			return m[3]
		}
		return m[1]
	})
	return orgMark.ReplaceAllStringFunc(s, func(marked string) string {
		m := orgMark.FindStringSubmatch(marked)
		if m[2] != m[4] {
			return marked
		}
		return m[1] + m[3] + m[5]
	})
}
