package cache

import "context"

// find gives vectors to the entries that are there, and returns the keys of those
// that have aged.
func (c *Cache) find(ctx context.Context, entries []entry) (aged []key) {
	c.use(ctx, func(s *store) (err error) {
		if aged, err = s.find(ctx, entries, c.identity.Dimension, c.options.MaxBytes); err != nil {
			// What was found in a damaged file may still be right, but who knows.
			for i := range entries {
				entries[i] = entry{key: entries[i].key}
			}
		}
		return err
	})
	return aged
}

func (c *Cache) keep(ctx context.Context, fresh []entry, aged []key) {
	c.use(ctx, func(s *store) error {
		used, err := s.keep(ctx, fresh, aged, c.options.MaxBytes)
		if err == nil {
			c.bytes.Store(used)
		}
		return err
	})
}

// use does something with the store, if there is one. After trouble another takes
// its place, or none.
func (c *Cache) use(ctx context.Context, do func(*store) error) {
	c.mu.RLock()
	s := c.store
	var err error
	if s != nil {
		err = do(s)
	}
	c.mu.RUnlock()
	if err == nil || ctx.Err() != nil {
		return
	}
	c.mu.Lock()
	if c.store != s { // another call has met the same trouble, or Close came between
		c.mu.Unlock()
		return
	}
	c.store = nil
	_ = s.close() // it is given up
	told := []error{c.explain(err)}
	if damaged(err) {
		// The one call that is cancelled now must not cost all others the cache.
		told = c.replace(context.WithoutCancel(ctx), s.number, err)
	}
	c.mu.Unlock()
	c.tell(told)
}
