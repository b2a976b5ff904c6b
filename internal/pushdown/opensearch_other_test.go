//go:build !linux

package pushdown_test

import "testing"

func startOpenSearch(t *testing.T) string {
	t.Skip("starts a server on Linux only; NSFL_TEST_OPENSEARCH names another one")
	return ""
}
