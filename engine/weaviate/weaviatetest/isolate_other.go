//go:build !linux

package weaviatetest

import (
	"errors"
	"syscall"
)

// Isolate needs Linux.
func Isolate() error {
	return errors.New("making a network of its own for Weaviate, which listens on all addresses, needs Linux")
}

func dieWithParent() *syscall.SysProcAttr { return nil }
