package vectors

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
)

// objectWriter writes JSON lines.
type objectWriter struct {
	out  io.Writer
	zip  *gzip.Writer // nil: not compressed
	line bytes.Buffer
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
	w.line.Reset()
	e := json.NewEncoder(&w.line)
	e.SetEscapeHTML(false)
	if err := e.Encode(recordOf(row)); err != nil {
		return err
	}
	if n := w.line.Len(); n > maxLine {
		return bad(ErrFormat, "its line would have %d bytes, more than the %d that are read again; split the document, or write parquet", n, maxLine)
	}
	_, err := w.out.Write(w.line.Bytes())
	return err
}

func (w *objectWriter) finish() error {
	if w.zip == nil {
		return nil
	}
	return w.zip.Close()
}
