//go:build !unix

package postgres

import "testing"

func freeze(t *testing.T, _ *server) { t.Skip("needs signals that stop a process") }

func thaw(*testing.T, *server) {}
