package workspace

import "github.com/nsfl-go/nsfl/index"

// isSpent reports whether a failed write requires the collection to be reopened. The
// handle must be ready.
func (o *entry) isSpent() bool {
	store, ok := o.Store().(*index.Collection)
	return ok && store.Spent()
}

// finish ends a use, and retires a collection that can no longer be written to: the next
// use reopens it.
func (c *Collections) finish(o *entry) {
	if o.isSpent() {
		c.retire(o)
	}
	c.release(o)
}

// isHealing reports whether a collection that must be reopened is still open.
func (c *Collections) isHealing(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spent[name] > 0
}
