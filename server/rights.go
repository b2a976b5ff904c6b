package server

import "github.com/nsfl-go/nsfl/server/auth"

// Role is the permission of a key.
type Role = auth.Role

// Roles, each with the permissions of those before it.
const (
	Anyone = auth.Anyone
	Read   = auth.Read
	Write  = auth.Write
	Admin  = auth.Admin
)

// Rights are the permissions of the caller. The page uses them to hide unavailable actions.
type Rights struct {
	Role        string   `json:"role" enum:"read,write,admin"`
	Keys        bool     `json:"keys" doc:"requests need a key"`
	Collections []string `json:"collections,omitempty" doc:"collections of the key; omitted if it is valid for all"`
	CannotMake  string   `json:"cannot_make,omitempty" doc:"why no collection can be created; omitted if it is possible"`
	Files       bool     `json:"files" doc:"documents' original files can be read"`
	UploadBytes int64    `json:"upload_bytes" doc:"maximum size of an upload"`
}

func (s *Server) rights(x *exchange, _ *nothing) (*Rights, error) {
	r := &Rights{Role: x.record.role.String(), Keys: s.keys.IsNeeded(), UploadBytes: s.limits.StreamBytes, Files: s.canOpenFiles(x) == nil}
	if x.record.holder != nil {
		r.Collections = x.record.holder.Collections
	}
	if x.record.role < Admin {
		r.CannotMake = "this needs a key of the role admin"
	} else if err := s.collections.CanMake(); err != nil {
		r.CannotMake = problemOf(err).Detail
	}
	return r, nil
}
