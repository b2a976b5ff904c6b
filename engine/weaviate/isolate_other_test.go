//go:build !linux

package weaviate

import (
	"errors"
	"syscall"
)

// isolate needs Linux.
func isolate() error {
	return errors.New("making a network of its own for Weaviate, which listens on all addresses, needs Linux")
}

func dieWithParent() *syscall.SysProcAttr { return nil }
