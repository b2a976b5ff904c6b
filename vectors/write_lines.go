package vectors

import (
	"compress/gzip"
	"io"
	"strconv"
	"strings"
)

// objectWriter writes JSON lines.
type objectWriter struct {
	out io.Writer
	zip *gzip.Writer // nil: not compressed
	buf []byte
}

func newObjectWriter(temp *temporary, zipped bool) *objectWriter {
	w := &objectWriter{out: temp}
	if zipped {
		w.zip = gzip.NewWriter(temp)
		w.out = w.zip
	}
	return w
}

func (w *objectWriter) write(row *Row) error {
	w.buf = append(w.buf[:0], '{')
	for _, f := range []struct{ name, text string }{{"id", row.ID}, {"title", row.Title}, {"text", row.Text}} {
		if f.text != "" {
			w.field(f.name)
			w.buf = append(w.buf, quote(f.text)...)
		}
	}
	if len(row.Passages) > 0 {
		w.field("passages")
		w.list(len(row.Passages), func(i int) { w.buf = append(w.buf, quote(row.Passages[i].Text)...) })
		if len(row.Passages[0].Vector) > 0 {
			w.field("passage_vectors")
			w.list(len(row.Passages), func(i int) { w.vector(row.Passages[i].Vector) })
		}
	}
	if len(row.Metadata) > 0 {
		w.field("metadata")
		w.buf = append(w.buf, row.Metadata...)
	}
	if len(row.Vector) > 0 {
		w.field("vector")
		w.vector(row.Vector)
	}
	w.buf = append(w.buf, "}\n"...)
	if len(w.buf) > maxLine {
		return bad(ErrFormat, "its line would have %d bytes, more than the %d that are read again; split the document, or write parquet", len(w.buf), maxLine)
	}
	_, err := w.out.Write(w.buf)
	return err
}

func (w *objectWriter) field(name string) {
	if len(w.buf) > 1 {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(append(append(w.buf, '"'), name...), '"', ':')
}

func (w *objectWriter) list(n int, element func(i int)) {
	w.buf = append(w.buf, '[')
	for i := range n {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		element(i)
	}
	w.buf = append(w.buf, ']')
}

// vector writes as many digits as the same float32 is read from.
func (w *objectWriter) vector(v []float32) {
	w.list(len(v), func(i int) { w.buf = strconv.AppendFloat(w.buf, float64(v[i]), 'g', -1, 32) })
}

func (w *objectWriter) finish() error {
	if w.zip == nil {
		return nil
	}
	return w.zip.Close()
}

// idWriter writes an id on each line.
type idWriter struct{ temp *temporary }

func (w *idWriter) write(row *Row) error {
	if strings.TrimSpace(row.ID) == "" || strings.ContainsAny(row.ID, "\r\n"+byteOrderMark) {
		return bad(ErrFormat, "its id, %.60q, is blank or has a line break, and cannot be a line of its own; write the side file as rows", row.ID)
	}
	_, err := w.temp.WriteString(row.ID + "\n")
	return err
}

func (w *idWriter) finish() error { return nil }
