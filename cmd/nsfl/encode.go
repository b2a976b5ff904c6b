package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/internal/vec"
)

func encodeCommand() *cobra.Command {
	var word string
	cmd := &cobra.Command{
		Use:   "encode TEXT…",
		Short: "Encode texts",
		Long:  `Encode encodes texts and prints their similarities; with --json it prints the vectors.`,
		Example: `  nsfl encode 'a dog' 'a puppy' 'tax law'
  nsfl encode --encoder all-MiniLM-L6-v2 'a dog' 'a puppy' 'tax law'
  nsfl encode --json 'a dog'`,
		Args: args(1, 1000, "one text or more, or - to read them from standard input, one a line"),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := linesOf(cmd, args)
			if err != nil {
				return err
			}
			e, err := named.Open(cmd.Context(), word)
			if err != nil {
				return err
			}
			defer e.Close() //nolint:errcheck // nothing is lost by it
			encoded, err := e.Encode(cmd.Context(), encoder.Query, args)
			if err != nil {
				return err
			}
			return answer(cmd, map[string]any{"encoder": e.Identity(), "texts": args, "vectors": encoded.Vectors, "cut": encoded.Cut}, func(w io.Writer) {
				printCosines(w, args, encoded)
			})
		},
	}
	cmd.Flags().StringVar(&word, "encoder", "", encoderHelp)
	addJSON(cmd.Flags())
	return cmd
}

// printCosines prints a line for each text, with its cosines to all texts.
func printCosines(w io.Writer, texts []string, e encoder.Encoded) {
	for i, text := range texts {
		for j := range texts {
			fmt.Fprintf(w, "%6.3f ", vec.Dot64(e.Vectors[i], e.Vectors[j]))
		}
		cut := ""
		if e.Cut[i] {
			cut = "   (longer than the encoder reads; its end was cut off)"
		}
		fmt.Fprintf(w, "  %s%s\n", text, cut)
	}
}
