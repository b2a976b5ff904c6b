package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/transfer"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func copyCommand() *cobra.Command {
	var c copying
	cmd := &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy a collection to another place",
		Long: `Copy copies a collection with its vectors and settings to a directory, PostgreSQL
(postgres://…) or Elasticsearch (elastic://…). It can also copy from stores that are only
attached: tables, and weaviate://…, milvus://…, qdrant://… and chroma://…. The target is created if needed;
otherwise it must be empty or an earlier copy of the same source.

At the end all documents are read back from both sides and compared, vectors bit for bit. Do
not write to either side meanwhile. If a copy is interrupted, the same command makes it
complete. Put passwords into the environment (PGPASSWORD, WEAVIATE_API_KEY, CHROMA_TOKEN,
MILVUS_TOKEN, ELASTIC_PASSWORD), not into an address.`,
		Example: `  nsfl copy notes backup/notes
  nsfl copy notes postgres://db/notes?collection=notes
  nsfl copy 'weaviate://localhost:8080/?collection=Notes' elastic://localhost:9200/?collection=notes
  nsfl copy 'postgres://db/shop?table=items' items --encoder openai:text-embedding-3-small`,
		Args: args(2, 2, "two places, each a directory or an address"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd, c.from, c.to = cmd, args[0], args[1]
			from, to := stores.Shown(c.from), stores.Shown(c.to)
			began := time.Now()
			sum, err := c.run(cmd.Context())
			if err != nil {
				return explainCopy(cmd.Context(), fmt.Errorf("copying %s to %s: %w", from, to, err))
			}
			seconds := time.Since(began).Seconds()
			return say(cmd, map[string]any{"from": from, "to": to, "documents": sum.Documents, "checksum": sum.String(), "seconds": seconds},
				"%s: %d documents copied from %s in %.1f s; both have the checksum %s", to, sum.Documents, from, seconds, sum)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.encoder, "encoder", "", "the encoder of the vectors, if the store does not say: "+encoderHelp)
	addQuiet(f)
	addJSON(f)
	return cmd
}

// copying is one run of nsfl copy.
type copying struct {
	cmd               *cobra.Command
	from, to, encoder string
}

// run copies all documents and compares both sides.
func (c *copying) run(ctx context.Context) (sum transfer.Sum, err error) {
	source := stores.Canonical(c.from)
	if source == stores.Canonical(c.to) {
		return sum, transfer.ErrSelf
	}
	from, err := stores.Open(ctx, c.from, engine.Options{ReadOnly: true})
	if err != nil {
		return sum, err
	}
	defer from.Close() //nolint:errcheck // it is only read
	size, err := from.Size(ctx)
	if err != nil {
		return sum, err
	}
	target := engine.Options{Dimension: size.Dimension, Encoder: from.Encoder()}
	word, err := c.name(ctx, from, &target)
	if err != nil {
		return sum, err
	}
	filling := target
	filling.Fill = true
	to, err := stores.Open(ctx, c.to, filling)
	if err != nil {
		return sum, err
	}
	bar := newBar(c.cmd, "copying", int64(size.Documents), "documents")
	err = transfer.Copy(ctx, from, to, source, func(n int) { bar.Set(int64(n)) })
	bar.Done("")
	if err == nil && word != "" {
		err = to.SetNotes(ctx, map[string]string{workspace.EncoderNote: word})
	}
	if err := errors.Join(err, to.Close()); err != nil {
		return sum, err
	}
	// An engine builds its index when it is opened again.
	if to, err = stores.Open(ctx, c.to, target); err != nil {
		return sum, err
	}
	defer to.Close() //nolint:errcheck // what was written is on the disk
	bar = newBar(c.cmd, "comparing", int64(2*size.Documents), "documents")
	defer bar.Done("")
	return transfer.Compare(ctx, from, to, func() { bar.Add(1) })
}

// name returns the encoder of an attached source: the one that was named for it, or unknown.
// The word is empty for other sources.
func (c *copying) name(ctx context.Context, from engine.Collection, target *engine.Options) (word string, err error) {
	if from.Encoder() != "" {
		return "", nil
	}
	word = named.Word(cmp.Or(workspace.Given(c.from, from, c.encoder), named.Unknown(target.Dimension)))
	e, err := named.Open(ctx, word)
	if err != nil {
		return "", err
	}
	defer e.Close() //nolint:errcheck // it has encoded nothing
	if id := e.Identity(); id.Dimension != target.Dimension {
		return "", &nsfl.EncoderError{Dir: stores.Shown(c.from), Stored: encoder.Identity{Dimension: target.Dimension}, Given: id}
	}
	target.Encoder = nsfl.EncoderName(e.Identity())
	return word, nil
}

// explainCopy adds to an error what to do.
func explainCopy(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted; the same command makes the copy complete")
	case errors.Is(err, transfer.ErrSelf):
		return usageError{err}
	case errors.As(err, new(*transfer.DifferenceError)):
		return fmt.Errorf("%w. If one of them was written to meanwhile, copy again, or to a new place: documents that only the target has stay there", err)
	}
	return err
}
