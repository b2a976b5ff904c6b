package server

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// readStores parses items of the form NAME=ADDRESS. Its errors do not quote a malformed item,
// which may contain a password.
func readStores(items []string) (map[string]string, error) {
	out := map[string]string{}
	for i, item := range items {
		name, address, ok := strings.Cut(item, "=")
		switch {
		case !ok || !workspace.IsName(name):
			return nil, fmt.Errorf("store %d is not NAME=ADDRESS, such as films=postgres://HOST/DATABASE; a name has lower-case letters, digits, - and _", i+1)
		case out[name] != "":
			return nil, fmt.Errorf("two stores are named %s; rename one of them", name)
		case !stores.External(address):
			return nil, fmt.Errorf("store %s is a directory: serve it with nsfl serve DIR", name)
		}
		out[name] = address
	}
	return out, nil
}

// withoutCredentials returns an item without its password, for printing.
func withoutCredentials(item string) string {
	name, address, ok := strings.Cut(item, "=")
	if !ok || !stores.External(address) {
		return "…"
	}
	return name + "=" + stores.Shown(address)
}
