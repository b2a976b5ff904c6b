package vectors

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// groupBytes is the amount of data in a row group.
const groupBytes = 64 << 20

type tableWriter struct {
	out  *parquet.GenericWriter[record]
	held int
}

func newTableWriter(temp *temporary) *tableWriter {
	// Statistics would repeat the least and the greatest text of each page.
	return &tableWriter{out: parquet.NewGenericWriter[record](temp,
		parquet.Compression(&zstd.Codec{}), parquet.DataPageStatistics(false))}
}

func (w *tableWriter) write(row *Row) error {
	if _, err := w.out.Write([]record{recordOf(row)}); err != nil {
		return err
	}
	w.held += len(row.ID) + len(row.Title) + len(row.Text) + len(row.Metadata) + 4*len(row.Vector)
	for _, p := range row.Passages {
		w.held += len(p.Text) + 4*len(p.Vector)
	}
	if w.held < groupBytes {
		return nil
	}
	w.held = 0
	return w.out.Flush()
}

func (w *tableWriter) finish() error { return w.out.Close() }
