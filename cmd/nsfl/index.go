package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os/signal"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/indexing"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/suggest"
	"github.com/nsfl-go/nsfl/internal/termsafe"
)

func indexCommand() *cobra.Command {
	var from collectionFlags
	var o indexing.Options
	var tokens int
	var pictures, watch bool
	cmd := &cobra.Command{
		Use:   "index FILE|DIR|-…",
		Short: "Read files and folders into a collection",
		Long: `Index reads files, and whole folders of them, into a collection, which it makes
when the first document has been read: text, Markdown, HTML, Org, reStructuredText, LaTeX, PDF, DOCX, ODT, EPUB,
messages (.eml, .mbox), notebooks (.ipynb), source code (its comments, declarations and
names), and rows of CSV, TSV, JSON and JSONL (BEIR corpora among them); each plain or
compressed by gzip. A dash reads standard input.

In folders, what a .gitignore or .nsflignore leaves out is not read, nor are hidden files,
node_modules and files of other types. At the end it says what was not read, and why.

It can be interrupted at any moment and run again: what is stored stays, files that
have not changed are skipped, and of those that have, only documents that differ are
encoded. Every document keeps the name of its file in the metadata field "source", or
"source_file" where it has a source of its own.

A file is known by where it is, and keeps its name. Where two files have the same path
below what was named, more of the path of the second stands before it; where two
documents have the same id, the second has that of its file before it, cities.csv#1.
Nothing is replaced by what comes from elsewhere.

--prune removes what came from files that are gone, below what is named and nowhere
else; what is named may be gone itself. --watch stays, makes another pass whenever
something changes, and removes like --prune; between passes others can write.

Where nsfl serve holds the collection, documents go through the server. --server does
the same with one elsewhere, in which -c names the collection; its key is in $NSFL_KEY.`,
		Example: `  nsfl index ~/notes -c notes
  nsfl index articles.jsonl.gz -c articles --text-field body
  nsfl index products.csv -c shop --id-field sku --title-field name
  nsfl index ~/notes -c notes --prune
  nsfl index ~/src/project -c project --include '*.go' --exclude '*_test.go'
  git log | nsfl index - -c notes --name history
  nsfl index ~/notes -c notes --watch
  nsfl index ~/notes -c notes --server https://search.example.org
  nsfl index ~/notes --store postgres://db/notes?collection=notes
  nsfl index ~/photos -c photos --pictures --encoder clip-vit-base-patch32`,
		Args: args(1, 1<<20, "files or folders"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
			defer stop()
			x := &indexer{cmd: cmd, from: from, options: o, paths: args, tokens: tokens, pictures: pictures, watch: watch}
			x.options.Ingest.Stdin = cmd.InOrStdin()
			if pictures {
				x.options.Ingest.Types = []string{".jpg", ".jpeg", ".png"}
			}
			if !watch {
				return x.pass(ctx, nil)
			}
			if slices.Contains(args, ingest.StandardInput) {
				return usageError{errors.New("standard input cannot be watched; name files or folders")}
			}
			x.options.Prune, x.options.Patient = true, true
			err := indexing.Watch(ctx, args, func(text string) { fmt.Fprintln(termsafe.Writer(cmd.ErrOrStderr()), text) }, x.pass)
			if ctx.Err() != nil {
				return nil // that is how it ends
			}
			return err
		},
	}
	f := cmd.Flags()
	from.addPlace(f)
	f.StringVar(&from.server, "server", "", "the address of the server that has the collection, such as http://127.0.0.1:7700")
	f.StringVar(&from.encoder, "encoder", "", "the encoder of a new collection: "+encoderHelp)
	f.StringVar(&o.Ingest.ID, "id-field", "", "the column or field of the id, where it has an unusual name")
	f.StringVar(&o.Ingest.Title, "title-field", "", "the column or field of the title")
	f.StringVar(&o.Ingest.Text, "text-field", "", "the column or field of the text")
	f.IntVar(&tokens, "tokens", 0, "the most tokens of a passage; 0: 210, or as many as the encoder reads")
	f.StringArrayVar(&o.Ingest.Include, "include", nil, "in folders, read only files that match this glob, such as '*.md' or 'doc/**'; more than once: one of them")
	f.StringArrayVar(&o.Ingest.Exclude, "exclude", nil, "in folders, leave out what matches this glob")
	f.BoolVar(&o.Ingest.NoIgnore, "no-ignore", false, "read also what .gitignore and .nsflignore leave out")
	f.StringVar(&o.Ingest.Type, "type", "", "the type by which files that are named, and standard input, are read, such as jsonl")
	f.StringVar(&o.Ingest.Name, "name", "", "the id of standard input, stdin where there is none")
	f.BoolVar(&o.Prune, "prune", false, "remove the documents of files that are not there any more")
	f.BoolVar(&watch, "watch", false, "stay, and follow what changes; what is gone is removed")
	f.BoolVar(&pictures, "pictures", false, "read JPEG and PNG pictures instead, with an encoder that can (CLIP, SigLIP, BLIP)")
	group(f, elsewhere, "server", "encoder")
	addQuiet(f)
	addJSON(f)
	return cmd
}

