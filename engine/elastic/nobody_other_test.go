//go:build !linux

package elastic

import "syscall"

func asNobody() *syscall.SysProcAttr { return nil }
