package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/vectors"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func repairCommand() *cobra.Command {
	var from collectionFlags
	var to string
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Recover a damaged collection",
		Long: `Repair reads a damaged collection, checks each part by its checksum, and saves what is
intact to a new collection. The damaged one is not changed. Documents with intact texts and
damaged vectors are written to a file, from which nsfl import encodes them again.

Repair lists what could not be saved, and exits with 1 if there is anything. The next nsfl
index of the same files reads all of them and restores it.`,
		Example: `  nsfl repair -c notes
  nsfl repair -c notes --to saved`,
		Args: args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := from.directory("repair", "use the server's own tools")
			if err != nil {
				return err
			}
			r := &repair{Saved: to, Lost: []string{}}
			if r.Saved == "" {
				r.Saved = dir + ".repaired"
			}
			if err := r.run(cmd.Context(), dir); err != nil {
				return err
			}
			if err := answer(cmd, r, r.print); err != nil {
				return err
			}
			if len(r.Lost) > 0 {
				return fmt.Errorf("not all of %s could be saved; a backup may have the rest, and nsfl index reads all files again", dir)
			}
			return nil
		},
	}
	f := cmd.Flags()
	from.addPlace(f)
	f.StringVar(&to, "to", "", "the `DIR` of the new collection; default: the damaged one's name with .repaired")
	addJSON(f)
	return cmd
}

// repair reports what was done.
type repair struct {
	Saved     string   `json:"saved"` // the directory
	Documents int      `json:"documents"`
	Notes     int      `json:"notes"`
	Texts     int      `json:"without_vectors"` // documents in the file
	File      string   `json:"file,omitempty"`
	Lost      []string `json:"lost"`
}

func (r *repair) run(ctx context.Context, dir string) error {
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
	r.Documents, r.Notes, r.Texts = saved.Documents, saved.Notes, saved.Texts
	for _, d := range saved.Lost {
		r.Lost = append(r.Lost, d.String())
	}
	if r.Texts > 0 {
		r.File = texts
		if err := w.Close(); err != nil {
			return err
		}
	}
	if len(r.Lost)+r.Texts == 0 {
		return nil
	}
	return r.forgetFiles(ctx)
}

// forgetFiles forgets the recorded state of files: nsfl index then reads all of them again and
// restores lost documents.
func (r *repair) forgetFiles(ctx context.Context) (err error) {
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
	fmt.Fprintf(w, "%s: %d documents and %d notes saved\n", r.Saved, r.Documents, r.Notes)
	if r.Texts > 0 {
		fmt.Fprintf(w, "%d documents have lost their vectors and are in %[2]s; to encode them again: nsfl import %[2]s -c %[3]s\n", r.Texts, r.File, r.Saved)
	}
	for _, d := range r.Lost {
		fmt.Fprintln(w, "lost:", d)
	}
}
