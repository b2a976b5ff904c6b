package vectors

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// maxLine is larger than any document that a collection accepts, with its vectors.
const maxLine = 64 << 20

// byteOrderMark is written by some editors before the first line.
const byteOrderMark = "\ufeff"

// roles maps the names of fields to their meanings. Passages are a list of strings;
// passage_vectors, a list of lists of numbers, and passage_places, a list of objects with heading,
// page and line, have one element for each passage; metadata is an object. Other fields become
// metadata.
var roles = map[string]string{
	"id": "id", "_id": "id", "title": "title", "text": "text", "vector": "vector", "embedding": "vector",
	"passages": "passages", "passage_vectors": "passage_vectors", "passage_places": "passage_places", "metadata": "metadata",
}

// jsonl reads a JSON object on each line, compressed with gzip or not.
type jsonl struct {
	scanner *bufio.Scanner
	zipped  bool
	number  int
}

func newJSONL(in *bufio.Reader) (*jsonl, error) {
	j := &jsonl{scanner: bufio.NewScanner(in)}
	if head, _ := in.Peek(len(zipMagic)); string(head) == zipMagic {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, errZip(err)
		}
		j.scanner, j.zipped = bufio.NewScanner(z), true
	}
	j.scanner.Buffer(make([]byte, 0, 1<<16), maxLine)
	return j, nil
}

func (j *jsonl) line() int { return j.number }

func (j *jsonl) next() (Row, error) {
	for {
		j.number++
		if !j.scanner.Scan() {
			return Row{}, cmp.Or(j.readError(), io.EOF)
		}
		line := j.scanner.Bytes()
		if j.number == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		row, err := parse(line)
		if err != nil { // the line may be the beginning of one that could not be read
			err = cmp.Or(j.readError(), err)
		}
		return row, err
	}
}

// readError returns the error that ended the reading of lines, or nil.
func (j *jsonl) readError() error {
	err := j.scanner.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("the line has more than %d bytes; write one object on each line, for a list with jq -c '.[]'", maxLine)
	case err != nil && j.zipped:
		return errZip(err)
	}
	return err
}

func errZip(cause error) error {
	return fmt.Errorf("the compressed file ends too early or is damaged, or something else follows it; copy it again: %w", cause)
}

func parse(line []byte) (Row, error) {
	if !utf8.Valid(line) {
		return Row{}, errors.New("the line is not valid UTF-8; save the file as UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return Row{}, fmt.Errorf("the line is not a JSON object that can be read%s: %w", hint(line), err)
	}
	var row jsonRow
	known := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		role, value := roles[name], fields[name]
		if role == "" {
			continue
		}
		if known[role] != "" {
			return Row{}, fmt.Errorf("the fields %s and %s are for the same thing; leave one out", known[role], name)
		}
		known[role] = name
		delete(fields, name)
		if string(value) == "null" {
			continue
		}
		if err := row.set(role, value); err != nil {
			return Row{}, fmt.Errorf("the field %s cannot be read: %w", name, err)
		}
	}
	return row.join(fields)
}

// hint returns advice on common mistakes.
func hint(line []byte) string {
	switch {
	case line[0] == '[':
		return ", but a list; write one object on each line, with jq -c '.[]'"
	case bytes.Contains(line, []byte("NaN")), bytes.Contains(line, []byte("Infinity")):
		return "; JSON has no NaN and no Infinity, which Python writes all the same: leave such rows out"
	case len(line) == 1:
		return "; write one object on each line, with jq -c ."
	}
	return "; write one object on each line"
}

// jsonRow holds the fields of a line.
type jsonRow struct {
	Row
	texts    []string
	vectors  [][]float32     // of the texts: none, or as many
	places   []passage.Place // likewise
	metadata json.RawMessage
}

// set stores the value of a known field.
func (r *jsonRow) set(role string, value json.RawMessage) (err error) {
	into := func(v any, what string) error {
		if json.Unmarshal(value, v) != nil {
			return errors.New("it has to be " + what)
		}
		return nil
	}
	switch role {
	case "id":
		if isNumeral(value) {
			r.ID = string(value)
			return nil
		}
		return into(&r.ID, "a string or a number")
	case "title":
		return into(&r.Title, "a string")
	case "text":
		return into(&r.Text, "a string")
	case "passages":
		return into(&r.texts, "a list of strings")
	case "passage_places":
		return into(&r.places, "a list of objects with heading, page and line")
	case "metadata":
		r.metadata = value
	case "vector":
		r.Vector, err = numbers(value)
	case "passage_vectors":
		var list []json.RawMessage
		err = into(&list, "a list of vectors")
		for i := 0; i < len(list) && err == nil; i++ {
			var v []float32
			v, err = numbers(list[i])
			r.vectors = append(r.vectors, v)
		}
	}
	return err
}

