package server

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"reflect"
	"runtime"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/descriptors"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/server/auth"
	"github.com/nsfl-go/nsfl/server/limit"
)

// Config configures a server. The zero value serves only the query calculus, on loopback, to
// every local client.
type Config struct {
	// Root is the directory whose subdirectories are the collections. If it is empty, there
	// are no collections and none can be created.
	Root string
	// Stores maps collection names to remote stores or directories that hold one collection
	// each, in the form that nsfl --store takes. While a store is down, its collection is
	// unavailable.
	Stores map[string]string
	// Demo is a read-only collection offered under the name demo. The caller closes it after
	// the server.
	Demo *workspace.Handle
	// Files is a directory: files below it that documents were indexed from are sent to clients
	// whose key is not limited to collections. Empty means none.
	Files string
	// Parser is a command that calls ingest.Child and parses uploaded files with limited memory.
	// Empty, or if it cannot be started: the server's process parses them.
	Parser []string
	// Encoders lists the encoder specs that a client may choose for a new collection; the
	// first is the default. Nil means the built-in encoder only. A spec such as onnx:DIR reads
	// files and http://HOST contacts other machines, so clients are limited to this list.
	Encoders []string
	// Chat translates plain language with a model. Nil disables this.
	Chat nl.Chat

	// Keys are the accepted keys. Without keys, every client may do everything, and the server
	// answers on loopback only.
	Keys []auth.Key
	// KeysFile holds further keys, one per line. The server reads it again when it changes.
	KeysFile string
	// Audit is the audit log, which gets a line before and after each change. Empty disables
	// it.
	Audit string
	// Insecure lets a server without keys answer on addresses other than loopback.
	Insecure bool
	// Hosts are the host names that a server without keys accepts, in addition to localhost
	// and the loopback addresses. Other names are refused to prevent DNS rebinding.
	Hosts []string
	// Origins are the origins of other sites that may use the API; * allows any.
	Origins []string
	// TLSCert and TLSKey are PEM files with the server's certificate and private key. Empty
	// means plain HTTP. The server reads them again when they change.
	TLSCert, TLSKey string
	// TLSClientCA is a PEM file of certificate authorities. If it is set, clients need a
	// certificate signed by one of them.
	TLSClientCA string

	Limits Limits
	Upkeep Upkeep
	// Log gets a line per request. Nil disables logging.
	Log *slog.Logger

	// UI is served at /. Nil means no page.
	UI fs.FS
	// Agents returns the handler of /mcp, for requests with the role read; RoleOf returns the
	// role of a request. Nil means none.
	Agents func(*Collections) http.Handler
}

// Limits keep clients from exhausting the machine. A zero value means the default named in the
// comment.
type Limits struct {
	Searches int // concurrent searches; 2 per processor
	Writes   int // batches of texts encoded for storage at once; 2
	Streams  int // concurrent bulk requests and uploads; 8
	Queue    int // requests of one key or address that may wait for each of these; 4 times Searches
	// QueueWait is how long a request waits before it is refused; 2 s.
	QueueWait   time.Duration
	Connections int           // open connections; half of the file limit, at most 4,096
	Open        int           // open collections, unless more are in use; as many as three eighths of the file limit allow, at most 1,024
	IdleTime    time.Duration // after which an unused collection is closed; 10 min
	Rate        int           // requests per second of one key or address; 0: unlimited
	Burst       int           // burst size of the rate limit; 0: twice the rate

	SearchTime time.Duration // for a search or another read; 30 s
	WriteTime  time.Duration // for a request that stores documents, or until a stream has sent a batch; 2 min
	BatchTime  time.Duration // for storing one complete batch of a stream; 10 min
	StallTime  time.Duration // without progress in a stream or a body; 1 min
	GraceTime  time.Duration // for requests in flight at shutdown; 30 s

	QueryBytes  int64 // body of a read request; 1 MiB
	WriteBytes  int64 // body of a request that stores documents; 32 MiB
	StreamBytes int64 // bulk request or upload, decompressed except for uploaded .gz files; 4 GiB
	AnswerBytes int64 // approximate response size; 32 MiB, at most an eighth of Memory
	Memory      int64 // approximate memory of all requests together; half of the machine's or cgroup's

	QuotaDocuments int   // per collection, unless an admin sets another quota; unlimited
	QuotaBytes     int64 // of the collection's files, likewise; unlimited

	Results int // per search; 1,000
}

