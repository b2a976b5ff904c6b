package main

import (
	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vectors"
)

func exportCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a collection to a file",
		Long: `Export writes documents and vectors to JSONL (.jsonl, .jsonl.gz), or the vectors
alone to npy. The file gets its name when it is complete.`,
		Example: `  nsfl export -c notes notes.jsonl.gz
  nsfl export -c notes notes.npy
  nsfl export -c postgres://db/notes?collection=notes notes.jsonl.gz`,
		Args: args(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := from.openStore(cmd.Context(), true)
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // it is only read
			w, err := vectors.Create(args[0])
			if err != nil {
				return err
			}
			n, err := export(cmd, c, w)
			if err != nil {
				w.Abort()
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
			return say(cmd, map[string]any{"documents": n, "file": args[0]}, "%d documents written to %s", n, args[0])
		},
	}
	f := cmd.Flags()
	from.addPlace(f)
	addJSON(f)
	return cmd
}

// export writes all documents, in the order in which the store lists them.
func export(cmd *cobra.Command, c engine.Collection, w *vectors.Writer) (n int, err error) {
	size, err := c.Size(cmd.Context())
	if err != nil {
		return 0, err
	}
	bar := newBar(cmd, "exporting", int64(size.Documents), "documents")
	defer bar.Done("")
	for d, err := range engine.All(cmd.Context(), c, engine.Page{Limit: 256, Parts: engine.AllParts}) {
		if err != nil {
			return n, err
		}
		if err := w.Write(d); err != nil {
			return n, err
		}
		n++
		bar.Add(1)
	}
	return n, nil
}