// join returns the row. The other fields of the line become metadata.
func (r *jsonRow) join(others map[string]json.RawMessage) (Row, error) {
	if len(r.vectors) > 0 && len(r.vectors) != len(r.texts) {
		return Row{}, fmt.Errorf("there are %d passages and %d vectors of passages; write one for each, or none", len(r.texts), len(r.vectors))
	}
	if len(r.places) > 0 && len(r.places) != len(r.texts) {
		return Row{}, fmt.Errorf("there are %d passages and %d places of passages; write one for each, or none", len(r.texts), len(r.places))
	}
	for i, text := range r.texts {
		p := engine.Passage{Text: text}
		if len(r.vectors) > 0 {
			p.Vector = r.vectors[i]
		}
		if len(r.places) > 0 {
			p.Place = r.places[i]
		}
		r.Passages = append(r.Passages, p)
	}
	var err error
	if r.Metadata, err = joinMetadata(r.metadata, others); err != nil {
		return Row{}, fmt.Errorf("the metadata cannot be read: %w", err)
	}
	return r.Row, nil
}

// joinMetadata merges an object with other fields. It returns one object on one line, or nothing
// if there is neither.
func joinMetadata(object json.RawMessage, others map[string]json.RawMessage) (json.RawMessage, error) {
	var out bytes.Buffer
	if len(object) > 0 {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(object, &fields); err != nil || fields == nil {
			return nil, errors.New("it is not a JSON object in braces")
		}
		if len(others) == 0 {
			err := json.Compact(&out, object)
			return out.Bytes(), err
		}
		for name, value := range fields {
			if _, twice := others[name]; twice {
				return nil, fmt.Errorf("the field %.60s occurs both in the metadata and outside it; rename one of them", name)
			}
			others[name] = value
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(others)
	return bytes.TrimSpace(out.Bytes()), err
}

// isNumeral reports whether a JSON value is a number.
func isNumeral(value []byte) bool {
	return len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}

// numbers reads a vector, faster than encoding/json and without taking null for 0. The value is
// known to be JSON: what begins like a number is one, and a comma outside of a number is between
// elements, up to the first that is none.
func numbers(value json.RawMessage) ([]float32, error) {
	if value[0] != '[' {
		return nil, errors.New("a vector is a list of numbers")
	}
	n := bytes.Count(value, []byte{','}) + 1
	if n > maxDimension {
		return nil, fmt.Errorf("a vector has %d components, above the limit of %d", n, maxDimension)
	}
	inside := bytes.TrimSpace(value[1 : len(value)-1])
	if len(inside) == 0 {
		return nil, nil
	}
	v := make([]float32, 0, n)
	for part := range bytes.SplitSeq(inside, []byte{','}) {
		part = bytes.TrimSpace(part)
		if !isNumeral(part) {
			return nil, fmt.Errorf("a vector is a list of numbers; component %d is none", len(v))
		}
		x, err := strconv.ParseFloat(string(part), 32)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, err
		}
		v = append(v, float32(x)) // beyond the range it is infinite
	}
	return v, nil
}

// record is a row as it is written.
type record struct {
	ID             string          `json:"id,omitempty"`
	Title          string          `json:"title,omitempty"`
	Text           string          `json:"text,omitempty"`
	Passages       []string        `json:"passages,omitempty"`
	PassageVectors [][]float32     `json:"passage_vectors,omitempty"`
	PassagePlaces  []passage.Place `json:"passage_places,omitempty"`
	Metadata       json.RawMessage `json:"metadata,omitempty"`
	Vector         []float32       `json:"vector,omitempty"`
}

// jsonlWriter writes JSON lines.
type jsonlWriter struct {
	out  io.Writer
	zip  *gzip.Writer // nil: not compressed
	line bytes.Buffer
}

func newJSONLWriter(temp *temporary, zipped bool) *jsonlWriter {
	w := &jsonlWriter{out: temp}
	if zipped {
		w.zip = gzip.NewWriter(temp)
		w.out = w.zip
	}
	return w
}

func (w *jsonlWriter) write(row *Row) error {
	r := record{ID: row.ID, Title: row.Title, Text: row.Text, PassagePlaces: row.Places(), Metadata: row.Metadata, Vector: row.Vector}
	for _, p := range row.Passages {
		r.Passages = append(r.Passages, p.Text)
		if len(p.Vector) > 0 {
			r.PassageVectors = append(r.PassageVectors, p.Vector)
		}
	}
	w.line.Reset()
	e := json.NewEncoder(&w.line)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return err
	}
	if n := w.line.Len(); n > maxLine {
		return fmt.Errorf("its line would have %d bytes, more than the %d that are read again; split the document", n, maxLine)
	}
	_, err := w.out.Write(w.line.Bytes())
	return err
}

func (w *jsonlWriter) finish() error {
	if w.zip == nil {
		return nil
	}
	return w.zip.Close()
}
