package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/progress"
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
otherwise it must be empty or an unfinished copy of the same source.

You can interrupt it and run it again: it continues. At the end all documents are read back
from both sides and compared, vectors bit for bit. Do not write to either side meanwhile. Put
passwords into the environment (PGPASSWORD, WEAVIATE_API_KEY, CHROMA_TOKEN, MILVUS_TOKEN,
ELASTIC_PASSWORD), not into an address.`,
		Example: `  nsfl copy notes backup/notes
  nsfl copy notes postgres://db/notes?collection=notes
  nsfl copy 'weaviate://localhost:8080/?collection=Notes' elastic://localhost:9200/?collection=notes
  nsfl copy 'postgres://db/shop?table=items' items --encoder openai:text-embedding-3-small`,
		Args: args(2, 2, "two places, each a directory or an address"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c.cmd, c.from, c.to = cmd, args[0], args[1]
			began := time.Now()
			if err := c.run(cmd.Context()); err != nil {
				return c.explain(err)
			}
			c.Seconds = time.Since(began).Seconds()
			return answer(cmd, &c.copied, c.print)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.encoder, "encoder", "", "the encoder of the vectors, if the store does not say: "+encoderHelp)
	f.BoolVar(&c.restart, "restart", false, "start over, and copy everything again")
	addQuiet(f)
	addJSON(f)
	return cmd
}

// copying holds the state of nsfl copy.
type copying struct {
	cmd      *cobra.Command
	from, to string
	restart  bool
	encoder  string

	copied
}

// copied reports what was done.
type copied struct {
	Source    string  `json:"from"`
	Target    string  `json:"to"`
	Documents int     `json:"documents"` // in both
	Before    int     `json:"before"`    // that earlier runs had copied
	Already   bool    `json:"already"`   // it was complete before
	Checksum  string  `json:"checksum"`
	Seconds   float64 `json:"seconds"`

	changed string // what has become of both since, where it was complete before
}

// run copies missing documents, compares both sides, and marks the copy as complete.
func (c *copying) run(ctx context.Context) error {
	c.Source, c.Target = stores.Shown(c.from), stores.Shown(c.to)
	if stores.Canonical(c.from) == stores.Canonical(c.to) {
		return transfer.ErrSelf
	}
	from, err := stores.Open(ctx, c.from, engine.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // it is only read
	size, err := from.Size(ctx)
	if err != nil {
		return err
	}
	target := engine.Options{Dimension: size.Dimension, Encoder: from.Encoder()}
	word, err := c.name(ctx, from, &target)
	if err != nil {
		return err
	}
	filling := target
	filling.Fill = true
	to, err := stores.Open(ctx, c.to, filling)
	if err != nil {
		return err
	}
	o := transfer.Options{Source: stores.Canonical(c.from), Restart: c.restart, Later: []string{workspace.FileNote}}
	state, err := c.fill(ctx, from, to, size.Documents, o)
	if err == nil && word != "" {
		err = to.SetNotes(ctx, map[string]string{workspace.EncoderNote: word})
	}
	if err := errors.Join(err, to.Close()); err != nil || c.Already {
		return err
	}
	// An engine builds its index when it is opened again.
	if to, err = stores.Open(ctx, c.to, target); err != nil {
		return err
	}
	defer to.Close() //nolint:errcheck // what was written is on the disk
	return c.compare(ctx, from, to, state, o)
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
		return "", &nsfl.EncoderError{Dir: c.Source, Stored: encoder.Identity{Dimension: target.Dimension}, Given: id}
	}
	target.Encoder = nsfl.EncoderName(e.Identity())
	return word, nil
}

// fill copies documents that were not copied yet.
func (c *copying) fill(ctx context.Context, from, to engine.Collection, documents int, o transfer.Options) (*transfer.State, error) {
	before, err := transfer.Read(ctx, to)
	if err != nil {
		return nil, err
	}
	if before != nil && before.Complete && before.Source == o.Source && !o.Restart {
		size, err := to.Size(ctx)
		if n := before.Documents; n != documents || n != size.Documents {
			c.changed = fmt.Sprintf("the source has %d documents now, the target %d; --restart copies all of them again", documents, size.Documents)
		}
		c.Already, c.Documents, c.Checksum = true, before.Documents, before.Checksum
		return before, err
	}
	bar := newBar(c.cmd, "copying", int64(documents), progress.Items("documents"))
	defer bar.Done("")
	if before != nil && before.Source == o.Source && !o.Restart {
		c.Before = before.Documents
		bar.Skip(int64(before.Documents))
	}
	o.Progress = func(n int) { c.Documents = n; bar.Set(int64(n)) }
	c.Documents = c.Before
	return transfer.Copy(ctx, from, to, o)
}

// compare compares both sides and marks the copy as complete.
func (c *copying) compare(ctx context.Context, from, to engine.Collection, state *transfer.State, o transfer.Options) error {
	bar := newBar(c.cmd, "comparing", int64(2*state.Documents), progress.Items("documents"))
	sum, err := transfer.Compare(ctx, from, to, func(n int) { bar.Set(int64(n)) })
	bar.Done("")
	if err != nil {
		return err
	}
	c.Documents, c.Checksum = sum.Documents, sum.String()
	return transfer.Finish(ctx, from, to, state, sum, o)
}

// explain adds to an error what was being done, and what to do.
func (c *copying) explain(err error) error {
	what := fmt.Sprintf("copying %s to %s", c.Source, c.Target)
	switch {
	case c.cmd.Context().Err() != nil:
		return fmt.Errorf("interrupted; %d documents are copied, and the same command goes on from there", c.Documents)
	case errors.Is(err, transfer.ErrSelf):
		return usageError{fmt.Errorf("%s: %w", what, err)}
	case errors.As(err, new(*transfer.TargetError)):
		return fmt.Errorf("%s: %w", what, err)
	case errors.As(err, new(*transfer.DifferenceError)):
		return fmt.Errorf("%s: after the copy, %w. If one of them was written to meanwhile, copy to a new place; --restart replaces changed documents, but leaves those that only the target has", what, err)
	case c.Documents > 0:
		return fmt.Errorf("%w (%d documents are copied, and the same command goes on from there)", err, c.Documents)
	}
	return err
}

// print prints the report.
func (c *copied) print(w io.Writer) {
	if c.Already {
		fmt.Fprintf(w, "%s is already a complete copy of %s: %d documents, checksum %s\n", c.Target, c.Source, c.Documents, c.Checksum)
		if c.changed != "" {
			fmt.Fprintln(w, c.changed)
		}
		return
	}
	fmt.Fprintf(w, "%s: %d documents copied from %s in %.1f s", c.Target, c.Documents, c.Source, c.Seconds)
	if c.Before > 0 {
		fmt.Fprintf(w, ", %d of them before", c.Before)
	}
	fmt.Fprintf(w, "; both have the checksum %s\n", c.Checksum)
}
