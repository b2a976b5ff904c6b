//go:build !linux

package main

import (
	"errors"
	"os/exec"
)

// inTerminal is only supported on Linux.
func inTerminal(*exec.Cmd) ([]byte, error) {
	return nil, errors.New("recording is only supported on Linux")
}
