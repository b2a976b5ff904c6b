//go:build unix && !linux

package index

func advise([]byte) {}
