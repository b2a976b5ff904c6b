package remote

import (
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
)

// SampleCache keeps a sample that is costly to draw.
type SampleCache struct {
	mu   sync.Mutex
	refs []engine.Ref
	of   int // how many documents there were
}

// Get returns up to n documents of the sample. It is drawn again if more are wanted, or if the
// number of documents has changed by a tenth.
func (c *SampleCache) Get(n, documents int, draw func() ([]engine.Ref, error)) ([]engine.Ref, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if 10*max(documents-c.of, c.of-documents) > c.of || min(n, documents) > len(c.refs) {
		refs, err := draw()
		if err != nil {
			return nil, err
		}
		c.refs, c.of = refs, documents
	}
	return slices.Clone(c.refs[:max(0, min(n, len(c.refs)))]), nil
}
