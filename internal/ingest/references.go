package ingest

import (
	"bufio"
	"cmp"
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

// reference is a record of a bibliography: values by field.
type reference struct {
	id     string
	fields map[string][]string
}

// Fields of a reference. All but title and abstract become metadata.
const (
	refTitle    = "title"
	refAbstract = "abstract"
	refAuthors  = "authors"
	refKeywords = "keywords"
	refYear     = "year"
	refJournal  = "journal"
	refDOI      = "doi"
	refPMID     = "pmid"
	refType     = "type"
	refURL      = "url"
	refLabel    = "included"
)

// maxReferenceValues limits the values of a record, of which each may become metadata.
const maxReferenceValues = 2000

var yearOf = regexp.MustCompile(`\b[12][0-9]{3}\b`)

// addReference passes a record on that begins at a line.
func (k *sink) addReference(r *reference, line int) bool {
	k.rows++
	b := newBudget(k.ctx, k.run.options.limits)
	d := draft{id: passage.OneLine(cmp.Or(r.id, k.referenceID(r))), metadata: map[string]any{}}
	values := 0
	for field, list := range r.fields {
		if values += len(list); values > maxReferenceValues || decodeFields(list) != nil || k.garbled(list) {
			k.skip(line, unusable(Malformed, "it has more than %d values, or text that is not UTF-8", maxReferenceValues))
			return true
		}
		for i := range list {
			list[i] = passage.OneLine(list[i])
		}
		switch field {
		case refTitle:
			d.title = list[0]
		case refAbstract:
			d.blocks = b.blocks(strings.Join(list, "\n\n"))
		case refAuthors, refKeywords:
			d.metadata[field] = list
		case refYear:
			if year, err := strconv.Atoi(yearOf.FindString(list[0])); err == nil {
				d.metadata[field] = year
			}
		default:
			d.metadata[field] = list[0]
		}
	}
	if b.err != nil {
		k.skip(line, b.err)
		return true
	}
	return k.add(d, line)
}

// referenceID returns an id for a record without one: the file, and its DOI or a hash. It does not
// depend on the place in the file, because decisions about records are stored by their ids.
func (k *sink) referenceID(r *reference) string {
	var id string
	if doi := r.fields[refDOI]; doi != nil {
		if at := strings.Index(doi[0], "10."); at >= 0 {
			id = strings.ToLower(doi[0][at:])
		}
	}
	if id == "" {
		of := slices.Concat(r.fields[refTitle], r.fields[refAuthors], r.fields[refYear])
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

func (r *reference) add(field, value string) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	if r.fields == nil {
		r.fields = map[string][]string{}
	}
	r.fields[field] = append(r.fields[field], value)
}

// tagged is a format of lines "TAG - value".
type tagged struct {
	line  *regexp.Regexp
	first string            // the tag that begins a record
	tags  map[string]string // fields by tag; the first value counts where there is one
	id    []string          // tags of the id, in order of preference
}

var (
	risLines = tagged{
		line: regexp.MustCompile(`^([A-Z][A-Z0-9])  -(?: (.*))?$`), first: "TY", id: []string{"ID", "AN"},
		tags: map[string]string{
			"TY": refType, "TI": refTitle, "T1": refTitle, "AB": refAbstract, "N2": refAbstract, "DO": refDOI, "AU": refAuthors, "A1": refAuthors,
			"PY": refYear, "Y1": refYear, "JO": refJournal, "JF": refJournal, "T2": refJournal, "KW": refKeywords, "UR": refURL, "N1": refLabel,
		},
	}
	nbibLines = tagged{
		line: regexp.MustCompile(`^([A-Z]{2,4}) *- (.*)$`), first: "PMID", id: []string{"PMID"},
		tags: map[string]string{
			"PMID": refPMID, "TI": refTitle, "AB": refAbstract, "LID": refDOI, "AID": refDOI, "FAU": refAuthors, "DP": refYear, "JT": refJournal,
			"MH": refKeywords, "OT": refKeywords, "PT": refType,
		},
	}
)

// labelNotes are notes by which programs record a decision.
var labelNotes = map[string]string{
	"included: 1": "1", "included: 0": "0", "ASReview_relevant": "1", "ASReview_irrelevant": "0",
}

// set adds the value of a tag.
func (t *tagged) set(r *reference, tag, value string) {
	field := t.tags[tag]
	switch {
	case field == refDOI && tag != "DO":
		var isDOI bool
		if value, isDOI = strings.CutSuffix(value, " [doi]"); !isDOI {
			return
		}
	case field == refLabel:
		value = labelNotes[strings.TrimSpace(value)]
	case tag == "MH":
		value = strings.ReplaceAll(value, "*", "") // marks a major topic
	}
	if field != "" {
		r.add(field, value)
	}
}

func (k *sink) readRIS(r *bufio.Reader) error  { return k.readTagged(r, &risLines) }
func (k *sink) readNbib(r *bufio.Reader) error { return k.readTagged(r, &nbibLines) }

// readTagged reads records of tagged lines. A line without a tag continues the one before.
func (k *sink) readTagged(r *bufio.Reader, t *tagged) error {
	lines := &lineReader{r: r, limit: k.run.options.limits.file}
	var record *reference
	var tag string
	var value strings.Builder
	ids := map[string]string{}
	begin := 0
	finish := func() {
		if record != nil && tag != "" {
			ids[tag] = strings.TrimSpace(value.String())
			t.set(record, tag, value.String())
		}
		tag = ""
		value.Reset()
	}
	add := func() bool {
		finish()
		if record == nil {
			return true
		}
		for _, tag := range t.id {
			if record.id == "" {
				record.id = ids[tag]
			}
		}
		return k.addReference(record, begin)
	}
	for {
		raw, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			if record == nil && k.rows == 0 {
				return unusable(Malformed, "no line in it begins with %q, as every record of this format does", t.first)
			}
			add()
			return nil
		case err != nil:
			return err
		}
		line := string(raw)
		match := t.line.FindStringSubmatch(line)
		switch {
		case match == nil && value.Len()+len(line) < int(lines.limit):
			value.WriteString(" " + strings.TrimSpace(line))
		case match == nil:
			return errLongRow
		case match[1] == t.first:
			if !add() {
				return nil
			}
			record, begin = &reference{}, lines.number
			clear(ids)
			tag = match[1]
			value.WriteString(match[2])
		default:
			finish()
			tag = match[1]
			value.WriteString(match[2])
		}
	}
}

// bibFields are the fields of a BibTeX entry that are read.
var bibFields = map[string]string{
	"title": refTitle, "abstract": refAbstract, "doi": refDOI, "pmid": refPMID, "author": refAuthors, "keywords": refKeywords,
	"year": refYear, "date": refYear, "journal": refJournal, "journaltitle": refJournal, "booktitle": refJournal, "url": refURL, "included": refLabel,
}

// readBibTeX reads the entries of a BibTeX file. Strings and comments are skipped.
func (k *sink) readBibTeX(r *bufio.Reader) error {
	b := &bibReader{r: r, line: 1, limit: k.run.options.limits.file}
	for {
		if err := b.seek('@'); errors.Is(err, io.EOF) {
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
		if record != nil && !k.addReference(record, begin) {
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

// seek reads up to and including c.
func (b *bibReader) seek(c byte) error {
	for {
		b.left = b.limit
		if got, err := b.next(); err != nil || got == c {
			return err
		}
	}
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
func (b *bibReader) entry() (*reference, error) {
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
	r := &reference{id: key}
	r.add(refType, kind)
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
		field := bibFields[strings.ToLower(name)]
		switch field {
		case "":
		case refAuthors:
			for author := range strings.SplitSeq(value, " and ") {
				r.add(field, author)
			}
		case refKeywords:
			for word := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ',' || c == ';' }) {
				r.add(field, word)
			}
		default:
			r.add(field, value)
		}
	}
	return r, nil
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
