package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/vectors"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func importCommand() *cobra.Command {
	var from collectionFlags
	var side string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Import documents with vectors",
		Long: `Import reads JSONL and npy files. Rows with a vector keep it; rows without
one are encoded. Name the encoder of the vectors with --encoder: queries must be
encoded by the same one. Without it, only like:ID can be searched.`,
		Example: `  nsfl import vectors.npy --side rows.jsonl -c mine --encoder ollama:nomic-embed-text
  nsfl import notes.jsonl.gz -c notes --encoder builtin
  nsfl import embeddings.npy -c bare`,
		Args: args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := vectors.Open(args[0], side)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // it is only read
			place, err := from.place()
			if err != nil {
				return err
			}
			if from.encoder == "" && r.Dimension() > 0 && !workspace.Holds(cmd.Context(), place) {
				from.encoder = named.Unknown(r.Dimension()) // the encoder was not named
			}
			c, err := from.open(cmd, workspace.Options{Make: true})
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // what was stored is on the disk
			if err := c.Create(cmd.Context()); err != nil {
				return err
			}
			if d := c.Encoder().Identity().Dimension; r.Dimension() > 0 && d != r.Dimension() {
				return fmt.Errorf("%s has vectors of %d dimensions, the encoder %s makes %d; name the encoder that made them", args[0], r.Dimension(), c.Encoder().Identity(), d)
			}
			bar := newBar(cmd, "importing", 0, "rows")
			n, err := importRows(cmd.Context(), c.Collection, r, bar)
			bar.Done("")
			if err != nil {
				return fmt.Errorf("%w (%d documents before it are stored)", err, n)
			}
			return say(cmd, map[string]any{"documents": n}, "%s: %d documents stored", c.Place, n)
		},
	}
	f := cmd.Flags()
	from.addPlace(f)
	f.StringVar(&from.encoder, "encoder", "", "the encoder of the vectors: "+encoderHelp)
	f.StringVar(&side, "side", "", "a JSONL `FILE` with the ids, texts and metadata that belong to the vectors")
	addJSON(f)
	return cmd
}

// importRows stores rows in batches and returns how many were stored.
func importRows(ctx context.Context, c *nsfl.Collection, r *vectors.Reader, bar *progress.Bar) (stored int, err error) {
	var ready, texts []engine.Document // with vectors of their own, and without
	ids := map[string]bool{}
	flush := func() error {
		if _, err := c.Encode(ctx, texts); err != nil {
			return err
		}
		ready = append(ready, texts...)
		if err := c.Store().Upsert(ctx, ready); err != nil {
			return err
		}
		stored += len(ready)
		bar.Add(int64(len(ready)))
		ready, texts = ready[:0], texts[:0]
		clear(ids)
		return nil
	}
	for number := 0; ; number++ {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return stored, flush()
		}
		if err != nil {
			return stored, errors.Join(err, flush())
		}
		if row.ID == "" {
			row.ID = fmt.Sprintf("row-%09d", number)
		}
		if ids[row.ID] { // the later row replaces the earlier
			if err := flush(); err != nil {
				return stored, err
			}
		}
		ids[row.ID] = true
		if d := asStored(row); len(d.Vector) > 0 {
			ready = append(ready, d)
		} else {
			texts = append(texts, d)
		}
		if len(ids) >= importBatch {
			if err := flush(); err != nil {
				return stored, err
			}
		}
	}
}

// importBatch is the number of rows in a batch.
const importBatch = 1024

// asStored returns the document for a row. If the row has a vector, passages without vectors
// become its text.
func asStored(row vectors.Row) engine.Document {
	d := row
	d.Passages = nil
	for _, p := range row.Passages {
		if len(row.Vector) == 0 || len(p.Vector) > 0 || len(row.Passages) == 1 {
			d.Passages = append(d.Passages, p)
		} else if row.Text == "" {
			d.Text += p.Text + "\n\n"
		}
	}
	return d
}
