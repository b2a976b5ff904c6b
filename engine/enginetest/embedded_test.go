package enginetest

import "testing"

func TestEmbedded(t *testing.T) { Run(t, Embedded()) }