// indexer makes one pass or, watching, many.
type indexer struct {
	cmd             *cobra.Command
	from            collectionFlags
	options         indexing.Options
	paths           []string
	tokens          int // the most of a passage
	pictures, watch bool

	known map[string]ingest.Fingerprint // after a pass; nil: there was none
}

// pass brings the collection up to date once. Where it is so already since the pass
// before, the collection is not opened.
func (x *indexer) pass(ctx context.Context, folder func(string)) error {
	o := x.options
	o.Ingest.Folder = folder
	o.Bar = func(total int64) *progress.Bar { return newBar(x.cmd, "indexing", total, progress.Bytes) }
	var to *target
	if x.pictures {
		o.Read = func(ctx context.Context, s ingest.Source, skip func(ingest.Skip)) iter.Seq2[engine.Document, error] {
			return pictureOf(ctx, to, s, skip)
		}
	}
	p, err := indexing.Find(ctx, x.paths, o)
	if err != nil {
		return err
	}
	later := x.known != nil
	if later {
		p.Forget() // it has been told
		if err := p.Compare(ctx, x.known); err != nil || p.Idle() {
			return err
		}
	}
	if to, err = x.from.openTarget(ctx, x.cmd); err != nil {
		return err
	}
	defer to.Close() //nolint:errcheck // what was stored is on the disk
	if x.pictures && to.picture == nil {
		return usageError{fmt.Errorf("%s reads no pictures; name an encoder that does, such as --encoder clip-vit-base-patch32, for a new collection that no server holds", to.place)}
	}
	lengths, err := to.lengths(x.tokens)
	if err != nil {
		return usageError{err}
	}
	p.CutInto(lengths)
	files, err := to.Files(ctx)
	if err == nil {
		err = p.Compare(ctx, files)
	}
	if err != nil {
		return err
	}
	err = p.Apply(ctx, to)
	e := answer(x.cmd, &p.Report, func(w io.Writer) {
		p.Print(w, to.place)
		if to.made != nil && x.from.dir != "" {
			fmt.Fprintf(w, "to search it: nsfl search -c %s '%s'\n", x.from.dir, example(ctx, to.made))
		}
	})
	if e != nil {
		return e
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("interrupted; %d documents are stored, and the same command goes on from there", p.Documents)
	case err != nil:
		return err
	case !x.watch && !to.isMade():
		return errors.New("nothing could be read, and no collection was made")
	}
	x.known, err = to.Files(ctx)
	return err
}

// example is a query to try on a new collection, of its own words where it has enough.
func example(ctx context.Context, store engine.Collection) string {
	examples, _ := suggest.Of(ctx, store) // of what cannot be read there are none
	for _, e := range examples {
		if !strings.Contains(e.Query, "'") { // which a shell would read
			return e.Query
		}
	}
	return "dog AND NOT ball"
}

// pictureOf reads a file as a document whose vector is the picture's and whose title is
// the file's name.
func pictureOf(ctx context.Context, to *target, s ingest.Source, skip func(ingest.Skip)) iter.Seq2[engine.Document, error] {
	return func(yield func(engine.Document, error) bool) {
		vector, err := to.picture(ctx, s.Path)
		if err != nil && ctx.Err() == nil {
			skip(ingest.Skip{Path: s.Path, Kind: ingest.Unreadable, Reason: err.Error()})
			yield(engine.Document{}, indexing.ErrUnread)
			return
		}
		name := path.Base(s.Name)
		yield(engine.Document{ID: s.Name, Title: strings.TrimSuffix(name, path.Ext(name)), Vector: vector}, ctx.Err())
	}
}
