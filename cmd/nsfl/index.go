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
	"github.com/nsfl-go/nsfl/internal/indexing"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/suggest"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func indexCommand() *cobra.Command {
	var from collectionFlags
	var o indexing.Options
	var tokens int
	var pictures, watch bool
	cmd := &cobra.Command{
		Use:   "index FILE|DIR|-…",
		Short: "Index files and folders",
		Long: `Index reads files and folders into a collection, which it creates if needed: text,
Markdown, HTML and other markup, PDF, DOCX, ODT, EPUB, mail (.eml, .mbox), notebooks
(.ipynb), source code, references (.ris, .nbib, .bib), and rows of CSV, TSV, JSON and JSONL,
each also compressed with gzip. A dash reads standard input.

In folders it skips files excluded by .gitignore or .nsflignore, hidden files, node_modules
and unknown file types. At the end it reports what was skipped, and why.

You can interrupt it and run it again: stored documents stay, unchanged files are skipped,
and in changed files only documents that differ are encoded. The metadata field "source" has
the name of a document's file ("source_file" if the document has its own source).

A file is identified by its path and keeps its name. If two files have the same name, more of
the path is added to the second; if two documents have the same id, the file name is added,
as in cities.csv#1. Documents from another source are never replaced.

--prune removes documents of files that no longer exist below the arguments. --watch keeps
running and indexes changes as they happen, removing like --prune.

If nsfl serve has the collection open, documents go through the server. --server names a
server elsewhere; -c is then the name of its collection, and $NSFL_KEY the key.`,
		Example: `  nsfl index ~/notes -c notes
  nsfl index articles.jsonl.gz -c articles --text-field body
  nsfl index products.csv -c shop --id-field sku --title-field name
  nsfl index ~/notes -c notes --prune
  nsfl index ~/src/project -c project --include '*.go' --exclude '*_test.go'
  git log | nsfl index - -c notes --name history
  nsfl index ~/notes -c notes --watch
  nsfl index ~/notes -c notes --server https://search.example.org
  nsfl index ~/notes -c postgres://db/notes?collection=notes
  nsfl index ~/photos -c photos --pictures --encoder clip-vit-base-patch32`,
		Args: args(1, 1<<20, "files or folders"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
			defer stop()
			x := &indexer{cmd: cmd, from: from, options: o, paths: args, tokens: tokens, pictures: pictures, watch: watch}
			x.options.Ingest.Stdin = cmd.InOrStdin()
			if pictures {
				x.options.Ingest.Types = pictureTypes
			}
			if !watch {
				return x.pass(ctx)
			}
			if slices.Contains(args, ingest.StandardInput) {
				return usageError{errors.New("standard input cannot be watched; name files or folders")}
			}
			x.options.Prune, x.options.Patient = true, true
			err := indexing.Watch(ctx, func(text string) { fmt.Fprintln(termsafe.Writer(cmd.ErrOrStderr()), text) }, x.pass)
			if ctx.Err() != nil {
				return nil // that is how it ends
			}
			return err
		},
	}
	f := cmd.Flags()
	from.addPlace(f)
	f.StringVar(&from.server, "server", "", "the `URL` of the server that has the collection, such as http://127.0.0.1:7700")
	f.StringVar(&from.encoder, "encoder", "", "the encoder of a new collection: "+encoderHelp)
	f.StringVar(&o.Ingest.ID, "id-field", "", "the column or field with the id, if it has an unusual name")
	f.StringVar(&o.Ingest.Title, "title-field", "", "the column or field with the title")
	f.StringVar(&o.Ingest.Text, "text-field", "", "the column or field with the text")
	f.IntVar(&tokens, "tokens", 0, "the maximum number of tokens in a passage; default: 210, or the encoder's limit")
	f.StringArrayVar(&o.Ingest.Include, "include", nil, "in folders, read only files that match this `GLOB`, such as '*.md' or 'doc/**'; may be repeated")
	f.StringArrayVar(&o.Ingest.Exclude, "exclude", nil, "in folders, skip files that match this `GLOB`; may be repeated")
	f.BoolVar(&o.Ingest.NoIgnore, "no-ignore", false, "do not respect .gitignore and .nsflignore")
	f.StringVar(&o.Ingest.Type, "type", "", "the type of named files and standard input, such as jsonl")
	f.StringVar(&o.Ingest.Name, "name", "", "the id of the document from standard input; default: stdin")
	f.BoolVar(&o.Prune, "prune", false, "remove documents of files that no longer exist")
	f.BoolVar(&watch, "watch", false, "keep running and index changes; remove documents of deleted files")
	f.BoolVar(&pictures, "pictures", false, "read JPEG and PNG pictures instead of texts; needs an encoder for pictures (CLIP, SigLIP)")
	group(f, elsewhere, "server", "encoder")
	addQuiet(f)
	addJSON(f)
	return cmd
}

