package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/index"
)

func verifyCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check a collection against its checksums",
		Long: `Verify reads a whole collection and lists what is damaged: the file, the place in it, and
the documents. It exits with 1 if anything is damaged. The collection can be written to
meanwhile.`,
		Example: `  nsfl verify -c notes`,
		Args:    args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := from.directory("verify", "use the server's own tools, or copy the collection to a directory with nsfl copy, which compares every document")
			if err != nil {
				return err
			}
			r, err := index.Verify(cmd.Context(), dir)
			if err != nil {
				return err
			}
			damage, doubts := sentences(r.Damage), sentences(r.Doubts)
			err = answer(cmd, map[string]any{"documents": r.Documents, "vectors": r.Vectors, "bytes": r.Bytes, "damage": damage, "doubts": doubts}, func(w io.Writer) {
				fmt.Fprintf(w, "%d documents, %d vectors, %.1f MB read\n", r.Documents, r.Vectors, float64(r.Bytes)/1e6)
				if r.Beyond > 0 {
					fmt.Fprintf(w, "%d bytes are of a batch that is not committed\n", r.Beyond)
				}
				for _, d := range damage {
					fmt.Fprintln(w, "damaged:", d)
				}
				for _, d := range doubts {
					fmt.Fprintln(w, "in doubt:", d)
				}
			})
			switch {
			case err != nil:
			case len(damage) == 0 && len(doubts) > 0:
				err = fmt.Errorf("%s may lack its last batch; nsfl repair recovers what is left of it, and nsfl compact continues without it and keeps it in %s", dir, filepath.Join(dir, "kept"))
			case len(damage) > 0:
				err = fmt.Errorf("%s is damaged in %d places; restore a backup, or recover the rest with nsfl repair", dir, len(damage))
			}
			return err
		},
	}
	from.addPlace(cmd.Flags())
	addJSON(cmd.Flags())
	return cmd
}

// sentences describes damage in words.
func sentences(all []index.Damage) []string {
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = d.String()
	}
	return out
}
