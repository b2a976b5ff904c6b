package workspace

import (
	"context"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// Use returns the collection of a name, valid until release is called. Set write to
// change documents; it fails if another process is writing.
func (c *Collections) Use(ctx context.Context, name string, write bool) (h *Handle, release func(), err error) {
	var o *entry
	if write {
		o, release, err = c.use(ctx, name)
	} else if o, err = c.acquire(ctx, name); err == nil {
		release = func() { c.finish(o) }
	}
	if err != nil {
		return nil, nil, err
	}
	return &o.Handle, release, nil
}

// use returns the entry of a collection that can be changed.
func (c *Collections) use(ctx context.Context, name string) (*entry, func(), error) {
	o, err := c.acquire(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !o.ReadOnly && !o.isSpent():
		return o, func() { c.finish(o) }, nil
	case o.isDemo(c):
		c.release(o)
		return nil, nil, reject(ReadOnly, "the demo cannot be changed; create your own collection")
	case o.Store().Encoder() == "":
		c.release(o)
		return nil, nil, reject(ReadOnly, "collection %q is in a store that another program fills, and is read-only here; use nsfl copy to make a writable copy", name)
	case !c.config.Hold:
		defer c.release(o)
		return c.openWriter(ctx, o)
	}
	// The other writer may have closed it since.
	c.retire(o)
	c.release(o)
	if o, err = c.acquire(ctx, name); err != nil {
		return nil, nil, err
	}
	if o.ReadOnly {
		c.release(o)
		if c.isHealing(name) {
			return nil, nil, reject(Unavailable, "a write to collection %q failed; it will be reopened when its readers are done; try again", name).because(engine.ErrSpent)
		}
		if o.unwritable {
			return nil, nil, reject(ReadOnly, "collection %q is read-only, because its directory cannot be written to", name)
		}
		return nil, nil, reject(ReadOnly, "collection %q is open for writing in another process and read-only here; close it there", name)
	}
	return o, func() { c.finish(o) }, nil
}

func (o *entry) isDemo(c *Collections) bool { return c.config.Demo != nil && o.Name == Demo }

// openWriter opens the collection a second time, for writing, until release is called.
func (c *Collections) openWriter(ctx context.Context, o *entry) (*entry, func(), error) {
	select {
	case c.writer <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	own := &entry{Handle: Handle{Name: o.Name, Word: o.Word, Engine: o.Engine, changing: o.changing}}
	dir, err := stores.Directory(c.place(o.Name))
	if err == nil {
		own.Collection, err = nsfl.Open(ctx, dir, &nsfl.Config{Encoder: o.Encoder()})
	}
	if err != nil {
		<-c.writer
		return nil, nil, err
	}
	return own, func() {
		_ = own.Collection.Close() // stored data is on disk
		<-c.writer
	}, nil
}

// acquire opens a collection, or waits until another caller has opened it.
func (c *Collections) acquire(ctx context.Context, name string) (*entry, error) {
	if c.place(name) == "" && (c.config.Demo == nil || name != Demo) {
		return nil, noCollection(name)
	}
	if s := c.remotes[name]; s != nil {
		if err := s.refusal(); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, reject(Unavailable, "the server is shutting down")
	}
	o, known := c.open[name]
	before := c.closing[name]
	var out *entry
	if !known {
		o = &entry{Handle: Handle{Name: name, changing: c.config.Changing, remote: c.remotes[name]}, ready: make(chan struct{}), closed: make(chan struct{})}
		c.open[name] = o
		out = c.evictOldest()
	}
	o.uses++
	c.mu.Unlock()
	if !known {
		// Others wait for it too, so this request must not cancel it.
		go func() {
			if out != nil {
				c.shut(out)
			}
			if before != nil {
				<-before.closed
			}
			if o.err = c.fill(context.WithoutCancel(ctx), o); o.err != nil {
				c.retire(o)
			}
			close(o.ready)
		}()
	}
	select {
	case <-o.ready:
	case <-ctx.Done():
		c.release(o)
		return nil, ctx.Err()
	}
	if o.err != nil {
		c.release(o)
		return nil, o.err
	}
	return o, nil
}

// retire removes a collection from the map.
func (c *Collections) retire(o *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[o.Name] == o {
		delete(c.open, o.Name)
	}
	if !o.retired && o.Collection != nil && o.isSpent() {
		c.spent[o.Name]++
		o.awaitsReopen = true
	}
	o.retired = true
}

// release ends one use.
func (c *Collections) release(o *entry) {
	c.mu.Lock()
	o.uses--
	o.used = time.Now()
	last := o.uses == 0 && o.retired
	c.mu.Unlock()
	if last {
		c.shut(o)
	}
}
