package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/internal/vectors"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func repairCommand() *cobra.Command {
	var r repairing
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Recover a damaged collection",
		Long: `Repair reads a damaged collection, checks each part by its checksum, and saves what is
intact to a new collection. The damaged one is not changed. Documents with intact texts and
damaged vectors are encoded again or, without the encoder, written to a file for nsfl import.

Repair lists what could not be saved, and exits with 1 if there is anything. The next nsfl
index of the same files reads all of them and restores it. With --in-place the new collection
replaces the damaged one when it is complete and verified; the damaged one is kept under
another name.`,
		Example: `  nsfl repair -c notes
  nsfl repair -c notes --to saved
  nsfl repair -c notes --in-place`,
		Args: args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := r.from.directory("repair", "use the server's own tools")
			if err != nil {
				return err
			}
			if r.Saved == "" {
				r.Saved = dir + ".repaired"
			}
			if err := r.run(cmd, dir); err != nil {
				return err
			}
			if err := answer(cmd, &r.repair, r.print); err != nil {
				return err
			}
			if len(r.Lost) > 0 {
				return fmt.Errorf("not all of %s could be saved; a backup may have the rest, and nsfl index reads all files again", dir)
			}
			return nil
		},
	}
	f := cmd.Flags()
	r.from.addPlace(f)
	f.StringVar(&r.from.encoder, "encoder", "", "the encoder for documents whose vectors are lost: "+encoderHelp+"; default: the collection's own")
	f.StringVar(&r.Saved, "to", "", "the `DIR` of the new collection; default: the damaged one's name with .repaired")
	f.BoolVar(&r.inPlace, "in-place", false, "replace the damaged collection, which is kept under another name")
	addJSON(f)
	return cmd
}

// repairing holds the state of nsfl repair.
type repairing struct {
	from    collectionFlags
	inPlace bool

	repair
}

// repair reports what was done.
type repair struct {
	Saved     string   `json:"saved"`           // the directory
	Aside     string   `json:"aside,omitempty"` // where the damaged one is now
	Documents int      `json:"documents"`
	Notes     int      `json:"notes"`
	Encoded   int      `json:"encoded"`         // of the documents, again
	Texts     int      `json:"without_vectors"` // documents in the file
	File      string   `json:"file,omitempty"`
	Why       string   `json:"why,omitempty"` // they were not encoded
	Lost      []string `json:"lost"`
}

func (r *repairing) run(cmd *cobra.Command, dir string) error {
	ctx := cmd.Context()
	texts := r.Saved + ".jsonl"
	w, err := vectors.Create(texts)
	if err != nil {
		return err
	}
	defer w.Abort()
	saved, err := index.Repair(ctx, dir, r.Saved, func(d engine.Document, _ string) error { return w.Write(d) })
	if err != nil {
		return err
	}
	r.Documents, r.Notes, r.Lost = saved.Documents, saved.Notes, []string{}
	for _, d := range saved.Lost {
		r.Lost = append(r.Lost, d.String())
	}
	if saved.Texts > 0 {
		if err := w.Close(); err != nil {
			return err
		}
		if err := r.encode(cmd, texts); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.Why, r.Texts, r.File = err.Error(), saved.Texts-r.Encoded, texts
		} else if err := os.Remove(texts); err != nil {
			return err
		}
	}
	if len(r.Lost) > 0 || r.Texts > 0 {
		if err := r.forgetFiles(ctx); err != nil {
			return err
		}
	}
	if !r.inPlace {
		return nil
	}
	report, err := index.Verify(ctx, r.Saved)
	if err == nil && len(report.Damage) > 0 {
		err = fmt.Errorf("%s is damaged: %v", r.Saved, report.Damage[0])
	}
	if err != nil {
		return err
	}
	r.Aside, err = saved.Replace()
	if err == nil {
		r.Saved = dir
	}
	return err
}

// encode encodes and stores the documents in a file.
func (r *repairing) encode(cmd *cobra.Command, file string) error {
	c, err := workspace.Open(cmd.Context(), r.Saved, workspace.Options{Encoder: r.from.encoder})
	if err != nil {
		return err
	}
	rows, err := vectors.Open(file, "")
	if err != nil {
		return errors.Join(err, c.Close())
	}
	bar := newBar(cmd, "encoding", 0, progress.Items("documents"))
	r.Encoded, err = importRows(cmd.Context(), c.Collection, rows, bar)
	bar.Done("")
	r.Documents += r.Encoded
	return errors.Join(err, rows.Close(), c.Close())
}

// forgetFiles forgets the recorded state of files: nsfl index then reads all of them again and
// restores lost documents.
func (r *repairing) forgetFiles(ctx context.Context) (err error) {
	store, err := workspace.OpenStore(ctx, r.Saved, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	files, err := workspace.Files(ctx, store)
	if err != nil {
		return err
	}
	unknown := map[string]*ingest.Fingerprint{}
	for name := range files {
		unknown[name] = &ingest.Fingerprint{}
	}
	return workspace.NoteFiles(ctx, store, unknown)
}

func (r *repair) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %d documents and %d notes saved", r.Saved, r.Documents, r.Notes)
	if r.Encoded > 0 {
		fmt.Fprintf(w, ", %d of them encoded again", r.Encoded)
	}
	fmt.Fprintln(w)
	if r.Texts > 0 {
		fmt.Fprintf(w, "%d documents have lost their vectors and could not be encoded again: %s\n", r.Texts, r.Why)
		fmt.Fprintf(w, "they are in %s; when the encoder is available: nsfl import %s -c %s\n", r.File, r.File, r.Saved)
	}
	for _, d := range r.Lost {
		fmt.Fprintln(w, "lost:", d)
	}
	if r.Aside != "" {
		fmt.Fprintln(w, "the damaged one is kept in", r.Aside)
	}
}
