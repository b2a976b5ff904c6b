package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/index"
)

func verifyCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Read all of a collection and compare it with its checksums",
		Long: `Verify reads everything and names what is damaged: file, place, and documents.
It exits with 1 if anything is. It can run beside a writer.`,
		Example: `  nsfl verify -c notes`,
		Args:    args(0, 0, "no words beside the flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := from.directory("verify", "use the server's own tools, or nsfl copy the collection to a directory, which compares every document")
			if err != nil {
				return err
			}
			r, err := index.Verify(cmd.Context(), dir)
			if err != nil {
				return err
			}
			damage := make([]string, len(r.Damage))
			for i, d := range r.Damage {
				damage[i] = d.String()
			}
			err = answer(cmd, map[string]any{"documents": r.Documents, "vectors": r.Vectors, "bytes": r.Bytes, "damage": damage}, func(w io.Writer) {
				fmt.Fprintf(w, "%d documents, %d vectors, %.1f MB read\n", r.Documents, r.Vectors, float64(r.Bytes)/1e6)
				for _, d := range damage {
					fmt.Fprintln(w, "damaged:", d)
				}
			})
			if err == nil && len(damage) > 0 {
				err = fmt.Errorf("%s is damaged in %d places; bring it back from a copy, or delete and index the documents named again", dir, len(damage))
			}
			return err
		},
	}
	from.addPlace(cmd.Flags())
	addJSON(cmd.Flags())
	return cmd
}
