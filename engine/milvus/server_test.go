package milvus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/remote/rpc"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

const dim = enginetest.Dimension

var shared struct {
	sync.Mutex
	*testserver.Server
}

// sharedURL is the server that most tests use: the one at NSFL_TEST_MILVUS, or one that is
// started once.
func sharedURL(t testing.TB) string {
	if url := os.Getenv("NSFL_TEST_MILVUS"); url != "" {
		return url
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.Server == nil {
		shared.Server = started(t)
	}
	return urlOf(shared.Server)
}

func TestMain(m *testing.M) {
	remote.FirstPause /= 10
	code := m.Run()
	if shared.Server != nil {
		shared.Close()
	}
	os.Exit(code)
}

var collections atomic.Int64

// collection is the name of one that no other test uses; it is removed at the end of the
// test.
func collection(t testing.TB, c *client) string {
	name := fmt.Sprintf("nsfl_test_%d_%d", os.Getpid(), collections.Add(1))
	t.Cleanup(func() {
		err := c.tell(context.Background(), "DropCollection", &wire.NamedRequest{CollectionName: name})
		if err != nil && !errors.Is(err, rpc.ErrLost) && !refused(err, codeNoCollection) { // its server may be gone
			t.Errorf("removing %s: %v", name, err)
		}
	})
	return name
}

// clientOf asks the server at an address.
func clientOf(t testing.TB, url string) *client {
	t.Helper()
	a, err := configure(url)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// foreign is a collection that something else would make.
type foreign struct {
	schema  *wire.CollectionSchema
	indexes []*wire.CreateIndexRequest
	data    []*wire.FieldData
	rows    int
}

// made makes it, and is its name.
func (f *foreign) made(t testing.TB, c *client) string {
	t.Helper()
	ctx, name := context.Background(), collection(t, c)
	schema, err := proto.Marshal(f.schema)
	if err == nil {
		err = c.tell(ctx, "CreateCollection", &wire.CreateCollectionRequest{CollectionName: name, Schema: schema})
	}
	if err == nil && f.rows > 0 {
		err = c.Ask(ctx, "Upsert", &wire.UpsertRequest{CollectionName: name, FieldsData: f.data, NumRows: uint32(f.rows)}, new(wire.MutationResult))
	}
	for _, index := range f.indexes {
		if err == nil {
			index.CollectionName = name
			err = c.tell(ctx, "CreateIndex", index)
		}
	}
	if err == nil { // without it, there are no indexes yet
		err = c.Ask(ctx, "Flush", &wire.NamedRequest{CollectionName: name}, new(wire.MutationResult))
	}
	if err == nil {
		err = c.tell(ctx, "LoadCollection", &wire.NamedRequest{CollectionName: name})
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func field(name string, kind wire.DataType, params ...string) *wire.FieldSchema {
	f := &wire.FieldSchema{Name: name, DataType: kind}
	for i := 0; i < len(params); i += 2 {
		f.TypeParams = append(f.TypeParams, pair(params[i], params[i+1]))
	}
	return f
}

func indexed(field, kind, metric string) *wire.CreateIndexRequest {
	return &wire.CreateIndexRequest{FieldName: field, ExtraParams: []*wire.KeyValuePair{
		pair("index_type", kind), pair("metric_type", metric), pair("params", `{"M": 16, "efConstruction": 100, "nlist": 8}`),
	}}
}
