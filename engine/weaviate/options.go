package weaviate

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
	"github.com/nsfl-go/nsfl/engine/remote"
)

const (
	defaultPort     = "8080"
	defaultGRPCPort = "50051"
)

var (
	collectionName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,199}$`)
	hostName       = regexp.MustCompile(`^[A-Za-z0-9._:%-]+$`)
)

// address is a parsed address.
type address struct {
	secure     bool
	hosts      []hostAddress
	collection string // the class
	roles      remote.Roles
	tenant     string
}

// hostAddress is where a node listens for HTTP and for gRPC.
type hostAddress struct{ rest, grpc string }

const form = "weaviate://HOST:PORT,HOST:PORT/?collection=NAME&grpc=HOST:PORT,HOST:PORT&scheme=http|https&tenant=NAME&id=PROPERTY&vector=NAME&text=PROPERTY&title=PROPERTY&metadata=PROPERTY"

// problem returns an error about an address. It quotes nothing, since any part may be a key.
func problem(what string) error {
	return engine.BadInput("address of a Weaviate store", "%s", what+"; it is to be like "+form+", and a key to the server stands in the environment variable WEAVIATE_API_KEY")
}

// configure reads an address.
func configure(text string) (*address, error) {
	rest, ok := strings.CutPrefix(text, "weaviate://")
	if !ok {
		return nil, problem("it does not begin with weaviate://")
	}
	rest, query, _ := strings.Cut(rest, "?")
	hosts, path, _ := strings.Cut(rest, "/")
	if strings.Contains(hosts, "@") || path != "" {
		return nil, problem("there is a user or a path in it")
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, problem("its settings cannot be read")
	}
	for name, v := range values {
		if !strings.Contains(" collection grpc scheme tenant id vector text title metadata ", " "+name+" ") || len(v) != 1 {
			return nil, problem("it has an unknown setting, or one twice")
		}
	}
	a := &address{
		secure:     values.Get("scheme") == "https",
		collection: cmp.Or(values.Get("collection"), remote.DefaultCollection), tenant: values.Get("tenant"), roles: remote.ReadRoles(values),
	}
	switch {
	case !slices.Contains([]string{"", "http", "https"}, values.Get("scheme")):
		return nil, problem("its scheme is neither http nor https")
	case !collectionName.MatchString(a.collection):
		return nil, engine.BadInput("the collection's name", "%q is not a letter with letters, digits and underscores after it, up to 200 in all", a.collection)
	}
	a.collection = strings.ToUpper(a.collection[:1]) + a.collection[1:] // as Weaviate does
	return a, a.parseHosts(hosts, values.Get("grpc"))
}

func (a *address) parseHosts(hosts, grpc string) error {
	port := defaultPort
	if a.secure {
		port = "443"
	}
	names := strings.Split(hosts, ",")
	var others []string
	if grpc != "" {
		if others = strings.Split(grpc, ","); len(others) != len(names) {
			return problem("it has another number of hosts for gRPC than for HTTP")
		}
	}
	for i, name := range names {
		rest, err := hostPort(name, port)
		if err != nil {
			return err
		}
		name, _, _ = net.SplitHostPort(rest)
		if others != nil {
			name = others[i]
		}
		other, err := hostPort(name, defaultGRPCPort)
		if err != nil {
			return err
		}
		a.hosts = append(a.hosts, hostAddress{rest, other})
	}
	return nil
}

// hostPort returns HOST:PORT, with the default port if there is none.
func hostPort(text, port string) (string, error) {
	if host, p, err := net.SplitHostPort(text); err == nil {
		text, port = host, p
	} else {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || !hostName.MatchString(text) {
		return "", problem("one of its hosts is not HOST or HOST:PORT")
	}
	return net.JoinHostPort(text, port), nil
}

// proposed is the place with what else is needed to get there.
func (a *address) proposed() string {
	var names []string
	usual := true
	for _, h := range a.hosts {
		host, _, _ := net.SplitHostPort(h.rest)
		usual = usual && h.grpc == net.JoinHostPort(host, defaultGRPCPort)
		names = append(names, h.grpc)
	}
	place := a.place()
	if !usual {
		place += "&grpc=" + strings.Join(names, ",")
	}
	if a.secure {
		place += "&scheme=https"
	}
	return place
}

// place names a collection in messages.
func (a *address) place() string {
	var names []string
	for _, h := range a.hosts {
		names = append(names, h.rest)
	}
	place := fmt.Sprintf("weaviate://%s/?collection=%s", strings.Join(names, ","), a.collection)
	if a.tenant != "" {
		place += "&tenant=" + url.QueryEscape(a.tenant)
	}
	return place
}
