package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// Config selects the collections to offer.
type Config struct {
	// Root is the directory whose subdirectories are collections. If empty, there are
	// none and none can be created.
	Root string
	// Places maps collection names to directories and addresses of stores. A store may be
	// down; its collection is then unavailable.
	Places map[string]string
	// Demo is offered read-only under the name demo. The caller closes it.
	Demo *Handle
	// Encoders lists the encoders that a new collection may use; the first is the
	// default. Nil means the built-in one only. An existing collection must use one of
	// these too, unless its encoder needs no network or files.
	Encoders []string
	// Personal also trusts encoders that the user has named on a command line.
	Personal bool
	// Hold keeps directory collections open for writing, shared by all writers in this
	// process and locked against others. Otherwise they are opened for reading, and for
	// writing only during each write.
	Hold bool
	// IdleTime is how long an unused collection stays open; 0 means forever.
	IdleTime time.Duration
	// MostOpen limits the number of open collections, unless more are in use; 0 means no
	// limit.
	MostOpen int
	// ReadTime and WriteTime are the timeouts of calls to remote stores; 0 means the
	// engine's default.
	ReadTime, WriteTime time.Duration
	// Quota applies to directory collections without a quota of their own.
	Quota index.Quota
	// Turn waits for permission to encode documents. Nil means no limit.
	Turn func(context.Context) (leave func(), err error)
	// Changing is called before documents change. Nil allows all changes.
	Changing Changing
	// Log receives outages and recoveries of stores.
	Log *slog.Logger
}

// Collections opens collections on first use and keeps them open while they are in
// regular use. It is safe for concurrent use.
type Collections struct {
	config   Config
	remotes  map[string]*remoteHealth
	encoders encoders

	mu      sync.Mutex
	open    map[string]*entry
	closing map[string]*entry // being closed
	spent   map[string]int    // entries retired after a failed write and not closed yet, by name
	closed  bool
	making  sync.Mutex    // serializes creating and deleting collections
	writer  chan struct{} // without Hold, serializes writers
	agreed  sync.Map      // Agreement of attached stores by name

	withdraw func() // removes the announced address of the server

	stopMonitors context.CancelFunc
	monitors     sync.WaitGroup // goroutines that monitor stores
}

// entry is a collection shared by its users.
type entry struct {
	Handle
	unwritable bool          // its directory is not writable
	ready      chan struct{} // closed once the fields above and err are set
	err        error

	// Guarded by Collections.mu. A retired entry is no longer in the map, and is closed
	// when its last user releases it.
	uses         int
	used         time.Time // time of last use
	retired      bool
	awaitsReopen bool // retired because it is spent
	closed       chan struct{}
}

// NewCollections validates the configuration and starts monitoring the remote stores.
func NewCollections(config Config) (*Collections, error) {
	if len(config.Encoders) == 0 {
		config.Encoders = []string{builtin.Word}
	}
	c := &Collections{config: config, open: map[string]*entry{}, closing: map[string]*entry{}, spent: map[string]int{}, remotes: map[string]*remoteHealth{}, writer: make(chan struct{}, 1), withdraw: func() {}}
	for name, place := range config.Places {
		if err := c.checkPlace(name, place); err != nil {
			return nil, err
		}
		if stores.External(place) {
			c.remotes[name] = newRemoteHealth(name, place, &c.config)
		}
	}
	if config.Root != "" {
		if err := checkRoot(config.Root); err != nil {
			return nil, err
		}
		if _, err := os.Stat(c.place(Demo)); config.Demo != nil && err == nil {
			return nil, fmt.Errorf("%s already has a collection named %s, which the built-in one would hide; disable the built-in one or rename yours", config.Root, Demo)
		}
		if config.Hold {
			c.sweep()
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.stopMonitors = cancel
	for _, s := range c.remotes {
		c.monitors.Go(func() { s.watch(ctx) })
	}
	if config.IdleTime > 0 {
		c.monitors.Go(func() { c.closeIdleLoop(ctx) })
	}
	return c, nil
}

// checkRoot returns an error if the root directory does not exist. It does not create it:
// a misspelled name would be served as an empty root.
func checkRoot(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no directory %s for collections; create it or choose another", root)
	case err != nil:
		return fmt.Errorf("opening the directory of collections: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory; use the directory whose subdirectories are the collections", root)
	}
	return nil
}

// checkPlace returns an error if a place cannot be offered under a name.
func (c *Collections) checkPlace(name, place string) error {
	problem := ""
	switch known := stores.Check(place); {
	case !IsName(name) && stores.External(place):
		problem = NameRule
	case known != nil:
		problem = known.Error()
	case name == Demo && c.config.Demo != nil:
		problem = "that is the name of the built-in collection; choose another, or disable the built-in one"
	case c.config.Root != "":
		if _, err := os.Lstat(filepath.Join(c.config.Root, name)); err == nil {
			problem = fmt.Sprintf("there is a collection of that name in %s; choose another", c.config.Root)
		}
	}
	if problem != "" {
		return fmt.Errorf("offering a store as collection %q: %s", name, problem)
	}
	return nil
}

// place returns where the collection of a name is or would be, or "".
func (c *Collections) place(name string) string {
	if place, ok := c.config.Places[name]; ok {
		return place
	}
	if c.config.Root == "" || !IsName(name) {
		return ""
	}
	return filepath.Join(c.config.Root, name)
}

// Encoders returns the specs of the encoders that a new collection may use.
func (c *Collections) Encoders() []string { return c.config.Encoders }

// Engine returns the engine that stores a collection, which need not be open.
func (c *Collections) Engine(name string) string { return stores.Engine(c.place(name)) }

// Open returns the number of open collections.
func (c *Collections) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// Down returns the number of stores that are down.
func (c *Collections) Down() (n int) {
	for _, s := range c.remotes {
		if s.refusal() != nil {
			n++
		}
	}
	return n
}

// Close closes all collections, each after its last use, and the encoders.
func (c *Collections) Close() error {
	c.stopMonitors()
	c.monitors.Wait()
	c.mu.Lock()
	c.closed = true
	c.withdraw()
	var all []*entry
	for _, o := range c.open {
		o.uses++
		all = append(all, o)
	}
	leaving := slices.Collect(maps.Values(c.closing))
	c.mu.Unlock()
	for _, o := range leaving {
		<-o.closed
	}
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Compare(a.Name, b.Name) })
	for _, o := range all {
		<-o.ready
		c.retire(o)
		c.release(o)
		<-o.closed
	}
	return c.encoders.close()
}
