package ingest

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/nsfl-go/nsfl/passage"
)

// references is a format of bibliographies.
type references struct {
	line   *regexp.Regexp    // a line with a tag and a value; nil for BibTeX
	first  string            // the tag that begins a record
	ids    []string          // tags of the id, in order of preference
	fields map[string]string // by tag; title and abstract are the text, others metadata
}

// Tags of BibTeX that are not names of fields.
const (
	bibKey  = "@key"
	bibKind = "@kind"
)

var (
	risFormat = &references{
		line: regexp.MustCompile(`^([A-Z][A-Z0-9])  -(?: (.*))?$`), first: "TY", ids: []string{"ID", "AN"},
		fields: map[string]string{
			"TY": "type", "TI": "title", "T1": "title", "AB": "abstract", "N2": "abstract", "DO": "doi", "AU": "authors", "A1": "authors",
			"PY": "year", "Y1": "year", "JO": "journal", "JF": "journal", "T2": "journal", "KW": "keywords", "UR": "url", "N1": "included",
		},
	}
	nbibFormat = &references{
		line: regexp.MustCompile(`^([A-Z]{2,4}) *- (.*)$`), first: "PMID", ids: []string{"PMID"},
		fields: map[string]string{
			"PMID": "pmid", "TI": "title", "AB": "abstract", "LID": "doi", "AID": "doi", "FAU": "authors", "DP": "year", "JT": "journal",
			"MH": "keywords", "OT": "keywords", "PT": "type",
		},
	}
	bibFormat = &references{
		ids: []string{bibKey},
		fields: map[string]string{
			bibKind: "type", "title": "title", "abstract": "abstract", "doi": "doi", "pmid": "pmid", "author": "authors", "keywords": "keywords",
			"year": "year", "date": "year", "journal": "journal", "journaltitle": "journal", "booktitle": "journal", "url": "url", "included": "included",
		},
	}
)

// labelNotes are notes by which programs record a decision.
var labelNotes = map[string]string{
	"included: 1": "1", "included: 0": "0", "ASReview_relevant": "1", "ASReview_irrelevant": "0",
}

// tagged is a value of a record, in lines.
type tagged struct {
	tag   string
	lines []string
}

func (t *tagged) value() string { return strings.TrimSpace(strings.Join(t.lines, " ")) }

// values returns the values of a tag.
func (t *tagged) values() []string {
	value := t.value()
	switch t.tag {
	case "LID", "AID": // of several kinds
		doi, isDOI := strings.CutSuffix(value, " [doi]")
		if !isDOI {
			return nil
		}
		value = doi
	case "N1":
		value = labelNotes[value]
	case "MH":
		value = strings.ReplaceAll(value, "*", "") // marks a major topic
	case "author":
		return strings.Split(value, " and ")
	case "keywords":
		return strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ';' })
	}
	return []string{value}
}

// maxReferenceValues limits the values of a record, of which each may become metadata.
const maxReferenceValues = 2000

var yearOf = regexp.MustCompile(`\b[12][0-9]{3}\b`)

// addReference passes a record on that begins at a line.
func (k *sink) addReference(f *references, record []tagged, line int) bool {
	k.rows++
	d, err := k.reference(f, record)
	if err != nil {
		k.skip(line, err)
		return true
	}
	return k.add(d, line)
}

func (k *sink) reference(f *references, record []tagged) (draft, error) {
	b := newBudget(k.ctx, k.run.options.limits)
	d := draft{metadata: map[string]any{}}
	for _, id := range f.ids {
		for i := range record {
			if record[i].tag == id && d.id == "" {
				d.id = passage.OneLine(record[i].value())
			}
		}
	}
	fields, values := map[string][]string{}, 0
	for i := range record {
		field := f.fields[record[i].tag]
		if field == "" {
			continue
		}
		for _, v := range record[i].values() {
			if v = strings.TrimSpace(v); v != "" {
				fields[field] = append(fields[field], v)
				values++
			}
		}
	}
	if d.id == "" {
		d.id = k.referenceID(fields)
	}
	for field, list := range fields {
		if values > maxReferenceValues || decodeFields(list) != nil || k.garbled(list) {
			return d, unusable(Malformed, "it has more than %d values, or text that is not UTF-8", maxReferenceValues)
		}
		for i := range list {
			list[i] = passage.OneLine(list[i])
		}
		switch field {
		case "title":
			d.title = list[0]
		case "abstract":
			d.blocks = b.blocks(strings.Join(list, "\n\n"))
		case "authors", "keywords":
			d.metadata[field] = list
		case "year":
			if year, err := strconv.Atoi(yearOf.FindString(list[0])); err == nil {
				d.metadata[field] = year
			}
		default:
			d.metadata[field] = list[0]
		}
	}
	return d, b.err
}

// referenceID returns an id for a record without one: the file, and its DOI or a hash. It does not
// depend on the place in the file, because decisions about records are stored by their ids.
func (k *sink) referenceID(fields map[string][]string) string {
	var id string
	if doi := fields["doi"]; doi != nil {
		if at := strings.Index(doi[0], "10."); at >= 0 {
			id = strings.ToLower(doi[0][at:])
		}
	}
	if id == "" {
		of := slices.Concat(fields["title"], fields["authors"], fields["year"])
		if len(of) == 0 {
			return "" // the number of the record
		}
		id = fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(of, "\n"))))[:12]
	}
	if k.references == nil {
		k.references = map[string]int{}
	}
	if k.references[id]++; k.references[id] > 1 {
		id = fmt.Sprintf("%s#%d", id, k.references[id])
	}
	return Qualified(k.source.Name, id)
}

