package elastic

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

const (
	defaultPort = "9200"
	example     = "elastic://USER@HOST:PORT/?collection=NAME&tls=true, for an index that something else has made with vector=FIELD&text=FIELD&title=FIELD&metadata=FIELD"
	maxName     = 255 // bytes, of an index or an alias
)

// address is a parsed address.
type address struct {
	secure     bool
	host       string // HOST:PORT
	collection string // the index, or an alias of it
	roles      remote.Roles
	login
}

// login holds credentials. Environment variables keep secrets out of addresses.
type login struct {
	user, password string // ELASTIC_PASSWORD
	key            string // ELASTIC_API_KEY
}

// configure parses an address. Its errors quote only the names of settings: the rest may be a
// password.
func configure(text string) (*address, error) {
	refuse := func(problem string) error {
		return engine.BadInput("the address of an Elasticsearch store", "%s", problem+"; it is like "+example)
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "elastic" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, refuse("it cannot be read")
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, refuse("its settings cannot be read")
	}
	for name, v := range values {
		if len(v) != 1 || v[0] == "" {
			return nil, refuse(fmt.Sprintf("its setting %.40q is empty or there twice", name))
		}
	}
	a := &address{host: u.Host, collection: remote.DefaultCollection, roles: remote.ReadRoles(values)}
	if u.Port() == "" {
		a.host = net.JoinHostPort(u.Hostname(), defaultPort)
	}
	a.user, a.password, a.key = u.User.Username(), os.Getenv("ELASTIC_PASSWORD"), os.Getenv("ELASTIC_API_KEY")
	if password, ok := u.User.Password(); ok {
		a.password = password
	}
	for name := range values {
		switch value := values.Get(name); name {
		case "collection":
			a.collection = value
		case "api_key":
			a.key = value
		case "tls":
			if a.secure, err = strconv.ParseBool(value); err != nil {
				return nil, refuse("its setting tls is neither true nor false")
			}
		default:
			return nil, refuse(fmt.Sprintf("its setting %.40q is unknown", name))
		}
	}
	if strings.ContainsFunc(a.user+a.password+a.key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, refuse("a password or a key, there or in the environment, has a character that none has, perhaps the end of a line")
	}
	return a, checkName(a.collection)
}

// checkName refuses what Elasticsearch takes for the name of no index, or of several.
func checkName(name string) error {
	switch {
	case len(name) > maxName, !utf8.ValidString(name), strings.Trim(name, ".") == "", strings.ContainsAny(name[:1], "-_+"),
		strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`\/*?"<>|,#:`, r) }):
		return engine.BadInput("the collection's name", `%.64q is not the name of one index or alias: up to %d bytes without spaces and any of \/*?"<>|,#: and without any of -_+ at the beginning`, name, maxName)
	}
	return nil
}

// place names a collection in messages.
func (a *address) place() string {
	out := "elastic://" + a.host + "/?collection=" + remote.Escape(a.collection)
	if roles := a.roles.String(); roles != "" {
		out += "&" + roles
	}
	return out
}

// header returns the Authorization header, or an empty string without credentials.
func (l login) header() string {
	switch {
	case l.key != "":
		return "ApiKey " + l.key
	case l.user != "":
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(l.user+":"+l.password))
	}
	return ""
}

// hide takes secrets out of a text that came from outside.
func (l login) hide(text string) string {
	_, encoded, _ := strings.Cut(l.header(), " ")
	for _, secret := range []string{l.password, l.key, encoded} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[hidden]")
		}
	}
	return text
}
