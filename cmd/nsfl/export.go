package main

import (
	"context"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/vectors"
)

func exportCommand() *cobra.Command {
	var from collectionFlags
	var format string
	var half, ids, rows, asJSON bool
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a collection to a file",
		Long: `Export writes documents and vectors to JSONL (.jsonl, .jsonl.gz) or parquet, or the
vectors alone to npy, fvecs or fbin. The file appears under its name when it is
complete.`,
		Example: `  nsfl export -c notes notes.jsonl.gz
  nsfl export -c notes notes.parquet
  nsfl export -c notes --rows notes.npy
  nsfl export --store postgres://db/notes?collection=notes notes.jsonl.gz`,
		Args: args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, _, err := from.openStore(cmd.Context(), true)
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // it is only read
			o := vectors.WriteOptions{Half: half}
			switch {
			case rows:
				o.Side = vectors.SideRows
			case ids:
				o.Side = vectors.SideIDs
			}
			w, err := vectors.Create(args[0], vectors.Format(format), o)
			if err != nil {
				return err
			}
			n, err := export(cmd.Context(), c, w, func(total int) *progress.Bar {
				return newBar(cmd, "exporting", int64(total), progress.Items("documents"), asJSON)
			})
			if err != nil {
				w.Abort()
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"documents": n, "file": args[0]})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d documents written to %s\n", n, args[0])
			return nil
		},
	}
	f := cmd.Flags()
	from.addPlace(f)
	f.StringVar(&format, "format", "", "jsonl, parquet, npy, fvecs or fbin; by the file's name otherwise")
	f.BoolVar(&half, "half", false, "npy: numbers of 16 bits")
	f.BoolVar(&ids, "ids", false, "write the ids beside a file of vectors alone, to FILE.ids.txt")
	f.BoolVar(&rows, "rows", false, "write ids, texts and metadata beside it, to FILE.rows.jsonl")
	f.BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// export writes all documents, in the order in which the store lists them.
func export(ctx context.Context, c engine.Collection, w *vectors.Writer, newBar func(int) *progress.Bar) (n int, err error) {
	size, err := c.Size(ctx)
	if err != nil {
		return 0, err
	}
	bar := newBar(size.Documents)
	defer bar.Done("")
	for docs, err := range pages(ctx, c, engine.Page{Limit: batchSize, Parts: engine.AllParts}) {
		if err != nil {
			return n, err
		}
		for _, d := range docs {
			if err := w.Write(d); err != nil {
				return n, err
			}
			n++
		}
		bar.Add(int64(len(docs)))
	}
	return n, nil
}

// pages are those of a collection's list, from one on. An error is the last.
func pages(ctx context.Context, c engine.Collection, page engine.Page) iter.Seq2[[]engine.Document, error] {
	return func(yield func([]engine.Document, error) bool) {
		for {
			docs, mark, err := c.List(ctx, page)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(docs) == 0 || !yield(docs, nil) {
				return
			}
			page.After = mark
		}
	}
}

// newBar shows progress on standard error.
func newBar(cmd *cobra.Command, title string, total int64, unit progress.Unit, quiet bool) *progress.Bar {
	w := cmd.ErrOrStderr()
	return progress.New(w, progress.Options{Title: title, Total: total, Unit: unit, Terminal: progress.IsTerminal(w), Quiet: quiet})
}
