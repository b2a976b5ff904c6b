package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/nsfl-go/nsfl/engine"
)

// Options are how a collection is opened; the zero value opens one that exists.
type Options struct {
	// Collection is the schema that holds it: a small letter, then small letters,
	// digits and underscores. Empty: what the address says (collection=NAME), or
	// nsfl.
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
	// Exact compares all documents rather than go by HNSW indexes. These are made
	// when a collection is first opened for writing without it. To fill a large
	// one, open it with Exact, store, and open it again: an index that is made
	// last takes a fraction of the time.
	Exact bool
	// Timeout is the longest that a call which reads may take, its retries
	// included, and WriteTimeout one that writes. 0: half a minute, ten minutes.
	Timeout, WriteTimeout time.Duration
}

// maxDimension is that of pgvector's type. Its HNSW indexes reach less far.
const maxDimension = 16000

// maxMessage is more than the server needs for the largest row, a document of
// engine.MaxDocumentBytes with its vector. It keeps a lying length from taking all
// of the memory.
const maxMessage = 64 << 20

const connectTimeout = 10 * time.Second

var collectionName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

// configure reads the address. Its errors quote nothing of it: where it cannot be
// read, one cannot tell what in it is a password.
func configure(dsn string, o *Options) (*pgxpool.Config, error) {
	c, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, errors.New("reading the address of a PostgreSQL store: it is not like postgres://USER:PASSWORD@HOST:PORT/DATABASE, or has an unknown setting; in a password, write @ as %40, / as %2F, % as %25")
	}
	params := c.ConnConfig.RuntimeParams
	if o.Collection == "" {
		o.Collection = params["collection"]
	}
	delete(params, "collection")
	if o.Collection == "" {
		o.Collection = "nsfl"
	}
	if params["application_name"] == "" {
		params["application_name"] = "nsfl"
	}
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = connectTimeout
		c.ConnConfig.DialFunc = (&net.Dialer{Timeout: connectTimeout, KeepAlive: time.Minute}).DialContext
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = 10 * time.Minute
	}
	// Statements have no names, so that a pooler, or a server with one backend,
	// may stand between.
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	c.ConnConfig.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		f := pgproto3.NewFrontend(r, w)
		f.SetMaxBodyLen(maxMessage)
		return f
	}
	return c, o.check()
}

func (o *Options) check() error {
	switch {
	case !collectionName.MatchString(o.Collection) || o.Collection == "public" || o.Collection == "information_schema" || strings.HasPrefix(o.Collection, "pg_"):
		return engine.BadInput("option Collection", "%q is not a small letter with small letters, digits and underscores after it, up to 63 in all, or is a name of the database's own", o.Collection)
	case o.Dimension < 0 || o.Dimension > maxDimension:
		return engine.BadInput("option Dimension", "%d is not between 1 and %d", o.Dimension, maxDimension)
	case !storable(o.Encoder):
		return engine.BadInput("option Encoder", "is not valid UTF-8 or has a zero byte")
	case o.Timeout < 0 || o.WriteTimeout < 0:
		return engine.BadInput("option Timeout", "is negative")
	}
	return nil
}

// storable reports whether the database can hold a string as it is.
func storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// place names a collection in messages, without user and password.
func place(c *pgxpool.Config, o *Options) string {
	host := c.ConnConfig.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, strconv.Itoa(int(c.ConnConfig.Port)))
	}
	return fmt.Sprintf("postgres://%s/%s?collection=%s", host, c.ConnConfig.Database, o.Collection)
}
