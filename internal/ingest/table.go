package ingest

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// readTable reads rows of fields. The first row names the columns: one is the text, one may be
// the title and one the id; the others become metadata, as strings. A row whose number of
// fields differs from the first is skipped.
func (k *sink) readTable(r *bufio.Reader) error {
	head, _ := r.Peek(headBytes) // an error recurs on reading
	name, _ := cutGzip(k.source.formatName())
	tabs := path.Ext(strings.ToLower(name)) != ".csv" && bytes.Contains(head, []byte("\t"))
	rows := newRowReader(r, dialectOf(head, tabs, k.run.options.knows), k.run.options.limits.file)
	header, _, err := rows.next()
	if errors.Is(err, io.EOF) {
		return unusable(Empty, "it is empty")
	} else if err != nil {
		return fmt.Errorf("reading the first row: %w", err)
	}
	columns, err := k.columns(header)
	if err != nil {
		return err
	}
	for {
		fields, line, err := rows.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var wrong *rowFault
		if err != nil && !errors.As(err, &wrong) {
			return err
		}
		k.rows++
		switch {
		case wrong != nil:
			k.skip(line, wrong.error)
		case len(fields) != len(header):
			k.skip(line, unusable(Malformed, "it has %d fields, the first row has %d", len(fields), len(header)))
		case decodeFields(fields) != nil || k.garbled(fields):
			k.skip(line, errEncoding)
		default:
			b := newBudget(k.ctx, k.run.options.limits)
			if d := columns.draft(b, fields); b.err != nil {
				k.skip(line, b.err)
			} else if !k.add(d, line) {
				return nil
			}
		}
	}
}

// Common names of columns, in order of preference.
var (
	idColumns    = []string{"_id", "id", "doc_id", "docid", "document_id", "uuid"}
	titleColumns = []string{"title", "headline", "heading", "subject", "name"}
	textColumns  = []string{"text", "body", "content", "passage", "abstract", "abstract note", "description", "caption", "summary"}
)

// columns maps the fields of a row.
type columns struct {
	header          []string
	id, title, text int // -1 is none
}

// maxColumns limits the field names, which each row repeats.
const maxColumns = 10_000

const longestHeader = 100 // bytes, in a message

func (k *sink) columns(header []string) (columns, error) {
	if len(header) > maxColumns {
		return columns{}, unusable(TooLarge, "it has %d columns, at most %d are possible", len(header), maxColumns)
	}
	if err := decodeFields(header); err != nil {
		return columns{}, err
	}
	for i := range header {
		header[i] = passage.OneLine(header[i])
	}
	o, c := k.run.options, columns{header: header}
	for _, wanted := range []struct {
		what, given string
		names       []string
		column      *int
	}{
		{"id", o.ID, idColumns, &c.id}, {"title", o.Title, titleColumns, &c.title}, {"text", o.Text, textColumns, &c.text},
	} {
		*wanted.column = find(header, wanted.given, wanted.names)
		if *wanted.column < 0 && wanted.given != "" {
			return c, unusable(NoText, "it has no column %q for the %s; it has %s", wanted.given, wanted.what, clipped(fmt.Sprintf("%q", header), longestHeader))
		}
	}
	switch {
	case c.text < 0 && len(header) == 1 && c.title < 0:
		c.text = 0
	case c.text < 0 && c.title < 0:
		return c, unusable(NoText, "none of its columns, %s, has a usual name for a text, such as %s; the first row must name the columns", clipped(fmt.Sprintf("%q", header), longestHeader), quoted("", textColumns[:3]))
	}
	return c, nil
}

// find returns the column with the given name, or with a common one.
func find(header []string, given string, names []string) int {
	if given != "" {
		names = []string{given}
	}
	for _, name := range names {
		if i := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(h, name) }); i >= 0 {
			return i
		}
	}
	return -1
}

// knows reports whether a column of that name would be used.
func (o Options) knows(column string) bool {
	column = passage.OneLine(column)
	for _, names := range [][]string{{o.ID, o.Title, o.Text}, idColumns, titleColumns, textColumns} {
		if column != "" && find([]string{column}, "", names) == 0 {
			return true
		}
	}
	return false
}

func (c columns) draft(b *budget, fields []string) draft {
	d := draft{metadata: map[string]any{}}
	for i, f := range fields {
		switch i {
		case c.id:
			d.id = passage.OneLine(f)
		case c.title:
			d.title = f
		case c.text:
			d.blocks = b.blocks(f)
		default:
			if f = passage.OneLine(f); f != "" && c.header[i] != "" {
				d.metadata[c.header[i]] = f
			}
		}
	}
	return d
}

