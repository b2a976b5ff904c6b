package workspace

import "github.com/nsfl-go/nsfl/index"

// isSpent reports whether a write has failed so that the collection has to be opened
// again. It is ready.
func (o *SharedHandle) isSpent() bool {
	store, ok := o.Store().(*index.Collection)
	return ok && store.Spent()
}

// finish ends a use, and retires what cannot be written to any more: the next use
// opens it anew.
func (c *Collections) finish(o *SharedHandle) {
	if o.isSpent() {
		c.retire(o)
	}
	c.release(o)
}

// isHealing reports whether a collection is still open that has to be opened again.
func (c *Collections) isHealing(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spent[name] > 0
}
