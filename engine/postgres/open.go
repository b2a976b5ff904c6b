package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

// Store is an open collection that nsfl manages. It is safe for concurrent use.
type Store struct {
	*remote.Store
	database
	collection string // the schema that holds it
	dim        int
	encoder    string
}

var _ engine.Collection = (*Store)(nil)

type managedDriver struct{ *Store }

// Open opens a collection in the database at an address such as
//
//	postgres://USER:PASSWORD@HOST:PORT/DATABASE?collection=NAME&pool_max_conns=4
//
// and creates it if there is none and a dimension is given. PostgreSQL's environment
// variables, such as PGPASSWORD, complete the address.
//
// With Options.Fill, HNSW indexes are neither made nor used, and searches compare all
// documents. The indexes are made when a collection is first opened for writing
// without it: made last, they take a fraction of the time.
//
// The errors that a caller may decide on are engine.ErrNotCollection,
// *engine.MismatchError for another encoder or dimension, and *engine.FormatError.
func Open(ctx context.Context, address string, o engine.Options) (*Store, error) {
	c, collection, err := configure(address)
	if err == nil {
		err = remote.Defaults(&o, maxDimension)
	}
	if err != nil {
		return nil, err
	}
	s := &Store{database: database{calls: &remote.Calls{Options: o, Place: server(c) + "?collection=" + collection, Reword: reword, Again: again}}, collection: collection}
	var oid uint32
	var missing bool
	err = s.alone(ctx, c.ConnConfig, "opening the collection", o.Timeout, func(ctx context.Context, conn *pgx.Conn) (err error) {
		if oid, err = s.establish(ctx, conn); err == nil {
			missing, err = s.unindexed(ctx, conn)
		}
		if errors.Is(err, engine.ErrNotCollection) {
			return propose(ctx, conn, server(c))
		}
		return err
	})
	if err == nil && missing {
		err = s.alone(ctx, c.ConnConfig, "indexing the collection", o.WriteTimeout, s.index)
	}
	if err != nil {
		return nil, err
	}
	if err = s.connect(ctx, c, oid); err != nil {
		return nil, s.calls.Explain("opening the collection", err)
	}
	s.Store = remote.New(managedDriver{s}, s.calls, remote.Config{
		Dimension: s.dim, Text: true, Index: remote.Index{None: o.Fill || s.dim > maxIndexedHalf, Passages: true}, Limits: remote.Limits{Whole: math.MaxInt},
	})
	return s, nil
}

func (s *Store) Encoder() string { return s.encoder }

// Compile refuses what PostgreSQL cannot compare; it decides everything else.
func (d managedDriver) Compile(_ context.Context, filter query.Node) (remote.Where, error) {
	return remote.Where{Native: filter}, comparable(filter)
}

func (d managedDriver) Close() error { return d.close() }

// maxDimension is the limit of pgvector's type. Its HNSW indexes have lower limits.
const maxDimension = 16000

// maxMessage is more than the server needs for the largest row, a document of
// engine.MaxDocumentBytes with its vector. It keeps a lying length from taking all
// of the memory.
const maxMessage = 64 << 20

const connectTimeout = 10 * time.Second

var collectionName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

func configure(address string) (c *pgxpool.Config, collection string, err error) {
	c, settings, err := parse(address)
	if err != nil {
		return nil, "", err
	}
	collection = cmp.Or(settings.Get("collection"), remote.DefaultCollection)
	switch settings.Del("collection"); {
	case len(settings) > 0:
		err = engine.BadInput("the address", "%s says which columns of a table to search; say which table, with table=NAME", strings.Join(slices.Sorted(maps.Keys(settings)), ", "))
	case !collectionName.MatchString(collection) || collection == "public" || collection == "information_schema" || strings.HasPrefix(collection, "pg_"):
		err = engine.BadInput("the collection's name", "%q is not a small letter with small letters, digits and underscores after it, up to 63 in all, or is a name of the database's own", collection)
	}
	return c, collection, err
}

// own are the settings of an address that are not the server's.
var own = []string{"collection", "table", "id", "vector", "text", "title", "metadata", "only"}

// parse parses an address. Its errors quote nothing, since any part may be a password.
func parse(address string) (c *pgxpool.Config, settings url.Values, err error) {
	if c, err = pgxpool.ParseConfig(address); err != nil {
		return nil, nil, errors.New("reading the address of a PostgreSQL store: it is not like postgres://USER:PASSWORD@HOST:PORT/DATABASE, or has an unknown setting; in a password, write @ as %40, / as %2F, % as %25")
	}
	params := c.ConnConfig.RuntimeParams
	settings = url.Values{}
	for _, name := range own {
		if value, ok := params[name]; ok {
			settings.Set(name, value)
			delete(params, name)
		}
	}
	params["application_name"] = cmp.Or(params["application_name"], "nsfl")
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = connectTimeout
		c.ConnConfig.DialFunc = (&net.Dialer{Timeout: connectTimeout, KeepAlive: time.Minute}).DialContext
	}
	// Statements without names work through a connection pooler.
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	c.ConnConfig.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		f := pgproto3.NewFrontend(r, w)
		f.SetMaxBodyLen(maxMessage)
		return f
	}
	return c, settings, nil
}

func storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

func server(c *pgxpool.Config) string {
	host := c.ConnConfig.Host
	if !strings.HasPrefix(host, "/") {
		host = net.JoinHostPort(host, strconv.Itoa(int(c.ConnConfig.Port)))
	}
	return fmt.Sprintf("postgres://%s/%s", host, c.ConnConfig.Database)
}
