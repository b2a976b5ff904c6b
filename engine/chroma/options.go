package chroma

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

var collectionName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]$`)

// server is where a collection is.
type server struct {
	secure                       bool
	host                         string // HOST:PORT
	tenant, database, collection string
	title, text                  string // keys of the metadata, or empty
}

const (
	defaultPort     = "8000"
	defaultTenant   = "default_tenant"
	defaultDatabase = "default_database"
)

// configure reads the address. Its errors quote nothing of it but names of
// settings: the rest may be a password.
func configure(address string) (*server, error) {
	const what = "the address of a Chroma store"
	refuse := func(problem string) error {
		return engine.BadInput(what, "%s", problem+"; it is like chroma://HOST:PORT/?tenant=NAME&database=NAME&collection=NAME&title=KEY&text=KEY&ssl=true")
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "chroma" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "":
		return nil, refuse("it cannot be read")
	case u.User != nil:
		return nil, refuse("it has a user or a password in it, which Chroma does not know: set CHROMA_TOKEN or CHROMA_AUTHORIZATION in the environment")
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, refuse("its settings cannot be read")
	}
	s := &server{host: u.Host, tenant: defaultTenant, database: defaultDatabase}
	if u.Port() == "" {
		s.host = net.JoinHostPort(u.Hostname(), defaultPort)
	}
	texts := map[string]*string{"tenant": &s.tenant, "database": &s.database, "collection": &s.collection, "title": &s.title, "text": &s.text}
	for name, v := range values {
		problem, text := "", texts[name]
		switch {
		case len(v) != 1 || v[0] == "":
			problem = "is empty or there twice"
		case text != nil:
			*text = v[0]
		case name == "ssl":
			if s.secure, err = strconv.ParseBool(v[0]); err != nil {
				problem = "is neither true nor false"
			}
		case slices.Contains([]string{"id", "vector", "metadata"}, name):
			problem = "is not for Chroma, whose records have one of each"
		default:
			problem = "is unknown"
		}
		if problem != "" {
			return nil, refuse(fmt.Sprintf("its setting %.40q %s", name, problem))
		}
	}
	if s.collection != "" && !collectionName.MatchString(s.collection) {
		return nil, engine.BadInput("the collection's name", "%q is not three to 512 letters, digits, dots, dashes and underscores, with a letter or digit at both ends", s.collection)
	}
	return s, nil
}

// place names a collection in messages.
func (s *server) place() string {
	v := url.Values{}
	for name, given := range map[string][2]string{
		"collection": {s.collection}, "tenant": {s.tenant, defaultTenant}, "database": {s.database, defaultDatabase}, "title": {s.title}, "text": {s.text},
	} {
		if given[0] != given[1] {
			v.Set(name, given[0])
		}
	}
	if s.secure {
		v.Set("ssl", "true")
	}
	u := url.URL{Scheme: "chroma", Host: s.host, Path: "/", RawQuery: v.Encode()}
	return u.String()
}

// credentials come from the environment.
type credentials struct {
	token         string // CHROMA_TOKEN, the header X-Chroma-Token
	authorization string // CHROMA_AUTHORIZATION, the header Authorization
}

func environment() (c credentials, err error) {
	c = credentials{os.Getenv("CHROMA_TOKEN"), os.Getenv("CHROMA_AUTHORIZATION")}
	for name, value := range map[string]string{"CHROMA_TOKEN": c.token, "CHROMA_AUTHORIZATION": c.authorization} {
		for i := range len(value) {
			if value[i] < ' ' || value[i] > '~' {
				return c, engine.BadInput(name+" in the environment", "has a character that cannot be in a header, perhaps the end of a line")
			}
		}
	}
	return c, nil
}

// hide takes credentials out of a text that came from outside.
func (c credentials) hide(text string) string {
	secrets := []string{c.token}
	if words := strings.Fields(c.authorization); len(words) > 0 {
		secrets = append(secrets, words[len(words)-1]) // after Bearer or Basic
	}
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[hidden]")
		}
	}
	return text
}
