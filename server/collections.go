package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/choose"
	"github.com/nsfl-go/nsfl/index"
)

// Collections are those of a directory, opened when they are first asked for and
// kept open: one process writes a collection, so all that write it here have to
// share it. It is safe for concurrent use.
type Collections struct {
	root     string
	demo     *nsfl.Collection
	words    []string // that clients may choose encoders by
	encoders encoders

	reading, writing *gate // for those who use them by the exported methods

	mu     sync.Mutex
	open   map[string]*opened
	closed bool
	making sync.Mutex // one collection is made or deleted at a time
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

func newCollections(config Config) (*Collections, error) {
	c := &Collections{root: config.Root, demo: config.Demo, words: config.encoders(), open: map[string]*opened{}}
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
		if o.err = c.fill(context.WithoutCancel(ctx), o); o.err != nil {
			c.retire(o)
		}
		close(o.ready)
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

// fill opens the collection, for writing if it can be.
func (c *Collections) fill(ctx context.Context, o *opened) (err error) {
	if o.name == demoName && c.demo != nil {
		o.Collection, o.readOnly, o.word = c.demo, true, c.demo.Encoder().Identity().Name
		if o.word == builtin.Name {
			o.word = builtin.Word
		}
		return nil
	}
	if c.root == "" {
		return noCollection(o.name)
	}
	if o.word, err = storedEncoder(ctx, c.dir(o.name)); err != nil {
		if errors.Is(err, index.ErrNotCollection) || errors.Is(err, os.ErrNotExist) {
			return noCollection(o.name)
		}
		return err
	}
	e, err := c.encoders.get(ctx, o.word)
	if err != nil {
		return newProblem("unavailable", "the encoder of collection %q cannot be opened; the server's log says why", o.name).because(err)
	}
	config := nsfl.Config{Encoder: e}
	o.Collection, err = nsfl.OpenWith(ctx, c.dir(o.name), config)
	if errors.Is(err, index.ErrLocked) || errors.Is(err, os.ErrPermission) {
		config.ReadOnly, o.readOnly = true, true
		o.Collection, err = nsfl.OpenWith(ctx, c.dir(o.name), config)
	}
	return err
}

// storedEncoder is the word that the encoder of a collection was chosen by.
func storedEncoder(ctx context.Context, dir string) (string, error) {
	i, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer i.Close()
	notes, err := i.Notes(ctx, encoderNote)
	return choose.Word(notes[encoderNote]), err
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

func (c *Collections) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// close closes all collections, each after its last use, and the encoders.
func (c *Collections) close() error {
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
