package remote

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// Scheme describes the addresses of an engine:
//
//	SCHEME://USER:PASSWORD@HOST:PORT/?collection=NAME&tls=true&SETTING=VALUE
//
// The settings id, vector, text, title and metadata assign roles.
type Scheme struct {
	Name     string // of the scheme
	Engine   string // in messages
	Port     string // if the address has none
	Login    bool   // addresses may have a user and a password
	Settings []string
	Secrets  []string // of Settings, those that are not shown
	Advice   string   // where to put credentials
	// Collection is the default name of a collection, and Names matches the names.
	Collection string
	Names      *regexp.Regexp
	Rule       string // the rule for names, in words
}

// Address is a parsed address.
type Address struct {
	Host           string // HOST:PORT
	User, Password string
	TLS            bool
	Collection     string
	Roles          Roles
	Settings       map[string]string

	scheme *Scheme
}

// problem returns an error about an address. It quotes nothing, since any part may be a
// password.
func (s *Scheme) problem(text string, args ...any) error {
	form := s.Name + "://"
	if s.Login {
		form += "USER:PASSWORD@"
	}
	form += "HOST:PORT/?collection=NAME&tls=true"
	for _, name := range s.Settings {
		form += "&" + name + "=VALUE"
	}
	return engine.BadInput("the address of a store in "+s.Engine, "%s; the form is %s, and vector=FIELD, text=FIELD, title=FIELD, metadata=FIELD and id=FIELD assign roles; %s", fmt.Sprintf(text, args...), form, s.Advice)
}

// Parse parses an address.
func (s *Scheme) Parse(text string) (*Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != s.Name || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, s.problem("it cannot be parsed; in a password, write @ as %%40, / as %%2F, %% as %%25")
	}
	if u.User != nil && !s.Login {
		return nil, s.problem("it has a user or a password")
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, s.problem("its settings cannot be parsed")
	}
	for name, v := range values {
		if len(v) != 1 || v[0] == "" {
			return nil, s.problem("its setting %.40q is empty or occurs twice", name)
		}
	}
	a := &Address{Roles: ReadRoles(values), Settings: map[string]string{}, User: u.User.Username(), Collection: s.Collection, scheme: s}
	a.Password, _ = u.User.Password()
	if a.Host, err = s.HostPort(u.Host, s.Port); err != nil {
		return nil, err
	}
	for name := range values {
		switch value := values.Get(name); {
		case name == "collection":
			a.Collection = value
		case name == "tls":
			if a.TLS, err = strconv.ParseBool(value); err != nil {
				return nil, s.problem("its setting tls is neither true nor false")
			}
		case slices.Contains(s.Settings, name):
			a.Settings[name] = value
		default:
			return nil, s.problem("its setting %.40q is unknown", name)
		}
	}
	if a.Collection != "" && !s.Names.MatchString(a.Collection) {
		return nil, engine.BadInput("the collection's name", "%.64q is not %s", a.Collection, s.Rule)
	}
	return a, nil
}

// HostPort returns HOST:PORT, with the default port if there is none.
func (s *Scheme) HostPort(text, port string) (string, error) {
	u, err := url.Parse("//" + text)
	if err != nil || u.Hostname() == "" || u.Host != text || strings.ContainsAny(u.Hostname(), " ,@\\") || strings.Contains(u.Hostname(), ":") && text[0] != '[' {
		return "", s.problem("its host is not HOST or HOST:PORT")
	}
	port = cmp.Or(u.Port(), port)
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", s.problem("its port is not between 1 and 65535")
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}

// URL returns the address of the server over HTTP.
func (a *Address) URL() string {
	if a.TLS {
		return "https://" + a.Host
	}
	return "http://" + a.Host
}

// Place names the collection in messages, without credentials.
func (a *Address) Place() string {
	out := a.scheme.Name + "://" + a.Host + "/"
	separator := "?"
	add := func(name, value string) {
		if value != "" && !slices.Contains(a.scheme.Secrets, name) {
			out += separator + name + "=" + Escape(value)
			separator = "&"
		}
	}
	add("collection", a.Collection)
	for _, name := range a.scheme.Settings {
		add(name, a.Settings[name])
	}
	if a.TLS {
		add("tls", "true")
	}
	return out
}

// Hide returns a function that removes secrets from a text.
func Hide(secrets ...string) func(string) string {
	return func(text string) string {
		for _, secret := range secrets {
			if secret != "" {
				text = strings.ReplaceAll(text, secret, "[hidden]")
			}
		}
		return text
	}
}
