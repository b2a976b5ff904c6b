package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func infoCommand() *cobra.Command {
	var from collectionFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Describe a collection",
		Example: `  nsfl info -c notes
  nsfl info -c notes --json`,
		Args: args(0, 0, "no words beside the flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := from.index(cmd.Context(), true)
			if err != nil {
				return err
			}
			defer c.Close()
			s, err := c.Stats(cmd.Context())
			if err != nil {
				return err
			}
			notes, err := c.Notes(cmd.Context(), "")
			if err != nil {
				return err
			}
			files := 0
			for name := range notes {
				if len(name) > len(fileNote) && name[:len(fileNote)] == fileNote {
					files++
				}
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{
					"collection": from.dir, "documents": s.Documents, "vectors": s.Vectors, "deleted": s.Deleted, "dimension": s.Dimension,
					"encoder": notes[encoderNote], "encoder_identity": s.Encoder, "codes": s.Codes.String(), "bytes": s.Bytes, "code_bytes": s.CodeBytes,
					"files": files, "generation": s.Generation,
				})
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "collection  %s\n", from.dir)
			fmt.Fprintf(w, "documents   %d", s.Documents)
			if files > 0 {
				fmt.Fprintf(w, ", from %d files", files)
			}
			fmt.Fprintf(w, "\nvectors     %d of %d dimensions, %.1f MB, of which searches read %.1f MB (%s)\n", s.Vectors, s.Dimension, float64(s.Bytes)/1e6, float64(s.CodeBytes)/1e6, s.Codes)
			if word := notes[encoderNote]; word != "" {
				fmt.Fprintf(w, "encoder     %s\n", word)
			}
			fmt.Fprintf(w, "identity    %s\n", s.Encoder)
			if s.Deleted > 0 {
				fmt.Fprintf(w, "deleted     %d documents still take space; nsfl compact -c %s frees it\n", s.Deleted, from.dir)
			}
			return nil
		},
	}
	from.addDir(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}
