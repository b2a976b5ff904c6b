//go:build !unix

package postgres

import (
	"testing"

	"github.com/nsfl-go/nsfl/engine/postgres/postgrestest"
)

func freeze(t *testing.T, _ *postgrestest.Server) { t.Skip("needs signals that stop a process") }

func thaw(*testing.T, *postgrestest.Server) {}
