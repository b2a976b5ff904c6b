package main

import (
	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server/client"
)

func deleteCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "delete ID…",
		Short: "Delete documents by their ids",
		Example: `  nsfl delete -c notes drafts/old.md drafts/older.md
  nsfl delete -c postgres://db/notes?collection=notes drafts/old.md
  nsfl search -c notes -k 100 --json draft | jq -r '.hits[].id' | nsfl delete -c notes -`,
		Args: args(1, 1<<20, "ids, or - to read them from standard input, one per line"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			ids, err := linesOf(cmd, ids)
			if err != nil {
				return err
			}
			n, err := deleteDocuments(cmd, from, ids)
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

// deleteDocuments deletes from a collection, directly or through the server that has it open.
func deleteDocuments(cmd *cobra.Command, from collectionFlags, ids []string) (int, error) {
	place, err := from.place()
	if err != nil {
		return 0, err
	}
	c, err := workspace.OpenStore(cmd.Context(), place, false)
	if err == nil {
		printNotices(cmd, c)
		defer c.Close() //nolint:errcheck // what is deleted is gone from the disk
		return c.Delete(cmd.Context(), ids)
	}
	address, name := holder(cmd, place, err)
	if address == "" {
		return 0, err
	}
	served, err := client.New(address, name)
	if err != nil {
		return 0, err
	}
	return served.Delete(cmd.Context(), ids...)
}
