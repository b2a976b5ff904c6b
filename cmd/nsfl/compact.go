package main

import (
	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/index"
)

func compactCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:     "compact",
		Short:   "Free the space of deleted documents",
		Example: `  nsfl compact -c notes`,
		Args:    args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			dir, err := from.directory("compact", "the server frees space itself, and its own tools help, such as VACUUM in PostgreSQL")
			if err != nil {
				return err
			}
			c, err := index.Open(ctx, dir, index.Options{})
			if err != nil {
				return err
			}
			printNotices(cmd, c)
			defer c.Close()
			before, err := c.Stats(ctx)
			if err != nil {
				return err
			}
			if err := c.Compact(ctx); err != nil {
				return err
			}
			after, err := c.Stats(ctx)
			if err != nil {
				return err
			}
			return say(cmd, map[string]any{"bytes_before": before.Bytes, "bytes_after": after.Bytes, "documents_freed": before.Deleted},
				"%d deleted documents freed: %.1f MB → %.1f MB", before.Deleted, float64(before.Bytes)/1e6, float64(after.Bytes)/1e6)
		},
	}
	from.addPlace(cmd.Flags())
	addJSON(cmd.Flags())
	return cmd
}
