package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/backup"
)

func restoreCommand() *cobra.Command {
	var from, id, of string
	cmd := &cobra.Command{
		Use:   "restore DIR",
		Short: "Restore a collection from a backup",
		Long: `Restore creates a directory with the collection from a backup: the newest, or the one
named by --id. All data is compared with its checksums, and the directory appears when it is
complete. An existing directory is never written to.

` + placeHelp,
		Example: `  nsfl restore --from /mnt/backups notes-again
  nsfl restore --from /mnt/backups --of notes notes-again
  nsfl restore --from /mnt/backups --id notes/20261116T031500.000Z-0123abcd notes-of-monday`,
		Args: args(1, 1, "the directory, which does not exist yet"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from == "" {
				return usageError{errors.New("--from is missing: the folder or s3://BUCKET/PREFIX with the backups")}
			}
			r, err := backup.Open(from)
			if err != nil {
				return usageError{err}
			}
			chosen, err := r.Choose(cmd.Context(), id, of)
			if err != nil {
				return err
			}
			m, err := r.RestoreNew(cmd.Context(), chosen, args[0])
			if err != nil {
				return err
			}
			return say(cmd, map[string]any{"id": m.ID, "documents": m.Documents, "bytes": m.Bytes()},
				"%s: %d documents, %.1f MB of backup %s", args[0], m.Documents, float64(m.Bytes())/1e6, m.ID)
		},
	}
	f := cmd.Flags()
	f.StringVar(&from, "from", "", "the `PLACE` with the backups, a folder or bucket (required)")
	f.StringVar(&id, "id", "", "the backup, as nsfl backup list shows it; default: the newest")
	f.StringVar(&of, "of", "", "the `NAME` of the collection, if there are backups of several")
	addJSON(f)
	return cmd
}
