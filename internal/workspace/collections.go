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

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// Config says which collections there are.
type Config struct {
	// Root is the directory whose sub-directories are collections. Empty: there are
	// none, and none can be made.
	Root string
	// Places are directories and addresses that hold a collection each, by the names
	// that these are offered under. A store may be down; its collection is
	// unavailable then.
	Places map[string]string
	// Demo is offered, for reading, under the name demo. The caller closes it.
	Demo *Handle
	// Encoders are the words that a new collection's encoder may be chosen by; the
	// first is the default. Nil: the built-in one alone. Of collections that are
	// there, the encoder is one of these too unless it reaches nothing outside.
	Encoders []string
	// Personal says that what the user has named on a command line is trusted too.
	Personal bool
	// Hold keeps collections in directories open for writing, so that all who write
	// them here share them and nobody else can. Otherwise they are open for reading,
	// and for writing only as long as somebody writes.
	Hold bool
	// IdleTime is how long a collection that nobody uses stays open; 0: for ever.
	IdleTime time.Duration
	// MostOpen is how many are open at once, unless more are in use; 0: any number.
	MostOpen int
	// ReadTime and WriteTime are the longest that a call to a store elsewhere may
	// take; 0: what its engine has as its own.
	ReadTime, WriteTime time.Duration
	// Quota is what a collection in a directory may hold that has no other quota.
	Quota engine.Quota
	// Turn waits until some texts of documents may be encoded. Nil: they always may.
	Turn func(context.Context) (leave func(), err error)
	// Changing is asked before documents of a collection change. Nil: they may.
	Changing Changing
	// Log is told of stores that go down and come back.
	Log *slog.Logger
}

// Collections are opened when they are first asked for, and kept open while they are
// used now and then. It is safe for concurrent use.
type Collections struct {
	config   Config
	remotes  map[string]*remoteHealth
	encoders encoders

	mu      sync.Mutex
	open    map[string]*SharedHandle
	leaving map[string]*SharedHandle // those that are being closed
	spent   map[string]int           // how many are retired after a failed write, and not closed yet
	closed  bool
	making  sync.Mutex    // one collection is made or deleted at a time
	writer  chan struct{} // without Hold, one is written at a time
	agreed  sync.Map      // of those that something else has filled, the Agreement by name

	withdraw func() // the address of the server

	stopLooking context.CancelFunc
	lookers     sync.WaitGroup // those who look after the stores
}

// SharedHandle is a collection that is open for all who use it.
type SharedHandle struct {
	*nsfl.Collection
	Name     string
	Word     string // that its encoder was chosen by
	Engine   string // that keeps it
	ReadOnly bool   // documents cannot be changed here
	// Agreement is how well the encoder agrees with the vectors of a store that something
	// else has filled; nil of others.
	Agreement *Agreement

	changing   Changing
	unwritable bool          // the directory that it is in
	ready      chan struct{} // closed when the fields above and err are set
	err        error

	// Guarded by Collections.mu. A retired one is out of the map, and is closed
	// when the last who uses it lets go.
	uses     int
	used     time.Time // last
	fleeting bool      // it was only looked at
	retired  bool
	healing  bool // retired because it is spent
	closed   chan struct{}
}

// NewCollections checks what is offered, and begins to look after the stores
// elsewhere.
func NewCollections(config Config) (*Collections, error) {
	if len(config.Encoders) == 0 {
		config.Encoders = []string{builtin.Word}
	}
	c := &Collections{config: config, open: map[string]*SharedHandle{}, leaving: map[string]*SharedHandle{}, spent: map[string]int{}, remotes: map[string]*remoteHealth{}, writer: make(chan struct{}, 1), withdraw: func() {}}
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
			return nil, fmt.Errorf("%s has a collection named %s already, which would hide behind the built-in one; leave that out, or rename yours", config.Root, Demo)
		}
		if config.Hold {
			c.sweep()
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.stopLooking = cancel
	for _, s := range c.remotes {
		c.lookers.Go(func() { s.watch(ctx) })
	}
	if config.IdleTime > 0 {
		c.lookers.Go(func() { c.tidy(ctx) })
	}
	return c, nil
}

// checkRoot is an error where there is no directory for collections. It is not made: a
// name with a mistake in it would be served as if it were empty.
func checkRoot(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("there is no directory %s for collections; make it, or name one that is there", root)
	case err != nil:
		return fmt.Errorf("opening the directory of collections: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory; name the one whose sub-directories are the collections", root)
	}
	return nil
}

// checkPlace is an error where a place cannot be offered under a name.
func (c *Collections) checkPlace(name, place string) error {
	problem := ""
	switch known := stores.Check(place); {
	case !IsName(name) && stores.External(place):
		problem = NameRule
	case known != nil:
		problem = known.Error()
	case name == Demo && c.config.Demo != nil:
		problem = "that is the name of the built-in collection; choose another, or leave that out"
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

// place is where the collection of a name is, or would be; empty: nowhere.
func (c *Collections) place(name string) string {
	if place, ok := c.config.Places[name]; ok {
		return place
	}
	if c.config.Root == "" || !IsName(name) {
		return ""
	}
	return filepath.Join(c.config.Root, name)
}

// Encoders are the words that a new collection's encoder may be chosen by.
func (c *Collections) Encoders() []string { return c.config.Encoders }

// Engine is what keeps a collection, which need not be open.
func (c *Collections) Engine(name string) string { return stores.Engine(c.place(name)) }

// Open is how many collections are open.
func (c *Collections) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// Down is how many stores do not answer.
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
	c.stopLooking()
	c.lookers.Wait()
	c.mu.Lock()
	c.closed = true
	c.withdraw()
	var all []*SharedHandle
	for _, o := range c.open {
		o.uses++
		all = append(all, o)
	}
	leaving := slices.Collect(maps.Values(c.leaving))
	c.mu.Unlock()
	for _, o := range leaving {
		<-o.closed
	}
	slices.SortFunc(all, func(a, b *SharedHandle) int { return cmp.Compare(a.Name, b.Name) })
	for _, o := range all {
		<-o.ready
		c.retire(o)
		c.release(o)
		<-o.closed
	}
	return c.encoders.close()
}
