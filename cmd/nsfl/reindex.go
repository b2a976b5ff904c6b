package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/durable"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func reindexCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "reindex",
		Short: "Encode a collection again, with the newest encoder",
		Long: `Reindex encodes all texts of a collection again: with the newest revision of the built-in
encoder, or with another encoder. Vectors of different encoders cannot be compared, so a
collection keeps its encoder until then.

The new collection is written beside the old one and replaces it when it is complete.
Passages and metadata stay as they are; the files need not be there. A profile made by nsfl
tune is left behind, because it suits the old encoder.`,
		Example: `  nsfl reindex -c notes
  nsfl reindex -c notes --encoder bge-small-en-v1.5`,
		Args: args(0, 0, "no words beside the flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := from.directory("reindex", "index the files into a new collection")
			if err != nil {
				return err
			}
			n, err := reindex(cmd, dir, from.encoder)
			if err != nil {
				return fmt.Errorf("encoding %s again: %w", dir, err)
			}
			if n < 0 {
				return say(cmd, map[string]any{"documents": 0}, "%s was made with this encoder", dir)
			}
			return say(cmd, map[string]any{"documents": n}, "%s: %d documents encoded again", dir, n)
		},
	}
	from.addPlace(cmd.Flags())
	cmd.Flags().StringVar(&from.encoder, "encoder", "", "the encoder; default: the collection's, in its newest revision: "+encoderHelp)
	addQuiet(cmd.Flags())
	addJSON(cmd.Flags())
	return cmd
}

// reindex replaces the collection in a directory by one with new vectors. It returns the
// number of documents, or -1 if the vectors are those of the encoder.
func reindex(cmd *cobra.Command, dir, word string) (n int, err error) {
	ctx := cmd.Context()
	old, err := workspace.OpenStore(ctx, dir, false)
	if err != nil {
		return 0, err
	}
	made, before := dir+".reindexing", dir+".before"
	defer func() {
		err = errors.Join(err, old.Close())
		if err == nil && n >= 0 {
			err = replace(dir, made, before)
		}
	}()
	if word == "" && nsfl.IdentityOf(old.Encoder()).Name == builtin.Name {
		word = builtin.Word
	} else if word == "" {
		if word, err = workspace.Choose(ctx, dir, old, ""); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(os.RemoveAll(made), os.RemoveAll(before)); err != nil { // left by an interrupted run
		return 0, err
	}
	to, err := workspace.Open(ctx, made, workspace.Options{Encoder: word, Make: true})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := to.Create(ctx); err != nil {
		return 0, err
	}
	if old.Encoder() == nsfl.EncoderName(to.Encoder().Identity()) {
		return -1, os.RemoveAll(made)
	}
	if n, err = encodeAgain(cmd, old, to.Collection); err != nil {
		return n, errors.Join(err, os.RemoveAll(made))
	}
	return n, copyNotes(ctx, old, to.Store())
}

// encodeAgain stores the documents of a collection in another one, with new vectors.
func encodeAgain(cmd *cobra.Command, old engine.Collection, to *nsfl.Collection) (n int, err error) {
	ctx := cmd.Context()
	size, err := old.Size(ctx)
	if err != nil {
		return 0, err
	}
	bar := newBar(cmd, "encoding", int64(size.Documents), "documents")
	defer bar.Done("")
	documents := func(yield func(nsfl.Document) bool) {
		for d, failed := range engine.All(ctx, old, engine.Page{Limit: 256, Parts: engine.AllParts}) {
			if err = failed; err == nil && cmp.Or(d.Title, d.Text) == "" {
				err = fmt.Errorf("the document %q has no text; only its own encoder can encode it", d.ID)
			}
			d.Vector, d.Passages = nil, slices.Clone(d.Passages)
			for i := range d.Passages {
				d.Passages[i].Vector = nil
			}
			if err != nil || !yield(d) {
				return
			}
			n++
			bar.Add(1)
		}
	}
	stored := to.AddSeq(ctx, documents)
	return n, errors.Join(stored, err)
}

// copyNotes copies what a collection knows about its files, but not what belongs to its encoder.
func copyNotes(ctx context.Context, old, to engine.Collection) error {
	notes, err := old.Notes(ctx, "")
	if err != nil {
		return err
	}
	maps.DeleteFunc(notes, func(name, _ string) bool { return name == nsfl.ProfileNote || name == workspace.EncoderNote })
	if len(notes) == 0 {
		return nil
	}
	return to.SetNotes(ctx, notes)
}

// replace moves a complete directory to the place of another one and deletes that.
func replace(dir, made, before string) error {
	if err := durable.Rename(dir, before); err != nil {
		return err
	}
	if err := durable.Rename(made, dir); err != nil {
		return errors.Join(err, durable.Rename(before, dir))
	}
	return durable.RemoveAll(before)
}
