package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/nsfl-go/nsfl/internal/version"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages to a folder",
		Hidden: true, // for those who make packages
		Long: `Man writes a page of section 1 for each command to a folder, which it creates if needed.
SOURCE_DATE_EPOCH sets the date of the pages.`,
		Example: `  nsfl man man/man1`,
		Args:    args(1, 1, "the folder"),
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := os.MkdirAll(words[0], 0o777); err != nil {
				return fmt.Errorf("making the folder of the manual: %w", err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			forAnyMachine(root)
			header := &doc.GenManHeader{Section: "1", Source: "nsfl " + version.This().String(), Manual: "nsfl"}
			if err := doc.GenManTree(root, header, words[0]); err != nil {
				return fmt.Errorf("writing the manual: %w", err)
			}
			return nil
		},
	}
}

// forAnyMachine removes defaults that depend on this machine.
func forAnyMachine(root *cobra.Command) {
	for _, c := range root.Commands() {
		if c.Name() != "serve" {
			continue
		}
		for _, name := range ofMachine {
			f := c.Flags().Lookup(name)
			f.DefValue, f.Usage = "", f.Usage+"; by default as the machine allows"
		}
	}
}
