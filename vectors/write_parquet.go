package vectors

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// groupBytes is how much is held in memory before a row group is written.
const groupBytes = 64 << 20

// tableRow are the columns, named as Fields expects them.
type tableRow struct {
	ID             string      `parquet:"id,optional,plain"`
	Title          string      `parquet:"title,optional,plain"`
	Text           string      `parquet:"text,optional,plain"`
	Passages       []string    `parquet:"passages,list"`
	PassageVectors [][]float32 `parquet:"passage_vectors,list"`
	Metadata       string      `parquet:"metadata,optional,plain"`
	Vector         []float32   `parquet:"vector,list"`
}

type tableWriter struct {
	out  *parquet.GenericWriter[tableRow]
	held int
}

func newTableWriter(temp *temporary) *tableWriter {
	// Statistics would repeat the least and the greatest text of each page.
	return &tableWriter{out: parquet.NewGenericWriter[tableRow](temp,
		parquet.Compression(&zstd.Codec{}), parquet.DataPageStatistics(false))}
}

func (w *tableWriter) write(row *Row) error {
	out := tableRow{ID: row.ID, Title: row.Title, Text: row.Text, Metadata: string(row.Metadata), Vector: row.Vector}
	size := len(row.ID) + len(row.Title) + len(row.Text) + len(row.Metadata) + 4*len(row.Vector)
	for _, p := range row.Passages {
		out.Passages = append(out.Passages, p.Text)
		if len(p.Vector) > 0 {
			out.PassageVectors = append(out.PassageVectors, p.Vector)
		}
		size += len(p.Text) + 4*len(p.Vector)
	}
	if _, err := w.out.Write([]tableRow{out}); err != nil {
		return err
	}
	if w.held += size; w.held < groupBytes {
		return nil
	}
	w.held = 0
	return w.out.Flush()
}

func (w *tableWriter) finish() error { return w.out.Close() }
