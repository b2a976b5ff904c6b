package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/backup"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// placeHelp describes places for backups.
const placeHelp = `PLACE is a folder, or a bucket of any S3-compatible store:
s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, with credentials in
$AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY.`

func backupCommand() *cobra.Command {
	var from collectionFlags
	var to, name string
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Back up a collection",
		Long: `Backup stores a snapshot of a collection, which can be written to and searched meanwhile,
also by a server. A place holds any number of backups of any number of collections; data
that has not changed is stored once. nsfl restore restores one.

` + placeHelp,
		Example: `  nsfl backup -c notes --to /mnt/backups
  nsfl backup -c notes --to 's3://bucket/nsfl?endpoint=https://s3.example.org'
  nsfl backup list /mnt/backups
  nsfl backup verify /mnt/backups
  nsfl backup prune /mnt/backups --keep-last 10
  nsfl restore --from /mnt/backups notes-again`,
		Args: args(0, 0, "no arguments; its sub-commands are list, verify and prune"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := from.directory("backup", "the server's own tools do that, or nsfl copy copies the collection to a directory")
			if err != nil {
				return err
			}
			if to == "" {
				return usageError{errors.New("no place for the backup is named; give one with --to, a folder or s3://BUCKET/PREFIX")}
			}
			if name == "" {
				name = stores.Name(dir)
			}
			began := time.Now()
			made, err := makeBackup(cmd.Context(), dir, name, to)
			if err != nil {
				return err
			}
			return say(cmd, map[string]any{
				"id": made.ID, "documents": made.Documents, "bytes": made.Bytes(), "pieces_stored": made.Added, "bytes_stored": made.Stored,
			}, "%s: %d documents, %.1f MB, of which %.1f MB in %d pieces were new and take %.1f MB there; %.1f s",
				made.ID, made.Documents, float64(made.Bytes())/1e6, float64(made.New)/1e6, made.Added, float64(made.Stored)/1e6, time.Since(began).Seconds())
		},
	}
	from.addPlace(cmd.Flags())
	cmd.Flags().StringVar(&to, "to", "", "the `PLACE` to store it in")
	cmd.Flags().StringVar(&name, "name", "", "the name of the collection in the backup; default: the name of its directory")
	addJSON(cmd.Flags())
	cmd.AddCommand(backupListCommand(), backupVerifyCommand(), backupPruneCommand())
	return cmd
}

// makeBackup backs up a collection, which may be written to meanwhile.
func makeBackup(ctx context.Context, dir, name, to string) (*backup.Made, error) {
	r, err := backup.Open(to)
	if err != nil {
		return nil, usageError{err}
	}
	c, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return r.Make(ctx, name, c)
}

// inPlace completes a subcommand that works on the backups in a place, of one collection
// or of all.
func inPlace(cmd *cobra.Command, run func(cmd *cobra.Command, r *backup.Repository, of string) error) *cobra.Command {
	var of string
	cmd.Args = args(1, 1, "the place: a folder, or s3://BUCKET/PREFIX")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := backup.Open(args[0])
		if err != nil {
			return usageError{err}
		}
		return run(cmd, r, of)
	}
	cmd.Flags().StringVar(&of, "of", "", "only backups of the collection of this `NAME`")
	addJSON(cmd.Flags())
	return cmd
}

func backupListCommand() *cobra.Command {
	return inPlace(&cobra.Command{
		Use: "list PLACE", Short: "List the backups in a place", Long: "List shows the backups in a place, of each collection the newest first.\n\n" + placeHelp,
		Example: `  nsfl backup list /mnt/backups`,
	}, func(cmd *cobra.Command, r *backup.Repository, of string) error {
		type line struct {
			ID        backup.ID `json:"id"`
			Time      time.Time `json:"time"`
			Documents int       `json:"documents"`
			Bytes     int64     `json:"bytes"`
			Problem   string    `json:"problem,omitempty"`
		}
		ids, err := r.IDs(cmd.Context(), of)
		if err != nil {
			return err
		}
		lines := make([]line, len(ids))
		for i, id := range ids {
			lines[i] = line{ID: id, Time: id.Time()}
			m, err := r.Manifest(cmd.Context(), id)
			switch {
			case cmd.Context().Err() != nil:
				return cmd.Context().Err()
			case err != nil:
				lines[i].Problem = err.Error()
			default:
				lines[i].Documents, lines[i].Bytes = m.Documents, m.Bytes()
			}
		}
		return answer(cmd, lines, func(w io.Writer) {
			for _, l := range lines {
				fmt.Fprintf(w, "%s  %8d documents %10.1f MB", l.ID, l.Documents, float64(l.Bytes)/1e6)
				if l.Problem != "" {
					fmt.Fprint(w, "  ", l.Problem)
				}
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%d backups in %s\n", len(lines), r)
		})
	})
}

func backupVerifyCommand() *cobra.Command {
	return inPlace(&cobra.Command{
		Use: "verify PLACE", Short: "Check all backups in a place against their checksums",
		Long: `Verify reads all backups and compares them with their checksums. It exits with 1 if data
is damaged or missing, and lists the backups that cannot be restored. If you delete damaged
data, the next backup stores it again, if the collection still has it.

` + placeHelp,
		Example: `  nsfl backup verify /mnt/backups`,
	}, func(cmd *cobra.Command, r *backup.Repository, of string) error {
		report, err := r.Verify(cmd.Context(), of)
		if err != nil {
			return err
		}
		err = answer(cmd, report, func(w io.Writer) {
			fmt.Fprintf(w, "%d backups, %d pieces, %.1f MB read\n", report.Backups, report.Pieces, float64(report.Bytes)/1e6)
			for _, d := range report.Damage {
				fmt.Fprintln(w, "damaged:", d)
			}
		})
		if err == nil && len(report.Damage) > 0 {
			err = fmt.Errorf("backups in %s are damaged in %d places; make a new one", r, len(report.Damage))
		}
		return err
	})
}

func backupPruneCommand() *cobra.Command {
	var keep int
	cmd := inPlace(&cobra.Command{
		Use: "prune PLACE", Short: "Delete old backups",
		Long: `Prune deletes the backups of each collection but the newest, as many as --keep-last says.

Data is deleted a day after the last backup that uses it, by a later prune, to be safe with
backups that run at the same time.

` + placeHelp,
		Example: `  nsfl backup prune /mnt/backups --keep-last 10
  nsfl backup prune /mnt/backups --keep-last 3 --of notes`,
	}, func(cmd *cobra.Command, r *backup.Repository, of string) error {
		if keep < 1 {
			return usageError{errors.New("say how many backups of each collection to keep, with --keep-last")}
		}
		pruned, err := r.Prune(cmd.Context(), of, keep)
		if err != nil {
			return err
		}
		return answer(cmd, pruned, func(w io.Writer) {
			for _, id := range pruned.Backups {
				fmt.Fprintln(w, "deleted:", id)
			}
			fmt.Fprintf(w, "%d backups deleted, and %d pieces of %.1f MB that nothing needs\n", len(pruned.Backups), pruned.Pieces, float64(pruned.Bytes)/1e6)
		})
	})
	cmd.Flags().IntVar(&keep, "keep-last", 0, "keep the newest `N` backups of each collection")
	return cmd
}
