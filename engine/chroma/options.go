package chroma

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// Chroma's names have up to 512 characters; the longest of ours has a suffix.
var collectionName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{1,498}[a-zA-Z0-9]$`)

// server is where a collection is.
type server struct {
	secure                       bool
	host                         string // HOST:PORT
	tenant, database, collection string
}

const (
	defaultPort     = "8000"
	defaultTenant   = "default_tenant"
	defaultDatabase = "default_database"
)

// configure reads the address. Its errors quote nothing of it but names of
// settings: what is not understood may be a password.
func configure(address string) (*server, error) {
	const what = "the address of a Chroma store"
	refuse := func(problem string) error {
		return engine.BadInput(what, "%s", problem+"; it is like chroma://HOST:PORT/?tenant=NAME&database=NAME&collection=NAME&ssl=true")
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
	s := &server{host: u.Host, tenant: defaultTenant, database: defaultDatabase, collection: pooling.DefaultCollection}
	if u.Port() == "" {
		s.host = net.JoinHostPort(u.Hostname(), defaultPort)
	}
	for name, v := range values {
		problem := ""
		switch {
		case len(v) != 1 || v[0] == "":
			problem = "is empty or there twice"
		case name == "tenant":
			s.tenant = v[0]
		case name == "database":
			s.database = v[0]
		case name == "collection":
			s.collection = v[0]
		case name == "ssl":
			if s.secure, err = strconv.ParseBool(v[0]); err != nil {
				problem = "is neither true nor false"
			}
		default:
			problem = "is unknown"
		}
		if problem != "" {
			return nil, refuse(fmt.Sprintf("its setting %.40q %s", name, problem))
		}
	}
	if !collectionName.MatchString(s.collection) {
		return nil, engine.BadInput("the collection's name", "%q is not three to 500 letters, digits, dots, dashes and underscores, with a letter or digit at both ends", s.collection)
	}
	return s, nil
}

// place names a collection in messages.
func (s *server) place() string {
	v := url.Values{"collection": {s.collection}}
	if s.tenant != defaultTenant {
		v.Set("tenant", s.tenant)
	}
	if s.database != defaultDatabase {
		v.Set("database", s.database)
	}
	if s.secure {
		v.Set("ssl", "true")
	}
	return "chroma://" + s.host + "/?" + v.Encode()
}

// credentials are what a server may ask for, from the environment.
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