// read reads records of tagged lines. A line without a tag continues the one before.
func (f *references) read(k *sink, r *bufio.Reader) error {
	lines := &lineReader{r: r, limit: k.run.options.limits.file}
	var record []tagged
	begin, size := 0, 0 // of the record: its first line, and its bytes
	for {
		raw, err := lines.next()
		switch {
		case errors.Is(err, io.EOF) && begin == 0:
			return unusable(Malformed, "no line in it begins with %q, as every record of this format does", f.first)
		case errors.Is(err, io.EOF):
			k.addReference(f, record, begin)
			return nil
		case err != nil:
			return err
		}
		match := f.line.FindStringSubmatch(string(raw))
		if match != nil && match[1] == f.first {
			if begin > 0 && !k.addReference(f, record, begin) {
				return nil
			}
			record, begin, size = nil, lines.number, 0
		}
		if begin == 0 {
			continue
		}
		if size += len(raw); size > int(lines.limit) {
			return errLongRow
		}
		if len(raw) == 0 {
			continue
		}
		if match == nil {
			last := &record[len(record)-1]
			last.lines = append(last.lines, strings.TrimSpace(string(raw)))
		} else {
			record = append(record, tagged{match[1], []string{match[2]}})
		}
	}
}

// readBibTeX reads the entries of a BibTeX file. Strings and comments are skipped.
func (k *sink) readBibTeX(r *bufio.Reader) error {
	b := &bibReader{r: r, line: 1, limit: k.run.options.limits.file}
	for {
		b.left = b.limit
		if _, _, err := b.until("@"); errors.Is(err, io.EOF) {
			if k.rows == 0 {
				return unusable(Malformed, "it has no entry that begins with @")
			}
			return nil
		} else if err != nil {
			return err
		}
		begin := b.line
		record, err := b.entry()
		if errors.Is(err, io.EOF) {
			k.rows++
			k.skip(begin, unusable(Malformed, "the entry does not end; a brace or a quote may be missing"))
			return nil
		} else if err != nil {
			return err
		}
		if record != nil && !k.addReference(bibFormat, record, begin) {
			return nil
		}
	}
}

// bibReader reads the characters of a BibTeX file.
type bibReader struct {
	r     *bufio.Reader
	line  int
	limit int64 // of an entry, in bytes
	left  int64
}

func (b *bibReader) next() (byte, error) {
	c, err := b.r.ReadByte()
	if c == '\n' {
		b.line++
	}
	if b.left--; b.left < 0 {
		return 0, errLongRow
	}
	return c, err
}

// until reads up to one of the ends, and returns the text before it and the end.
func (b *bibReader) until(ends string) (string, byte, error) {
	var out []byte
	for {
		c, err := b.next()
		if err != nil {
			return "", 0, err
		}
		if strings.IndexByte(ends, c) >= 0 {
			return strings.TrimSpace(string(out)), c, nil
		}
		out = append(out, c)
	}
}

// entry reads the entry after an @. It returns nil for a string or a comment.
func (b *bibReader) entry() ([]tagged, error) {
	b.left = b.limit
	kind, _, err := b.until("{(")
	if err != nil {
		return nil, err
	}
	switch kind = strings.ToLower(kind); kind {
	case "comment", "string", "preamble":
		return nil, nil
	}
	key, end, err := b.until(",})")
	if err != nil {
		return nil, err
	}
	record := []tagged{{bibKind, []string{kind}}, {bibKey, []string{key}}}
	for end == ',' {
		var name, value string
		if name, end, err = b.until("=,})"); err != nil {
			return nil, err
		}
		if end != '=' {
			continue
		}
		if value, end, err = b.value(); err != nil {
			return nil, err
		}
		record = append(record, tagged{strings.ToLower(name), []string{value}})
	}
	return record, nil
}

// value reads a value in braces, in quotes or bare, up to the comma or brace after it.
func (b *bibReader) value() (string, byte, error) {
	var out []byte
	depth, quoted := 0, false
	for {
		c, err := b.next()
		switch {
		case err != nil:
			return "", 0, err
		case c == '\\':
			if c, err = b.next(); err != nil {
				return "", 0, err
			}
			out = append(out, '\\', c)
			continue
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '"' && depth == 0:
			quoted = !quoted
			continue
		case (c == ',' || c == '}' || c == ')') && depth == 0 && !quoted:
			return strings.TrimSpace(untex(string(out))), c, nil
		}
		out = append(out, c)
	}
}

var (
	texAccent = regexp.MustCompile("\\\\(?:(['`^\"~=.]) *\\{?|([cvHukr])(?: *\\{| +))\\\\?([A-Za-z])\\}?")
	texLetter = regexp.MustCompile(`\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L)\b *(?:\{\})?`)
	texMarks  = map[string]string{
		"'": "\u0301", "`": "\u0300", "^": "\u0302", `"`: "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
		"c": "\u0327", "v": "\u030c", "H": "\u030b", "u": "\u0306", "k": "\u0328", "r": "\u030a",
	}
	texLetters = map[string]string{
		"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
	}
	texEscapes = strings.NewReplacer(`\&`, "&", `\%`, "%", `\$`, "$", `\#`, "#", `\_`, "_", `\{`, "{", `\}`, "}", "{", "", "}", "")
)

// untex replaces the accents, letters and escapes of LaTeX, and drops braces.
func untex(text string) string {
	text = texAccent.ReplaceAllStringFunc(text, func(s string) string {
		found := texAccent.FindStringSubmatch(s)
		return found[3] + texMarks[found[1]+found[2]]
	})
	text = texLetter.ReplaceAllStringFunc(text, func(s string) string { return texLetters[texLetter.FindStringSubmatch(s)[1]] })
	return norm.NFC.String(texEscapes.Replace(text))
}