// Calls returns how many requests of agents run at once. Those that use a collection
// also pass the admission control for searches or writes.
func (l Limits) Calls() int { return 2 * l.Searches }

// connectionsFor returns the connection limit for a limit on open files: half of the files
// left after the server's own and one collection's.
func connectionsFor(files int) int { return max(4, min(4096, (files-3*collectionFiles)/2)) }

// collectionFiles is the number of open files per collection.
const collectionFiles = 16

// leastMemory is enough for one search by each of two keys.
const leastMemory = 192 << 20

// DefaultLimits returns the limits of the zero value.
func DefaultLimits() Limits {
	l, _ := Limits{}.withDefaults() // they are valid
	return l
}

func (l Limits) withDefaults() (Limits, error) {
	searches := cmp.Or(l.Searches, 2*runtime.GOMAXPROCS(0))
	standard := reflect.ValueOf(Limits{
		Searches: searches, Writes: 2, Streams: 8, Queue: 4 * searches, QueueWait: 2 * time.Second,
		Connections: connectionsFor(descriptors.Limit()), Open: min(1024, max(1, descriptors.Limit()*3/8/collectionFiles)), IdleTime: 10 * time.Minute,
		SearchTime: 30 * time.Second, WriteTime: 2 * time.Minute, BatchTime: 10 * time.Minute, StallTime: time.Minute, GraceTime: 30 * time.Second,
		QueryBytes: 1 << 20, WriteBytes: 32 << 20, StreamBytes: 4 << 30, AnswerBytes: 32 << 20, Memory: max(leastMemory, limit.DefaultMemory()),
		Results: 1000,
	})
	all := reflect.ValueOf(&l).Elem() // all fields are integers
	for i := range all.NumField() {
		switch n := all.Field(i).Int(); {
		case n < 0:
			return l, fmt.Errorf("a limit is %d; limits must be above 0, and 0 means the default", n)
		case n == 0:
			all.Field(i).Set(standard.Field(i))
		}
	}
	if l.Memory < leastMemory {
		return l, fmt.Errorf("%d bytes of memory are not enough for searches of two keys; use --memory %d or more", l.Memory, leastMemory)
	}
	l.AnswerBytes = min(l.AnswerBytes, l.Memory/8) // lowering Memory alone lowers it, too
	return l, nil
}

// Estimated memory of requests other than searches.
const (
	valueCost   = 128                     // per decoded JSON value
	bodyFactor  = 2                       // per byte of a body read into a growing buffer
	storeFactor = 4                       // per byte of text of documents that are split, encoded and stored
	readCost    = 4 * engine.MaxReadBytes // documents that are read and sent
	streamCost  = storeFactor * batchBytes
	pageCost    = 64 << 10 // per document of a list, up to the response limit
)

// searchCost estimates the memory of a typical search: documents, results and columns.
func (l *Limits) searchCost() int64 { return readCost + l.AnswerBytes + 8<<20 }

// reserve returns the memory for parties that hold less than it: enough for one search.
func (l *Limits) reserve() int64 { return max(l.Memory/4, l.searchCost()) }

// listCost estimates the memory of a list of documents.
func (l *Limits) listCost(documents int) int64 {
	return readCost + min(int64(documents)*pageCost, l.AnswerBytes)
}

// drawing is a reader that draws memory for the bytes it reads.
type drawing struct {
	io.Reader
	share *limit.Share
}

func (d *drawing) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if n > 0 {
		if err := d.share.Draw(bodyFactor * int64(n)); err != nil {
			return 0, err
		}
	}
	return n, err
}
