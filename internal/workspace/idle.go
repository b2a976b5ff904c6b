package workspace

import (
	"context"
	"time"
)

// isIdle reports whether a collection is open and unused.
func (o *entry) isIdle() bool {
	select {
	case <-o.ready:
		return o.uses == 0 && o.err == nil
	default:
		return false
	}
}

// evict removes an idle collection from the map, to be shut. Later users wait until it
// is closed.
func (c *Collections) evict(o *entry) {
	o.retired = true
	delete(c.open, o.Name)
	c.closing[o.Name] = o
}

// shut closes a retired collection after its last use.
func (c *Collections) shut(o *entry) {
	_ = o.Close() // acknowledged writes are on disk
	c.mu.Lock()
	if c.closing[o.Name] == o {
		delete(c.closing, o.Name)
	}
	if o.awaitsReopen {
		c.spent[o.Name]--
	}
	c.mu.Unlock()
	close(o.closed)
}

// evictOldest dismisses the least recently used collection if too many are open. It returns
// nil if there is room or all are in use.
func (c *Collections) evictOldest() (out *entry) {
	if c.config.MostOpen == 0 || len(c.open) <= c.config.MostOpen {
		return nil
	}
	for _, o := range c.open {
		if o.isIdle() && !o.isDemo(c) && (out == nil || o.used.Before(out.used)) {
			out = o
		}
	}
	if out != nil {
		c.evict(out)
	}
	return out
}

// closeIdle closes collections last used before a time.
func (c *Collections) closeIdle(before time.Time) {
	c.mu.Lock()
	var all []*entry
	for _, o := range c.open {
		if o.isIdle() && !o.isDemo(c) && o.used.Before(before) {
			c.evict(o)
			all = append(all, o)
		}
	}
	c.mu.Unlock()
	for _, o := range all {
		c.shut(o)
	}
}

// closeIdleLoop periodically closes idle collections until ctx is done.
func (c *Collections) closeIdleLoop(ctx context.Context) {
	ticker := time.NewTicker(c.config.IdleTime/4 + 1)
	defer ticker.Stop()
	for {
		select {
		case now := <-ticker.C:
			c.closeIdle(now.Add(-c.config.IdleTime))
		case <-ctx.Done():
			return
		}
	}
}
