//go:build race

package builtin

func init() { slow = true }
