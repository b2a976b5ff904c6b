//go:build !amd64 || noasm

package builtin

func init() { slow = true }
