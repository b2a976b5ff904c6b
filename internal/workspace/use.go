package workspace

import (
	"context"
	"time"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// Use is the collection of a name, until release is called. To write it, say so:
// where another process writes, that is refused.
func (c *Collections) Use(ctx context.Context, name string, write bool) (*SharedHandle, func(), error) {
	o, err := c.acquire(ctx, name, false)
	if err != nil {
		return nil, nil, err
	}
	if !write || !o.ReadOnly && !o.isSpent() {
		return o, func() { c.finish(o) }, nil
	}
	if o.isDemo(c) {
		c.release(o)
		return nil, nil, refuse(ReadOnly, "the demo cannot be changed; make a collection of your own")
	}
	if o.Store().Encoder() == "" {
		c.release(o)
		return nil, nil, refuse(ReadOnly, "collection %q is in a store that something else fills, and is only read here; copy it with nsfl copy to have one that can be changed", name)
	}
	if !c.config.Hold {
		defer c.release(o)
		return c.openWriter(ctx, o)
	}
	// The other writer may have gone since.
	c.retire(o)
	c.release(o)
	if o, err = c.acquire(ctx, name, false); err != nil {
		return nil, nil, err
	}
	if o.ReadOnly {
		c.release(o)
		if c.isHealing(name) {
			return nil, nil, refuse(Unavailable, "a write to collection %q has failed, and it is opened again when those who read it are done; try again", name).because(engine.ErrSpent)
		}
		if o.unwritable {
			return nil, nil, refuse(ReadOnly, "collection %q is in a directory that cannot be written to, so that it can only be read", name)
		}
		return nil, nil, refuse(ReadOnly, "collection %q is open for writing in another process, so that it can only be read here; close it there", name)
	}
	return o, func() { c.finish(o) }, nil
}

func (o *SharedHandle) isDemo(c *Collections) bool { return c.config.Demo != nil && o.Name == Demo }

// openWriter opens a collection once more, for writing, until release is called.
func (c *Collections) openWriter(ctx context.Context, o *SharedHandle) (*SharedHandle, func(), error) {
	select {
	case c.writer <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	own := &SharedHandle{Name: o.Name, Word: o.Word, Engine: o.Engine, changing: o.changing}
	dir, err := stores.Directory(c.place(o.Name))
	if err == nil {
		own.Collection, err = nsfl.Open(ctx, dir, &nsfl.Config{Encoder: o.Encoder()})
	}
	if err != nil {
		<-c.writer
		return nil, nil, err
	}
	return own, func() {
		_ = own.Close() // what was stored is on the disk
		<-c.writer
	}, nil
}

// acquire opens a collection, or waits for whoever is opening it.
func (c *Collections) acquire(ctx context.Context, name string, look bool) (*SharedHandle, error) {
	if c.place(name) == "" && (c.config.Demo == nil || name != Demo) {
		return nil, noCollection(name)
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, refuse(Unavailable, "the server is shutting down")
	}
	o, known := c.open[name]
	before := c.leaving[name]
	var out *SharedHandle
	if !known {
		o = &SharedHandle{Name: name, ready: make(chan struct{}), closed: make(chan struct{}), changing: c.config.Changing, fleeting: look}
		c.open[name] = o
		out = c.makeRoom()
	}
	o.fleeting = o.fleeting && look
	o.uses++
	c.mu.Unlock()
	if !known {
		// Others wait for it too, so it is not this request's to cancel.
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

// retire takes a collection out of the map.
func (c *Collections) retire(o *SharedHandle) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[o.Name] == o {
		delete(c.open, o.Name)
	}
	if !o.retired && o.Collection != nil && o.isSpent() {
		c.spent[o.Name]++
		o.healing = true
	}
	o.retired = true
}

// release ends one use.
func (c *Collections) release(o *SharedHandle) {
	c.mu.Lock()
	o.uses--
	o.used = time.Now()
	if o.fleeting && !o.retired && o.isIdle() && !o.isDemo(c) && c.isCrowded() {
		c.dismiss(o)
	}
	last := o.uses == 0 && o.retired
	c.mu.Unlock()
	if last {
		c.shut(o)
	}
}
