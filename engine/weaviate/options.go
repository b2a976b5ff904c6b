package weaviate

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/index"
)

// Options are how a collection is opened; the zero value opens one that exists.
type Options struct {
	// Collection names the class that holds it: a letter, then letters, digits
	// and underscores. Weaviate makes the first a capital. Empty: what the
	// address says (collection=NAME), or nsfl.
	Collection string
	// Dimension of the vectors. A collection is made only where it is given;
	// with one that exists it is compared unless it is 0.
	Dimension int
	// Encoder identifies what the vectors come from, in words of the caller's. It
	// is stored with a new collection and compared with an old one's unless it is
	// empty.
	Encoder string
	// ReadOnly makes, changes and stores nothing.
	ReadOnly bool
	// Timeout is the longest that a call which reads may take, its retries
	// included, and WriteTimeout one that writes. 0: half a minute, ten minutes.
	Timeout, WriteTimeout time.Duration
	// Consistency is how many replicas a call waits for: ONE, QUORUM or ALL.
	// Empty: what the address says (consistency=LEVEL), or QUORUM.
	Consistency string
	// Shards and Replicas are those of a collection that is made. 0: what the
	// address says (shards=N, replicas=N), or what the server makes of it.
	Shards, Replicas int
}

const (
	defaultPort     = "8080"
	defaultGRPCPort = "50051"
	maxReplicas     = 100 // and shards: what is more is a mistake
)

var (
	collectionName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,199}$`)
	hostName       = regexp.MustCompile(`^[A-Za-z0-9._:%-]+$`)
)

// address is what an address says besides options.
type address struct {
	secure bool
	hosts  []hostAddress
}

// hostAddress is where a node listens for HTTP and for gRPC.
type hostAddress struct{ rest, grpc string }

const form = "weaviate://HOST:PORT,HOST:PORT/?collection=NAME&grpc=HOST:PORT,HOST:PORT&scheme=http|https&consistency=ONE|QUORUM|ALL&replicas=N&shards=N"

// problem is an error in an address. It quotes nothing of it: where it cannot be
// read, one cannot tell what in it is a key.
func problem(what string) error {
	return &index.InputError{What: "address of a Weaviate store", Problem: what + "; it is to be like " + form + ", and a key to the server stands in the environment variable WEAVIATE_API_KEY"}
}

// parse reads an address into a and into those options that are not set.
func (a *address) parse(text string, o *Options) error {
	rest, ok := strings.CutPrefix(text, "weaviate://")
	if !ok {
		return problem("it does not begin with weaviate://")
	}
	rest, query, _ := strings.Cut(rest, "?")
	hosts, path, _ := strings.Cut(rest, "/")
	if strings.Contains(hosts, "@") || path != "" {
		return problem("there is a user or a path in it")
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return problem("its settings cannot be read")
	}
	for name, v := range values {
		if !strings.Contains(" collection grpc scheme consistency replicas shards ", " "+name+" ") || len(v) != 1 {
			return problem("it has an unknown setting, or one twice")
		}
	}
	switch values.Get("scheme") {
	case "https":
		a.secure = true
	case "http", "":
	default:
		return problem("its scheme is neither http nor https")
	}
	if err := a.parseHosts(hosts, values.Get("grpc")); err != nil {
		return err
	}
	return o.merge(values)
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

// hostPort is HOST:PORT, with a port where there is none.
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

// merge takes over what an address says of options that are not set.
func (o *Options) merge(values url.Values) error {
	if o.Collection == "" {
		o.Collection = values.Get("collection")
	}
	if o.Consistency == "" {
		o.Consistency = values.Get("consistency")
	}
	for name, option := range map[string]*int{"replicas": &o.Replicas, "shards": &o.Shards} {
		text := values.Get(name)
		if *option != 0 || text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return problem("its " + name + " are not a number")
		}
		*option = n
	}
	return nil
}

// check fills in what is left open and refuses what cannot be.
func (o *Options) check() error {
	if o.Collection == "" {
		o.Collection = "nsfl"
	}
	o.Consistency = strings.ToUpper(o.Consistency)
	if o.Consistency == "" {
		o.Consistency = "QUORUM"
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = 10 * time.Minute
	}
	switch {
	case !collectionName.MatchString(o.Collection):
		return &index.InputError{What: "option Collection", Problem: fmt.Sprintf("%q is not a letter with letters, digits and underscores after it, up to 200 in all", o.Collection)}
	case o.Dimension < 0 || o.Dimension > index.MaxDimension:
		return &index.InputError{What: "option Dimension", Problem: fmt.Sprintf("%d is not between 1 and %d", o.Dimension, index.MaxDimension)}
	case !utf8.ValidString(o.Encoder):
		return &index.InputError{What: "option Encoder", Problem: "is not valid UTF-8"}
	case o.Timeout < 0 || o.WriteTimeout < 0:
		return &index.InputError{What: "option Timeout", Problem: "is negative"}
	case o.Consistency != "ONE" && o.Consistency != "QUORUM" && o.Consistency != "ALL":
		return &index.InputError{What: "option Consistency", Problem: fmt.Sprintf("%q is none of ONE, QUORUM and ALL", o.Consistency)}
	case min(o.Shards, o.Replicas) < 0 || max(o.Shards, o.Replicas) > maxReplicas:
		return &index.InputError{What: "options Shards and Replicas", Problem: fmt.Sprintf("%d and %d are not between 0 and %d", o.Shards, o.Replicas, maxReplicas)}
	}
	o.Collection = strings.ToUpper(o.Collection[:1]) + o.Collection[1:]
	return nil
}

// place names a collection in messages.
func (a *address) place(o *Options) string {
	var names []string
	for _, h := range a.hosts {
		names = append(names, h.rest)
	}
	return fmt.Sprintf("weaviate://%s/?collection=%s", strings.Join(names, ","), o.Collection)
}