// indexer makes one pass over the files or, with --watch, many.
type indexer struct {
	cmd             *cobra.Command
	from            collectionFlags
	options         indexing.Options
	paths           []string
	tokens          int // the most of a passage
	pictures, watch bool

	known map[string]ingest.Fingerprint // after a pass; nil: there was none
}

// pass brings the collection up to date once. It does not open the collection if nothing
// has changed since the pass before.
func (x *indexer) pass(ctx context.Context) error {
	o := x.options
	o.Bar = func(total int64) *progress.Bar { return newBar(x.cmd, "indexing", total, progress.Bytes) }
	var to target
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
		p.Forget() // the first pass reported them
		if err := p.Compare(ctx, x.known); err != nil || p.Idle() {
			return err
		}
	}
	if to, err = x.from.openTarget(ctx, x.cmd); err != nil {
		return err
	}
	defer to.Close() //nolint:errcheck // what was stored is on the disk
	if x.pictures && to.Picture() == nil {
		return usageError{fmt.Errorf("the encoder of %s does not read pictures; make a new collection, not through a server, with --encoder clip-vit-base-patch32", to)}
	}
	lengths, err := to.Lengths(x.tokens)
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
	isNew := !to.Exists()
	err = p.Apply(ctx, to)
	e := answer(x.cmd, &p.Report, func(w io.Writer) {
		p.Print(w, to.String())
		if !x.pictures && slices.ContainsFunc(p.Skipped, isPicture) {
			fmt.Fprintf(w, pictureHelp, strings.Join(x.paths, " "))
		}
		if made, ok := to.(*workspace.Handle); ok && isNew && made.Exists() && x.from.given() && !stores.External(x.from.collection) {
			fmt.Fprintf(w, "to search it: nsfl search -c %s %s\n", x.from.collection, example(ctx, made.Store()))
		}
	})
	if e != nil {
		return e
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("interrupted; %d documents are stored, and the same command continues", p.Documents)
	case err != nil:
		return err
	case !x.watch && !to.Exists():
		return errors.New("nothing could be read, so no collection was created")
	}
	x.known, err = to.Files(ctx)
	return err
}

var pictureTypes = []string{".jpg", ".jpeg", ".png"}

func isPicture(s ingest.Skip) bool {
	return slices.Contains(pictureTypes, strings.ToLower(path.Ext(s.Path)))
}

// pictureHelp explains how to index pictures.
const pictureHelp = `to index pictures, make a collection for them with a model that reads pictures:
  nsfl model pull clip-vit-base-patch32
  nsfl index %s -c pictures --pictures --encoder clip-vit-base-patch32
such models need ONNX Runtime, which is not part of nsfl; nsfl help model shows how to install it
`

// example returns a query to try on a new collection, quoted: one of its titles if one reads
// like a query.
func example(ctx context.Context, store engine.Collection) string {
	examples, _ := suggest.Of(ctx, store) // of what cannot be read there are none
	if len(examples) == 0 {
		return "WORDS"
	}
	return "'" + examples[0].Query + "'"
}

// pictureOf reads a file as a document with the picture's vector and the file's name as
// title.
func pictureOf(ctx context.Context, to target, s ingest.Source, skip func(ingest.Skip)) iter.Seq2[engine.Document, error] {
	return func(yield func(engine.Document, error) bool) {
		vector, err := to.Picture()(ctx, s.Path)
		if err != nil && ctx.Err() == nil {
			skip(ingest.Skip{Path: s.Path, Kind: ingest.Unreadable, Reason: err.Error()})
			yield(engine.Document{}, indexing.ErrUnread)
			return
		}
		name := path.Base(s.Name)
		yield(engine.Document{ID: s.Name, Title: strings.TrimSuffix(name, path.Ext(name)), Vector: vector}, ctx.Err())
	}
}
