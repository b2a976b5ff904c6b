package server

import (
	"errors"
	"io/fs"
	"time"

	"github.com/nsfl-go/nsfl/internal/backup"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Backup describes a backup of a collection.
type Backup struct {
	ID         string    `json:"id" doc:"for POST /v1/restore"`
	Collection string    `json:"collection"`
	Time       time.Time `json:"time"`
	Documents  int       `json:"documents"`
	Bytes      int64     `json:"bytes" doc:"size of the restored collection"`
	Stored     int64     `json:"stored,omitempty" doc:"bytes added to the repository by this backup; only in the response that made it"`
	Problem    string    `json:"problem,omitempty" doc:"why it cannot be restored"`
}

// BackupList lists the backups of a collection, newest first.
type BackupList struct {
	Backups []Backup `json:"backups" nullable:"false"`
}

// Restoring is the request to restore a backup as a new collection.
type Restoring struct {
	Backup string `json:"backup" doc:"its id"`
	Name   string `json:"name" doc:"name of the new collection"`
}

func newBackup(m *backup.Manifest) *Backup {
	return &Backup{ID: string(m.ID), Collection: m.Collection, Time: m.Time, Documents: m.Documents, Bytes: m.Bytes()}
}

// repository returns the backup repository, or an error if none is configured.
func (s *Server) repository() (*backup.Repository, error) {
	if s.keeper.backups == nil {
		return nil, newProblem("unavailable", "this server has no backup repository; start it with --backup-to")
	}
	return s.keeper.backups, nil
}

func (s *Server) makeBackup(x *exchange, _ *nothing) (out *Backup, err error) {
	if _, err := s.repository(); err != nil {
		return nil, err
	}
	change := workspace.Change{Action: workspace.BackUp, Collection: x.PathValue("name")}
	err = workspace.Changing(s.changing).Do(x.Context(), change, func() error {
		return s.keeper.alone(x.Context(), func() error {
			made, err := s.keeper.backUp(x.Context(), x.PathValue("name"))
			if err == nil {
				out = newBackup(&made.Manifest)
				out.Stored = made.Stored
			}
			return err
		})
	})
	return out, ofPlace(err)
}

func (s *Server) listBackups(x *exchange, _ *nothing) (*BackupList, error) {
	r, err := s.repository()
	if err != nil {
		return nil, err
	}
	ids, err := r.IDs(x.Context(), x.PathValue("name"))
	if err != nil && !errors.Is(err, backup.ErrNone) {
		return nil, unreachable(err)
	}
	list := &BackupList{Backups: []Backup{}}
	for _, id := range ids {
		m, err := r.Manifest(x.Context(), id)
		switch {
		case err == nil:
			list.Backups = append(list.Backups, *newBackup(m))
		case x.Context().Err() != nil:
			return nil, x.Context().Err()
		case errors.As(err, new(*backup.DamageError)):
			list.Backups = append(list.Backups, Backup{ID: string(id), Collection: id.Collection(), Time: id.Time(), Problem: "it is damaged"})
		case !errors.Is(err, fs.ErrNotExist): // ErrNotExist: pruned meanwhile
			return nil, unreachable(err)
		}
	}
	return list, nil
}

// ofPlace returns client errors as they are and hides all others behind unreachable.
func ofPlace(err error) error {
	if err == nil || problemOf(err).Code != "internal" {
		return err
	}
	return unreachable(err)
}

// unreachable reports a failing repository without showing its details to the client.
func unreachable(err error) error {
	return newProblem("unavailable", "the backup repository does not answer; see the server's log").because(err)
}

func (s *Server) restore(x *exchange, in *Restoring) (*Collection, error) {
	r, err := s.repository()
	if err != nil {
		return nil, err
	}
	id, err := backup.ParseID(in.Backup)
	if err != nil {
		return nil, newProblem("not_found", "%q is not the id of a backup; GET …/backups lists those of a collection", in.Backup)
	}
	if !allows(x.Context(), id.Collection()) {
		return nil, noCollection(id.Collection())
	}
	err = s.keeper.alone(x.Context(), func() error {
		return s.making(x.Context(), in.Name, func() error {
			return s.collections.Adopt(x.Context(), in.Name, func(dir string) error {
				_, err := r.Restore(x.Context(), id, dir)
				return err
			})
		})
	})
	switch {
	case errors.As(err, new(*backup.DamageError)):
		return nil, newProblem("unavailable", "backup %s is damaged, and nothing was restored; see the server's log", id).because(err)
	case errors.Is(err, fs.ErrNotExist):
		return nil, newProblem("not_found", "backup %s does not exist or is incomplete", id).because(err)
	case err != nil:
		return nil, ofPlace(err)
	}
	return s.describe(x.Context(), in.Name)
}
