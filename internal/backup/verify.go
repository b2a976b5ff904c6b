package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Report is the result of Verify.
type Report struct {
	Backups int      `json:"backups"`
	Pieces  int      `json:"pieces"` // all of which were read
	Bytes   int64    `json:"bytes"`  // uncompressed size
	Damage  []string `json:"damage"` // empty if all backups can be restored
}

// Verify reads all backups of a collection, or of all collections if the name is empty,
// with all their pieces. The error reports what prevented the check; damage is in the
// report.
func (r *Repository) Verify(ctx context.Context, collection string) (*Report, error) {
	ids, err := r.IDs(ctx, collection)
	if err != nil {
		return nil, err
	}
	report := &Report{Backups: len(ids), Damage: []string{}}
	problems := map[Sum]error{} // nil: the piece is intact
	for _, id := range ids {
		m, err := r.Manifest(ctx, id)
		switch {
		case errors.As(err, new(*DamageError)):
			report.Damage = append(report.Damage, err.Error())
			continue
		case errors.Is(err, fs.ErrNotExist): // pruned meanwhile
			report.Backups--
			continue
		case err != nil:
			return nil, err
		}
		for i := range m.Files {
			if err := r.verifyFile(ctx, id, &m.Files[i], problems, report); err != nil {
				return nil, err
			}
		}
	}
	return report, nil
}

func (r *Repository) verifyFile(ctx context.Context, id ID, f *File, problems map[Sum]error, report *Report) error {
	for i, s := range f.Pieces {
		problem, known := problems[s]
		if !known {
			_, problem = r.getPiece(ctx, s, f.length(i))
			if err := ctx.Err(); err != nil {
				return err
			}
			problems[s] = problem
			report.Pieces++
			report.Bytes += f.length(i)
		}
		if problem != nil {
			report.Damage = append(report.Damage, fmt.Sprintf("backup %s: %s at %d: %v", id, f.Name, int64(i)*f.Piece, problem))
		}
	}
	return nil
}
