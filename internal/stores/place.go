package stores

import (
	"cmp"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/engine/remote"
)

// harmless are the settings of addresses that contain no credentials.
var harmless = []string{"collection", "tenant", "database", "table", "id", "vector", "text", "title", "metadata", "only"}

// hosts are one or more hosts with or without ports; they can be nothing else,
// such as a piece of a password with an odd character in it.
var hosts = regexp.MustCompile(`^((\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?(,|$))*$`)

// Shown returns a place for messages: an address without user, password and any setting not
// known to be harmless, or a directory unchanged. If an address cannot be parsed, its password
// cannot be located, and only the scheme remains.
func Shown(place string) string {
	scheme, rest, external := split(place)
	if !external {
		return place
	}
	hidden := scheme + "://…"
	main, query, _ := strings.Cut(rest, "?")
	host, path, slash := strings.Cut(main, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	settings, err := url.ParseQuery(query)
	if err != nil || !hosts.MatchString(host) || strings.ContainsAny(path+query, "@#") {
		return hidden
	}
	out := scheme + "://" + host
	if slash {
		out += "/" + path
	}
	separator := "?"
	for _, name := range harmless {
		if values := settings[name]; len(values) > 0 {
			out += separator + name + "=" + remote.Escape(values[0])
			separator = "&"
		}
	}
	return out
}

// Name returns a short name for the collection at a place: that of its directory, or the one
// in its address.
func Name(place string) string {
	if dir, err := Directory(place); err == nil {
		if whole, err := filepath.Abs(dir); err == nil {
			dir = whole
		}
		return filepath.Base(dir)
	}
	_, rest, _ := split(place)
	_, query, _ := strings.Cut(rest, "?")
	settings, err := url.ParseQuery(query)
	if name := cmp.Or(settings.Get("collection"), settings.Get("table")); err == nil && name != "" {
		return name
	}
	return "nsfl"
}

// Canonical returns the form of a place that is the same from everywhere on this machine,
// without credentials: two places of the same form are one.
func Canonical(place string) string {
	dir, err := Directory(place)
	if err != nil {
		return strings.Replace(Shown(place), "postgresql://", "postgres://", 1)
	}
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}
