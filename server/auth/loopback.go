package auth

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// CheckListen rejects an address that other machines can reach, unless there are keys or the
// user has confirmed twice.
func CheckListen(addr string, hasKeys, insecureTwice bool) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("listening on %q: %w; an address is HOST:PORT, such as 127.0.0.1:7700", addr, err)
	}
	if hasKeys || insecureTwice || IsLoopback(host) {
		return nil
	}
	return fmt.Errorf("listening on %s: others could reach the server, and without keys they could do everything. Create a key with nsfl serve key and name the file with --keys-file; on a private network, set --insecure and --really-insecure instead", addr)
}

// IsLoopback reports whether a host, with or without brackets, is certainly this machine.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}
