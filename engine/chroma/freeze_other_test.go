//go:build !unix

package chroma

import (
	"testing"

	"github.com/nsfl-go/nsfl/engine/chroma/chromatest"
)

func freeze(t *testing.T, _ *chromatest.Server) { t.Skip("needs signals that stop a process") }
func thaw(*testing.T, *chromatest.Server)       {}
