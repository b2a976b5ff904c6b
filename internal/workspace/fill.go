package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// fill opens a collection, for writing if possible and configured.
func (c *Collections) fill(ctx context.Context, o *entry) (err error) {
	if o.isDemo(c) {
		o.Collection, o.ReadOnly, o.Engine = c.config.Demo.Collection, true, stores.Engine("")
		if o.Word = o.Encoder().Identity().Name; o.Word == builtin.Name {
			o.Word = builtin.Word
		}
		return nil
	}
	o.Engine = c.Engine(o.Name)
	store, err := c.openStore(ctx, o)
	if err != nil {
		return err
	}
	if err := c.applyQuota(ctx, store); err != nil {
		return errors.Join(err, store.Close())
	}
	if o.Word, err = c.word(ctx, o.Name, store); err != nil {
		return errors.Join(err, store.Close())
	}
	var e *named.Encoder
	if o.Word != named.Word(stores.Encoder(c.place(o.Name))) && !c.isOffered(o.Word) {
		err = fmt.Errorf("collection %q uses encoder %q, which this server does not allow; if you trust it, add it to the server's encoders", o.Name, o.Word)
	} else {
		e, err = c.encoders.get(ctx, o.Word, nsfl.IdentityOf(store.Encoder()))
	}
	if err != nil {
		err = reject(Unavailable, "the encoder of collection %q cannot be opened; see the server's log", o.Name).because(err)
		return errors.Join(err, store.Close())
	}
	if o.Collection, err = nsfl.New(ctx, store, &nsfl.Config{Encoder: turnEncoder{e, c.config.Turn}}); err != nil {
		return errors.Join(err, store.Close())
	}
	o.closers = []func() error{o.Collection.Close}
	if store.Encoder() == "" {
		o.ReadOnly, o.Agreement = true, c.agree(ctx, &o.Handle)
	}
	return nil
}

// word returns the spec of a collection's encoder. For an attached store it comes from
// the address, or is the server's first.
func (c *Collections) word(ctx context.Context, name string, store engine.Collection) (string, error) {
	switch named := stores.Encoder(c.place(name)); {
	case store.Encoder() != "":
		return Word(ctx, store)
	case named != "":
		return named, nil
	}
	return c.config.Encoders[0], nil
}

// agree checks once how well the encoder agrees with the vectors. It returns nil if that
// is not possible now.
func (c *Collections) agree(ctx context.Context, o *Handle) *Agreement {
	if known, ok := c.agreed.Load(o.Name); ok {
		return known.(*Agreement)
	}
	log := c.config.log().With("collection", o.Name, "encoder", o.Word)
	found, err := Agree(ctx, o.Collection)
	if err != nil {
		log.Warn("comparing the encoder with the stored vectors failed", "error", err)
		return nil
	}
	if doubt := found.Doubt(); doubt != "" {
		log.Warn(doubt)
	} else {
		log.Info(found.String())
	}
	c.agreed.Store(o.Name, found)
	return found
}

// openStore opens the store of an existing collection.
func (c *Collections) openStore(ctx context.Context, o *entry) (engine.Collection, error) {
	if s := c.remotes[o.Name]; s != nil {
		return s.open(ctx)
	}
	place := c.place(o.Name)
	o.ReadOnly = !c.config.Hold
	store, err := stores.Open(ctx, place, engine.Options{ReadOnly: o.ReadOnly})
	if o.unwritable = errors.Is(err, engine.ErrUnwritable); o.unwritable || errors.Is(err, engine.ErrLocked) {
		if o.unwritable {
			c.config.log().Warn("a collection can only be read", "collection", o.Name, "error", err)
		}
		o.ReadOnly = true
		store, err = stores.Open(ctx, place, engine.Options{ReadOnly: true})
	}
	if errors.Is(err, engine.ErrNotCollection) || errors.Is(err, os.ErrNotExist) {
		return nil, noCollection(o.Name)
	}
	if err != nil {
		return nil, err
	}
	for _, notice := range Notices(store) {
		c.config.log().Warn(notice, "collection", o.Name)
	}
	return store, nil
}

// Names returns the sorted names of all collections.
func (c *Collections) Names(ctx context.Context) ([]string, error) {
	names, err := c.Directories()
	if err != nil {
		return nil, err
	}
	for name, place := range c.config.Places {
		if c.remotes[name] != nil && c.config.Hold {
			continue // offered even if it is down
		}
		if !slices.Contains(names, name) && place != "" {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !c.holds(ctx, name) })
	if c.config.Hold {
		for name := range c.remotes {
			names = append(names, name)
		}
	}
	if c.config.Demo != nil {
		names = append(names, Demo)
	}
	slices.Sort(names)
	return names, nil
}

// Directories returns the names in the root that may be collections.
func (c *Collections) Directories() (names []string, err error) {
	if c.config.Root == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(c.config.Root)
	if err != nil {
		return nil, fmt.Errorf("listing collections: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() && IsName(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// holds reports whether a collection exists, even if it cannot be opened.
func (c *Collections) holds(ctx context.Context, name string) bool {
	c.mu.Lock()
	open := c.open[name] != nil || c.closing[name] != nil
	c.mu.Unlock()
	return open || Holds(ctx, c.place(name))
}
