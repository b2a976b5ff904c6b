package server

import "github.com/nsfl-go/nsfl/engine"

func (s *Server) listFields(x *exchange, _ *nothing) (*engine.Fields, error) {
	return x.collection.Fields(x.Context())
}
