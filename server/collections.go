package server

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl"
	stores "github.com/nsfl-go/nsfl/engine/choose"
)

// Collections are those of a directory and of stores elsewhere, opened when they are
// first asked for and kept open: one process writes a collection in a directory, so
// all that write it here have to share it. It is safe for concurrent use.
type Collections struct {
	root     string
	outside  map[string]*outside
	demo     *nsfl.Collection
	words    []string // that clients may choose encoders by
	encoders encoders

	reading, writing *gate // for those who use them by the exported methods

	mu     sync.Mutex
	open   map[string]*opened
	closed bool
	making sync.Mutex // one collection is made or deleted at a time

	stopLooking context.CancelFunc
	lookers     sync.WaitGroup // those who look after the stores
}

// opened is a collection that is open, being opened, or could not be.
type opened struct {
	*nsfl.Collection
	name, word string
	readOnly   bool

	ready chan struct{} // closed when the fields above and err are set
	err   error

	// Guarded by Collections.mu. A retired one is out of the map, and is closed
	// when the last who uses it lets go.
	uses    int
	retired bool
	closed  chan struct{}
}

const (
	demoName = "demo"
	// encoderNote is the note under which a collection keeps the word that its
	// encoder was chosen by. The command line knows it too.
	encoderNote = "encoder"
)

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

func newCollections(config Config, l Limits, log *slog.Logger) (*Collections, error) {
	c := &Collections{root: config.Root, demo: config.Demo, words: config.encoders(), open: map[string]*opened{}, outside: map[string]*outside{}}
	for name, address := range config.Stores {
		if err := c.checkStore(name, address); err != nil {
			return nil, err
		}
		c.outside[name] = newOutside(name, address, l, log)
	}
	if c.root == "" {
		return c, nil
	}
	if err := os.MkdirAll(c.root, 0o777); err != nil {
		return nil, fmt.Errorf("opening the directory of collections: %w", err)
	}
	if _, err := os.Stat(c.dir(demoName)); c.demo != nil && err == nil {
		return nil, fmt.Errorf("%s has a collection named %s already, which would hide behind the built-in one; serve without it, or rename yours", c.root, demoName)
	}
	return c, nil
}

// checkStore is an error where a store cannot be offered under a name.
func (c *Collections) checkStore(name, address string) error {
	problem := ""
	switch known := stores.Known(address); {
	case !nameForm.MatchString(name):
		problem = "a name has lower-case letters, digits, - and _, at most 64, and begins with a letter or a digit"
	case !stores.External(address):
		problem = "that is a directory, not an address such as postgres://HOST/DATABASE; put it into the directory of collections"
	case known != nil:
		problem = known.Error()
	case name == demoName && c.demo != nil:
		problem = "that is the name of the built-in collection; choose another, or serve without it"
	case c.root != "":
		if _, err := os.Lstat(c.dir(name)); err == nil {
			problem = fmt.Sprintf("there is a collection of that name in %s; choose another", c.root)
		}
	}
	if problem != "" {
		return fmt.Errorf("offering a store as collection %q: %s", name, problem)
	}
	return nil
}

// look begins to look after the stores.
func (c *Collections) look() {
	ctx, cancel := context.WithCancel(context.Background())
	c.stopLooking = cancel
	for _, s := range c.outside {
		c.lookers.Go(func() { s.watch(ctx) })
	}
}

func (c *Collections) dir(name string) string { return filepath.Join(c.root, name) }

func noCollection(name string) error {
	return newProblem("not_found", "there is no collection %q", name)
}

// Use is the collection of a name, until release is called. To write it, say so:
// where another process writes, that is refused. It takes one of the places that
// the server has for such work, and waits for one, but not for long.
func (c *Collections) Use(ctx context.Context, name string, write bool) (collection *nsfl.Collection, release func(), err error) {
	gate := c.reading
	if write {
		gate = c.writing
	}
	leave, err := gate.enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	o, letGo, err := c.use(ctx, name, write)
	if err != nil {
		leave()
		return nil, nil, err
	}
	return o.Collection, func() { letGo(); leave() }, nil
}

// Make makes a collection with the encoder that is the default.
func (c *Collections) Make(ctx context.Context, name string) error {
	return c.make(ctx, name, c.words[0])
}

func (c *Collections) use(ctx context.Context, name string, write bool) (*opened, func(), error) {
	o, err := c.take(ctx, name)
	if err == nil && write && o.readOnly && o.Collection != c.demo {
		// The other writer may have gone since.
		c.retire(o)
		c.letGo(o)
		o, err = c.take(ctx, name)
	}
	if err != nil {
		return nil, nil, err
	}
	release := func() { c.letGo(o) }
	if write && o.readOnly {
		release()
		if o.Collection == c.demo {
			return nil, nil, newProblem("read_only", "the demo cannot be changed; make a collection of your own")
		}
		return nil, nil, newProblem("read_only", "collection %q is open for writing in another process, so that it can only be read here; close it there", name)
	}
	return o, release, nil
}

// take opens a collection, or waits for whoever is opening it.
func (c *Collections) take(ctx context.Context, name string) (*opened, error) {
	if !nameForm.MatchString(name) {
		return nil, noCollection(name)
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, newProblem("unavailable", "the server is shutting down")
	}
	o, known := c.open[name]
	if !known {
		o = &opened{name: name, ready: make(chan struct{}), closed: make(chan struct{})}
		c.open[name] = o
	}
	o.uses++
	c.mu.Unlock()
	if !known {
		// Others wait for it too, so it is not this request's to cancel.
		go func() {
			if o.err = c.fill(context.WithoutCancel(ctx), o); o.err != nil {
				c.retire(o)
			}
			close(o.ready)
		}()
	}
	select {
	case <-o.ready:
	case <-ctx.Done():
		c.letGo(o)
		return nil, ctx.Err()
	}
	if o.err != nil {
		c.letGo(o)
		return nil, o.err
	}
	return o, nil
}

// retire takes a collection out of the map.
func (c *Collections) retire(o *opened) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[o.name] == o {
		delete(c.open, o.name)
	}
	o.retired = true
}

// letGo ends one use.
func (c *Collections) letGo(o *opened) {
	c.mu.Lock()
	o.uses--
	last := o.uses == 0 && o.retired
	c.mu.Unlock()
	if last {
		c.end(o)
	}
}

// end closes a retired collection that nobody uses.
func (c *Collections) end(o *opened) {
	if o.Collection != nil && o.Collection != c.demo {
		_ = o.Close() // what was acknowledged is on the disk
	}
	close(o.closed)
}

// down is how many stores do not answer.
func (c *Collections) down() (n int) {
	for _, s := range c.outside {
		if s.refusal() != nil {
			n++
		}
	}
	return n
}

func (c *Collections) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// close closes all collections, each after its last use, and the encoders.
func (c *Collections) close() error {
	c.stopLooking()
	c.lookers.Wait()
	c.mu.Lock()
	c.closed = true
	var all []*opened
	for _, o := range c.open {
		o.uses++
		all = append(all, o)
	}
	c.mu.Unlock()
	slices.SortFunc(all, func(a, b *opened) int { return cmp.Compare(a.name, b.name) })
	for _, o := range all {
		<-o.ready
		c.retire(o)
		c.letGo(o)
		<-o.closed
	}
	return c.encoders.close()
}
