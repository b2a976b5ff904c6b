package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/strategy"
)

func queryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query",
		Short: "Translate search strategies of PubMed and Ovid",
		Example: `  nsfl query import strategy.txt -c records
  nsfl query export --to ovid 'text:(aspirin NEAR/3 stroke*)'`,
		Args: args(0, 0, "import or export"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(queryImportCommand(), queryExportCommand())
	return cmd
}

// imported is the answer of nsfl query import.
type imported struct {
	Formula string         `json:"formula"`
	Lines   []importedLine `json:"lines"`
}

type importedLine struct {
	strategy.Line
	Formula   string `json:"formula"`
	Documents *int   `json:"documents,omitempty"` // that match the line in the collection
}

func queryImportCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Print a PubMed or Ovid strategy as a formula",
		Long: `Import prints a search strategy of PubMed or Ovid as a formula, then each line with what
could not be carried over and, with a collection, the number of documents that match it.

Lines may be numbered and refer to each other (1 and 2, or/1-3); otherwise the file is one
query. The last line is the result.`,
		Example: `  nsfl query import strategy.txt
  nsfl query import strategy.txt -c records
  pbpaste | nsfl query import -`,
		Args: args(1, 1, "one file, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readStrategy(cmd, args[0])
			if err != nil {
				return err
			}
			lines, err := strategy.Import(text)
			if err != nil {
				return fmt.Errorf("reading %s: %w", args[0], err)
			}
			out := &imported{}
			for _, line := range lines {
				l := importedLine{Line: line}
				if line.Node != nil {
					l.Formula = line.Node.String()
				}
				out.Lines = append(out.Lines, l)
				out.Formula = l.Formula
			}
			if from.given() {
				if err := out.count(cmd, &from); err != nil {
					return err
				}
			}
			return answer(cmd, out, out.print)
		},
	}
	from.addPlace(cmd.Flags())
	addJSON(cmd.Flags())
	return cmd
}

func readStrategy(cmd *cobra.Command, name string) (string, error) {
	in := cmd.InOrStdin()
	if name != standardInput {
		file, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, strategy.MaxBytes+1))
	return strings.ToValidUTF8(string(text), "�"), err
}

// count counts the documents of each line.
func (o *imported) count(cmd *cobra.Command, from *collectionFlags) error {
	c, err := from.openStore(cmd.Context(), true)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // it is only read
	for i := range o.Lines {
		n := 0
		if line := &o.Lines[i]; line.Node != nil {
			f, err := query.Normalize(line.Node)
			if err != nil {
				return err
			}
			for _, err := range engine.All(cmd.Context(), c, engine.Page{Filter: f.Filter, Limit: 1000}) {
				if err != nil {
					return fmt.Errorf("counting line %d: %w", line.Number, err)
				}
				n++
			}
		}
		o.Lines[i].Documents = &n
	}
	return nil
}

func (o *imported) print(w io.Writer) {
	w = termsafe.Writer(w)
	if o.Formula == "" {
		fmt.Fprintln(w, "nothing of the last line can be carried over")
	} else {
		fmt.Fprintln(w, o.Formula)
	}
	if _, err := query.Parse(o.Formula); err != nil && o.Formula != "" {
		var syntax *query.SyntaxError
		if errors.As(err, &syntax) {
			fmt.Fprintf(w, "\nthe formula is too large to search with: %s\n", syntax.Msg)
		}
	}
	for _, line := range o.Lines {
		fmt.Fprintf(w, "\n%3d  %s\n", line.Number, line.Text)
		if line.Documents != nil {
			fmt.Fprintf(w, "     %d documents\n", *line.Documents)
		}
		for _, lost := range line.Lost {
			fmt.Fprintf(w, "     lost: %s\n", lost)
		}
	}
}

func queryExportCommand() *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "export FORMULA",
		Short: "Print a formula as a PubMed or Ovid search",
		Long: `Export prints a formula as a search for PubMed or Ovid, and what that cannot express.
Words that are compared by meaning become words in title and abstract.`,
		Example: `  nsfl query export --to pubmed 'title:(heart OR cardiac) AND aspirin NEAR/5 prevention'
  nsfl query export --to ovid 'wom?n AND text:(single OR double) NEAR/3 text:(blind* OR mask*)'`,
		Args: formulaArgs,
		RunE: withFormula(func(cmd *cobra.Command, text string) error {
			n, err := query.Parse(text)
			if err != nil {
				return err
			}
			exported, lost := strategy.Export(n, to)
			return answer(cmd, map[string]any{"text": exported, "lost": lost}, func(w io.Writer) {
				w = termsafe.Writer(w)
				if exported == "" {
					exported = "nothing of the formula can be expressed"
				}
				fmt.Fprintln(w, exported)
				for _, text := range lost {
					fmt.Fprintf(w, "lost: %s\n", text)
				}
			})
		}),
	}
	addChoice(cmd.Flags(), &to, "to", strategy.Dialects[0], strategy.Dialects, "the `DIALECT`: "+strings.Join(strategy.Dialects, " or "))
	addJSON(cmd.Flags())
	return cmd
}
