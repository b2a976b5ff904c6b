package milvus

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

const defaultPort = "19530"

var (
	collectionName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,239}$`) // Milvus takes 255, and suffixes follow
	hostName       = regexp.MustCompile(`^[A-Za-z0-9._:%-]+$`)
)

// address is a parsed address.
type address struct {
	host                 string // HOST:PORT
	secure               bool
	token                string // USER:PASSWORD or a key, as it goes to the server
	database, collection string
	roles                remote.Roles
}

const form = "milvus://USER:PASSWORD@HOST:PORT/?collection=NAME&database=NAME&tls=true"

// problem returns an error about an address. It quotes nothing, since any part may be a
// password.
func problem(what string) error {
	return engine.BadInput("address of a Milvus store", "%s", what+"; it is to be like "+form+", and user and password, or a token, may stand in the environment variable MILVUS_TOKEN instead")
}

// configure reads an address.
func configure(text string) (*address, error) {
	rest, ok := strings.CutPrefix(text, "milvus://")
	if !ok {
		return nil, problem("it does not begin with milvus://")
	}
	rest, query, _ := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	a, token := &address{}, os.Getenv("MILVUS_TOKEN")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		var err error
		if token, err = url.PathUnescape(host[:i]); err != nil {
			return nil, problem("its user or password has a % that is not %25")
		}
		host = host[i+1:]
	}
	if token != "" {
		a.token = base64.StdEncoding.EncodeToString([]byte(token))
	}
	settings, err := url.ParseQuery(query)
	if err != nil || path != "" {
		return nil, problem("it has a path, or its settings cannot be read")
	}
	for _, values := range settings {
		if len(values) != 1 {
			return nil, problem("it has a setting twice")
		}
	}
	a.roles = remote.ReadRoles(settings)
	if text := settings.Get("tls"); text != "" {
		if a.secure, err = strconv.ParseBool(text); err != nil {
			return nil, problem("its setting tls is neither true nor false")
		}
	}
	a.database, a.collection = settings.Get("database"), cmp.Or(settings.Get("collection"), remote.DefaultCollection)
	for _, known := range []string{"tls", "database", "collection"} {
		settings.Del(known)
	}
	switch {
	case len(settings) > 0:
		return nil, problem("it has an unknown setting")
	case !collectionName.MatchString(a.collection):
		return nil, engine.BadInput("the collection's name", "%q is not a letter with letters, digits and underscores after it, up to 240 in all", a.collection)
	case a.database != "" && !collectionName.MatchString(a.database):
		return nil, engine.BadInput("the database's name", "%q is not a letter with letters, digits and underscores after it, up to 240 in all", a.database)
	}
	a.host, err = hostPort(host)
	return a, err
}

// hostPort returns HOST:PORT, with the default port if there is none.
func hostPort(text string) (string, error) {
	port := defaultPort
	if host, p, err := net.SplitHostPort(text); err == nil {
		text, port = host, p
	} else {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || !hostName.MatchString(text) {
		return "", problem("its host is not HOST or HOST:PORT")
	}
	return net.JoinHostPort(text, port), nil
}

// place names a collection in messages.
func (a *address) place() string {
	place := fmt.Sprintf("milvus://%s/?collection=%s", a.host, a.collection)
	if a.database != "" {
		place += "&database=" + a.database
	}
	return place
}
