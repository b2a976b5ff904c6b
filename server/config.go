package server

import (
	"cmp"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"reflect"
	"runtime"
	"time"

	"github.com/nsfl-go/nsfl/internal/descriptors"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/query/nl"
)

// Config is what a server offers, to whom, and how much of it at once. The zero
// value serves nothing but the calculus, on loopback, to everyone there.
type Config struct {
	// Root is the directory whose sub-directories are the collections. Empty: there
	// are none, and none can be made.
	Root string
	// Stores are the addresses of stores elsewhere, or directories, that hold a collection each, as
	// nsfl --store takes them, by the names that these are offered under.
	// A store may be down; its collection is unavailable then.
	Stores map[string]string
	// Demo is a collection that is offered, for reading, under the name demo. The
	// caller closes it, after the server.
	Demo *workspace.Handle
	// Encoders are the words that a client may choose a new collection's encoder
	// by; the first is the default. Nil: the built-in one alone. A word such as
	// onnx:DIR reads files and http://HOST asks other machines, so a client can
	// take only what stands here.
	Encoders []string
	// Chat is what reads plain language by a model; nil: nothing does.
	Chat nl.Chat

	// Keys are those that are accepted. Without any, whoever reaches the server may
	// do everything, and it answers on loopback only.
	Keys []Key
	// KeysFile holds further ones, a line each. It is read again when it changes.
	KeysFile string
	// Audit is a file that gets a line before and after each change. Empty: there is
	// none.
	Audit string
	// Insecure lets a server without keys answer beyond loopback.
	Insecure bool
	// Hosts are names that a server without keys answers to, beside localhost and
	// the loopback addresses: others may be those of a page that wants to look
	// like this server (DNS rebinding).
	Hosts []string
	// Origins are those of pages elsewhere that may use the API; * is any.
	Origins []string
	// TLSCert and TLSKey are files with the server's certificate and its key, PEM; empty:
	// plain HTTP. They are read again when they change.
	TLSCert, TLSKey string
	// TLSClientCA is a file with the certificates of those who vouch for clients, which
	// need one then. Empty: they need none.
	TLSClientCA string

	Limits Limits
	Upkeep Upkeep
	// Log gets a line for each request. Nil: nothing is logged.
	Log *slog.Logger
	// Tracing is where spans are sent, as OTLP over HTTP: the address of a
	// collector such as http://localhost:4318. Empty: nowhere.
	Tracing string

	// UI is served at /. Nil: there is no page.
	UI fs.FS
	// Mounts are further handlers by path, such as /mcp.
	Mounts map[string]Mount
}

// Mount is a handler that is served beside the API. It is asked only by those who
// have the role, and RoleOf tells it which one they have.
type Mount struct {
	Role    Role
	Handler func(*Collections) http.Handler
}

// Limits keep one client, or many, from taking all of the machine. Zero values
// stand for the defaults beside them.
type Limits struct {
	Searches int // at once; 2 for each processor
	Writes   int // batches of texts that are encoded to be stored at once; 2
	Streams  int // bulk requests and uploads at once; 8
	Queue    int // requests of one key, or address, that wait for each of these; 4 times as many
	// QueueWait is how long a request waits before it is told to come back; 2 s.
	QueueWait   time.Duration
	Connections int           // open at once; half of what the system allows, at most 4,096
	Open        int           // collections, unless more are in use; as many as three eighths of the open files that the system allows are enough for, at most 1,024
	IdleTime    time.Duration // after which a collection that nobody uses is closed; 10 min
	Rate        int           // requests a second of one key, or address; 0: any number
	Burst       int           // of them at once; 0: twice the rate

	SearchTime time.Duration // a search or another question; 30 s
	WriteTime  time.Duration // a request that stores documents, or until a batch of a stream is there; 2 min
	BatchTime  time.Duration // storing a batch of a stream, once it is there; 10 min
	StallTime  time.Duration // a stream or a body that makes no progress; 1 min
	GraceTime  time.Duration // what is in flight when the server stops; 30 s

	QueryBytes  int64 // the body of a question; 1 MiB
	WriteBytes  int64 // the body of a request that stores documents; 32 MiB
	StreamBytes int64 // a bulk request or an upload, decompressed, but for files that are themselves .gz; 4 GiB
	AnswerBytes int64 // an answer, about; 32 MiB, and never more than an eighth of Memory
	Memory      int64 // what all requests may take together, about; half of what the machine or its cgroup has

	QuotaDocuments int   // of a collection, where an admin has not set others; any number
	QuotaBytes     int64 // of its files, likewise; any number

	Results   int           // of one search; 1,000
	Kept      int           // searches that can be ranked again; 64
	KeptBytes int64         // of all of them together; 256 MiB, and never more than a quarter of Memory
	KeptTime  time.Duration // since they were last used; 10 min
}

// Calls are how many requests to what is mounted are worked on at once; where they use
// a collection, they wait for a place among the searches or the writes.
func (l Limits) Calls() int { return 2 * l.Searches }

// connectionsFor is how many connections are open at once where the system allows so many
// files: half of those that the server's own files and one collection leave.
func connectionsFor(files int) int { return max(4, min(4096, (files-3*collectionFiles)/2)) }

// collectionFiles is how many files are open for a collection.
const collectionFiles = 16

func (l Limits) withDefaults() (Limits, error) {
	searches := cmp.Or(l.Searches, 2*runtime.GOMAXPROCS(0))
	standard := reflect.ValueOf(Limits{
		Searches: searches, Writes: 2, Streams: 8, Queue: 4 * searches, QueueWait: 2 * time.Second,
		Connections: connectionsFor(descriptors.Limit()), Open: min(1024, max(1, descriptors.Limit()*3/8/collectionFiles)), IdleTime: 10 * time.Minute,
		SearchTime: 30 * time.Second, WriteTime: 2 * time.Minute, BatchTime: 10 * time.Minute, StallTime: time.Minute, GraceTime: 30 * time.Second,
		QueryBytes: 1 << 20, WriteBytes: 32 << 20, StreamBytes: 4 << 30, AnswerBytes: 32 << 20, Memory: max(leastMemory, defaultMemory()),
		Results: 1000, Kept: 64, KeptBytes: 256 << 20, KeptTime: 10 * time.Minute,
	})
	all := reflect.ValueOf(&l).Elem() // whole numbers, all of them
	for i := range all.NumField() {
		switch n := all.Field(i).Int(); {
		case n < 0:
			return l, fmt.Errorf("a limit of %d has no meaning: limits are above 0, and 0 stands for the default", n)
		case n == 0:
			all.Field(i).Set(standard.Field(i))
		}
	}
	if l.Memory < leastMemory {
		return l, fmt.Errorf("%d bytes of memory are not enough for searches of two keys; use --memory %d or more", l.Memory, leastMemory)
	}
	// Whoever gives less memory need not say what else is to be smaller.
	l.AnswerBytes, l.KeptBytes = min(l.AnswerBytes, l.Memory/8), min(l.KeptBytes, l.Memory/4)
	return l, nil
}
