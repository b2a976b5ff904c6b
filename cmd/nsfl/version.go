package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/version"
)

func versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  nsfl version
  nsfl version --json`,
		Args: args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := version.This()
			return answer(cmd, b, func(w io.Writer) {
				fmt.Fprintf(w, "nsfl %s, %s, %s\n", b.Version, b.Platform, b.Go)
				if b.Revision != "" {
					fmt.Fprintf(w, "of commit %s\n", b.Short())
				}
			})
		},
	}
	addJSON(cmd.Flags())
	return cmd
}
