//go:build !linux

package elastictest

import "syscall"

func asNobody() *syscall.SysProcAttr { return nil }
