package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func deleteCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "delete ID…",
		Short: "Delete documents by their ids",
		Example: `  nsfl delete -c notes drafts/old.md drafts/older.md
  nsfl delete --store postgres://db/notes?collection=notes drafts/old.md
  nsfl search -c notes -k 100 --json draft | jq -r '.hits[].id' | nsfl delete -c notes -`,
		Args: args(1, 1<<20, "ids, or - to read them from standard input, one a line"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if len(ids) == 1 && ids[0] == "-" {
				text, err := io.ReadAll(cmd.InOrStdin())
				if err != nil {
					return fmt.Errorf("reading standard input: %w", err)
				}
				ids = slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
				for i := range ids {
					ids[i] = strings.TrimSpace(ids[i])
				}
			}
			c, err := from.openStore(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // what is deleted is gone from the disk
			n, err := c.Delete(cmd.Context(), ids)
			if err != nil {
				return err
			}
			return say(cmd, map[string]int{"deleted": n, "unknown": len(ids) - n}, "%d of %d documents deleted", n, len(ids))
		},
	}
	from.addPlace(cmd.Flags())
	addJSON(cmd.Flags())
	return cmd
}
