package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func deleteCommand() *cobra.Command {
	var from collectionFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "delete ID…",
		Short: "Delete documents by their ids",
		Example: `  nsfl delete -c notes drafts/old.md drafts/older.md
  nsfl delete --store postgres://db/notes?collection=notes drafts/old.md
  nsfl search -c notes -k 100 --json draft | jq -r '.hits[].id' | nsfl delete -c notes -`,
		Args: args(1, 1<<20, "ids, or - to read them from standard input, one a line"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if len(ids) == 1 && ids[0] == "-" {
				var err error
				if ids, err = lines(bufio.NewScanner(cmd.InOrStdin())); err != nil {
					return err
				}
			}
			c, _, err := from.openStore(cmd.Context(), false)
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // what is deleted is gone from the disk
			n, err := c.Delete(cmd.Context(), ids)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]int{"deleted": n, "unknown": len(ids) - n})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d of %d documents deleted\n", n, len(ids))
			return nil
		},
	}
	from.addPlace(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// lines are those that are not blank.
func lines(s *bufio.Scanner) (out []string, err error) {
	for s.Scan() {
		if line := strings.TrimSpace(s.Text()); line != "" {
			out = append(out, line)
		}
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	return out, nil
}