// rowReader reads rows in a dialect.
type rowReader struct {
	dialect
	limit   int64
	limited *allowance
	csv     *csv.Reader
	plain   *lineReader
}

func newRowReader(r *bufio.Reader, d dialect, limit int64) *rowReader {
	rows := &rowReader{dialect: d, limit: limit}
	if d.quotes {
		rows.limited = &allowance{r: r, separator: string(d.comma)}
		rows.csv = csv.NewReader(rows.limited)
		rows.csv.Comma, rows.csv.FieldsPerRecord = d.comma, -1
	} else {
		rows.plain = &lineReader{r: r, limit: limit}
	}
	return rows
}

// rowFault is an error in one row; later rows can still be read.
type rowFault struct{ error }

// next returns the next row and its first line.
func (r *rowReader) next() ([]string, int, error) {
	if r.csv != nil {
		return r.nextQuoted()
	}
	for {
		line, err := r.plain.next()
		switch {
		case errors.Is(err, errLongRow):
			return nil, r.plain.number, &rowFault{err}
		case err != nil:
			return nil, r.plain.number, err
		case bytes.Count(line, []byte(string(r.comma))) > maxTextParts:
			return nil, r.plain.number, &rowFault{errWideRow}
		case len(line) > 0:
			return strings.Split(string(line), string(r.comma)), r.plain.number, nil
		}
	}
}

func (r *rowReader) nextQuoted() ([]string, int, error) {
	r.limited.left, r.limited.separators = r.limit, 0
	fields, err := r.csv.Read()
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		to := ""
		if parse.Line > parse.StartLine {
			to = fmt.Sprintf(", with which the row reaches to line %d", parse.Line)
		}
		return nil, parse.StartLine, &rowFault{unusable(Malformed, "it has a stray quote%s; a quote within a field is doubled, and the field quoted", to)}
	}
	if err != nil {
		return nil, 0, err
	}
	line, _ := r.csv.FieldPos(0)
	return fields, line, nil
}

// dialect describes the syntax of a table.
type dialect struct {
	comma  rune
	quotes bool // whether quotes delimit fields
}

// dialectOf guesses the dialect from the first rows. It picks the delimiter that gives, in
// this order of importance, header columns with common names, rows as long as the header, and
// many columns. known reports whether a column name is common.
func dialectOf(head []byte, tabs bool, known func(string) bool) dialect {
	if i := bytes.LastIndexByte(head, '\n'); i > 0 && len(head) >= headBytes {
		head = head[:i+1] // the last row may be cut off
	}
	delimiters := []rune{',', ';', '\t', '|'}
	if tabs {
		delimiters = []rune{'\t'}
	}
	best, bestTrial := dialect{delimiters[0], true}, trial{}
	for _, comma := range delimiters {
		// Tab-separated tables have no quotes unless a quoted field appears. Other tables have
		// none if treating quotes as delimiters produces errors.
		quoted := bytes.HasPrefix(head, []byte(`"`)) || bytes.Contains(head, []byte("\t\"")) || bytes.Contains(head, []byte("\n\""))
		d := dialect{comma, comma != '\t' || quoted}
		t := try(head, d, known)
		if t.faults > 0 {
			if plain := try(head, dialect{comma, false}, known); plain.even > t.even {
				d.quotes, t = false, plain
			}
		}
		if bestTrial.worse(t) {
			best, bestTrial = d, t
		}
	}
	return best
}

// trial is the result of trying a dialect.
type trial struct {
	known   bool    // a column has a usual name
	columns int     // of the header
	even    float64 // share of rows with the same number of columns
	faults  int     // rows that have stray quotes
}

func (t trial) worse(than trial) bool {
	switch {
	case t.known != than.known:
		return than.known
	case t.even != than.even && min(t.columns, than.columns) > 1:
		return t.even < than.even
	}
	return t.columns < than.columns
}

const trialRows = 200

func try(head []byte, d dialect, known func(string) bool) trial {
	var t trial
	rows, even := 0, 0
	for r := newRowReader(bufio.NewReader(bytes.NewReader(head)), d, headBytes+1); rows+t.faults < trialRows; {
		row, _, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.faults++
			continue
		}
		if rows == 0 {
			t.columns = len(row)
			t.known = slices.ContainsFunc(row, known)
		}
		if rows++; len(row) == t.columns {
			even++
		}
	}
	t.even = float64(even) / float64(max(1, rows+t.faults))
	return t
}
