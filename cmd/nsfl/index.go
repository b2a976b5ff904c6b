package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func indexCommand() *cobra.Command {
	var from collectionFlags
	var o ingest.Options
	var tokens int
	var prune, pictures bool
	cmd := &cobra.Command{
		Use:   "index FILE|DIR|-…",
		Short: "Read files and folders into a collection",
		Long: `Index reads files, and whole folders of them, into a collection, which it makes where
there is none: text, Markdown, HTML, Org, reStructuredText, LaTeX, PDF, DOCX, ODT, EPUB,
messages (.eml, .mbox), notebooks (.ipynb), source code (its comments, declarations and
names), and rows of CSV, TSV, JSON and JSONL (BEIR corpora among them); each plain or
compressed by gzip. A dash reads standard input.

In folders, what a .gitignore or .nsflignore leaves out is not read, nor are hidden files,
node_modules and files of other types. At the end it says what was not read, and why.

It can be interrupted at any moment and run again: files that have not changed are
skipped, those that have are read anew, and what is stored stays. Every document
keeps the name of its file in the metadata field "source".`,
		Example: `  nsfl index ~/notes -c notes
  nsfl index articles.jsonl.gz -c articles --text-field body
  nsfl index products.csv -c shop --id-field sku --title-field name
  nsfl index ~/notes -c notes --prune
  nsfl index ~/src/project -c project --include '*.go' --exclude '*_test.go'
  git log | nsfl index - -c notes --name history
  nsfl index ~/notes --store postgres://db/notes?collection=notes
  nsfl index ~/photos -c photos --pictures --encoder clip-vit-base-patch32`,
		Args: args(1, 1<<20, "files or folders"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := from.open(cmd, workspace.Options{Make: true})
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // what was stored is on the disk
			if pictures && c.Searcher().Picture == nil {
				return usageError{fmt.Errorf("the encoder %s reads no pictures; name one that does, such as --encoder clip-vit-base-patch32, for a new collection", c.Encoder().Identity().Name)}
			}
			if pictures {
				o.Types = []string{".jpg", ".jpeg", ".png"}
			}
			if o.Lengths, err = c.Lengths(tokens); err != nil {
				return usageError{err}
			}
			o.Stdin = cmd.InOrStdin()
			x := &indexer{collection: c, prune: prune, done: map[string]string{}}
			began := time.Now()
			err = x.run(cmd, args, o)
			x.Seconds = time.Since(began).Seconds()
			if e := answer(cmd, &x.indexed, x.print); e != nil {
				return e
			}
			if err != nil && cmd.Context().Err() != nil {
				return fmt.Errorf("interrupted; %d documents are stored, and the same command goes on from there", x.Documents)
			}
			return err
		},
	}
	f := cmd.Flags()
	from.addPlace(f)
	f.StringVar(&from.encoder, "encoder", "", "the encoder of a new collection: "+encoderHelp)
	f.StringVar(&o.ID, "id-field", "", "the column or field of the id, where it has an unusual name")
	f.StringVar(&o.Title, "title-field", "", "the column or field of the title")
	f.StringVar(&o.Text, "text-field", "", "the column or field of the text")
	f.IntVar(&tokens, "tokens", 0, "the most tokens of a passage; 0: 210, or as many as the encoder reads")
	f.StringArrayVar(&o.Include, "include", nil, "in folders, read only files that match this glob, such as '*.md' or 'doc/**'; more than once: one of them")
	f.StringArrayVar(&o.Exclude, "exclude", nil, "in folders, leave out what matches this glob")
	f.BoolVar(&o.NoIgnore, "no-ignore", false, "read also what .gitignore and .nsflignore leave out")
	f.StringVar(&o.Type, "type", "", "the type by which files that are named, and standard input, are read, such as jsonl")
	f.StringVar(&o.Name, "name", "", "the id of standard input, stdin where there is none")
	f.BoolVar(&prune, "prune", false, "remove the documents of files that are not there any more")
	f.BoolVar(&pictures, "pictures", false, "read JPEG and PNG pictures instead, with an encoder that can (CLIP, SigLIP, BLIP)")
	addQuiet(f)
	addJSON(f)
	return cmd
}
