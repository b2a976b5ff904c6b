package milvus

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/remote/rpc"
)

// maxMessage limits the size of a message. It equals Milvus's default limit.
const maxMessage = 64 << 20

var errGarbage = errors.New("is this a Milvus server?")

const rule = "a letter or an underscore followed by up to 239 letters, digits and underscores"

// names matches the names of collections, databases and fields. Milvus takes 255 characters,
// and suffixes follow.
var names = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,239}$`)

var scheme = remote.Scheme{
	Name: "milvus", Engine: "Milvus", Port: "19530", Login: true, Settings: []string{"database"},
	Advice:     "user and password, or a token, may be in the environment variable MILVUS_TOKEN instead",
	Collection: remote.DefaultCollection, Names: names, Rule: rule,
}

func configure(text string) (*remote.Address, error) {
	a, err := scheme.Parse(text)
	if err == nil && a.Settings["database"] != "" && !names.MatchString(a.Settings["database"]) {
		return nil, engine.BadInput("the database's name", "%.64q is not %s", a.Settings["database"], rule)
	}
	return a, err
}

type refusal struct {
	code   int32
	reason string
	again  bool // it may do it later
}

func (r *refusal) Error() string { return "the server says: " + r.reason }

// Error codes of new and old versions.
const (
	codeNoCollection, oldNoCollection = 100, 4
	codeNotLoaded                     = 101
	codeNoIndex, oldNoIndex           = 700, 11
)

func refused(err error, codes ...int32) bool {
	var r *refusal
	return errors.As(err, &r) && slices.Contains(codes, r.code)
}

type client struct {
	*rpc.Conn
	database string
}

// newClient returns a client for an address; without a configuration of TLS, nothing is
// encrypted, also not the password.
func newClient(a *remote.Address, security *tls.Config) (*client, error) {
	token := os.Getenv("MILVUS_TOKEN")
	if a.User != "" {
		if token = a.User; a.Password != "" {
			token += ":" + a.Password
		}
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(token))
	c := &client{database: a.Settings["database"]}
	config := rpc.Config{
		Host: a.Host, TLS: security, Service: "milvus.proto.milvus.MilvusService", MaxMessage: maxMessage, Hide: remote.Hide(token, encoded, a.Password), Check: c.check,
		Again: func(err error) bool {
			var r *refusal
			return errors.As(err, &r) && r.again
		},
	}
	if token != "" {
		config.Metadata = append(config.Metadata, "authorization", encoded)
	}
	if c.database != "" {
		config.Metadata = append(config.Metadata, "dbname", c.database)
	}
	var err error
	c.Conn, err = rpc.Dial(config)
	return c, err
}

func (c *client) check(answer proto.Message) error {
	s, ok := answer.(*wire.Status)
	if !ok {
		s = answer.(interface{ GetStatus() *wire.Status }).GetStatus()
	}
	if s.GetCode() == 0 && s.GetErrorCode() == 0 {
		return nil
	}
	return &refusal{cmp.Or(s.GetCode(), s.GetErrorCode()), cmp.Or(c.Text(s.GetReason()), "no"), s.GetRetriable()}
}

func reword(err error) error {
	if refused(err, codeNotLoaded) {
		return fmt.Errorf("the collection is not loaded, so that it cannot be searched: load it (load_collection in Milvus's client) (%w)", err)
	}
	return rpc.Reword("give user and password in the address or in MILVUS_TOKEN")(err)
}

// Open attaches to a collection at an address such as
//
//	milvus://USER:PASSWORD@HOST:PORT/?collection=NAME
//
// for reading. Further settings are database, tls=true, and id, vector, text, title and
// metadata: the names of the fields, or of keys in the dynamic field, that have these roles.
// User and password, or a token, may be in the environment variable MILVUS_TOKEN instead.
//
// It returns engine.ErrNotCollection if there is no such collection and *engine.MismatchError
// if its vectors have another dimension than requested.
func Open(ctx context.Context, text string, o engine.Options) (*remote.Store, error) {
	a, err := configure(text)
	if err == nil {
		err = remote.Defaults(&o, engine.MaxDimension)
	}
	if err != nil {
		return nil, err
	}
	d := &driver{calls: &remote.Calls{Options: o, Place: a.Place(), Reword: reword}, roles: a.Roles}
	var security *tls.Config
	if a.TLS {
		security = new(tls.Config)
	}
	c, err := newClient(a, security)
	if err != nil {
		return nil, d.calls.Explain("attaching to the collection", err)
	}
	d.table = table{client: c, name: a.Collection}
	return remote.Attach(ctx, d, d.calls, d.attach)
}
