package retrieve

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
)

type memoryKey struct{}

// WithMemory has searches under the context ask before they take memory, by about how
// many bytes they will. An error ends the search. What was taken is free when the
// result is.
func WithMemory(ctx context.Context, draw func(bytes int64) error) context.Context {
	return context.WithValue(ctx, memoryKey{}, draw)
}

// draw asks for memory.
func draw(ctx context.Context, bytes int64) error {
	if ask, ok := ctx.Value(memoryKey{}).(func(int64) error); ok {
		return ask(bytes)
	}
	return nil
}

// reach is how many documents a search compares at most.
func (p *Prepared) reach(near int) int64 {
	all := int64(p.Size.Documents)
	if p.Options.Mode == Exact {
		return all
	}
	return min(all, int64(near)*int64(max(p.Options.most(), p.Options.depth())))
}

// drawWords asks for the shares of atoms' words: of all documents in Exact, twice, since
// those that have any are listed apart.
func (p *Prepared) drawWords(ctx context.Context, atoms int) error {
	return draw(ctx, 2*4*int64(atoms)*p.reach(1+atoms))
}

// drawColumns asks for similarities of what is near to some vectors and what words find, as
// they are found and as they are ranked.
func (c *Candidates) drawColumns(ctx context.Context, near [][]float32) error {
	_, vectors := c.columns()
	return draw(ctx, 2*4*int64(len(vectors))*c.reach(1+len(near)))
}

// drawResult asks for the documents that are read, and for what is kept of them.
func (o *Options) drawResult(ctx context.Context) error {
	const hit = 64 << 10  // about, where it is not known how much may be told
	const left = 16 << 10 // of what is read only to tell its copies
	kept := hit * int64(o.K)
	if o.Bytes > 0 {
		kept = min(kept, int64(o.Bytes))
	}
	return draw(ctx, 4*engine.PortionBytes+kept+left*int64(o.Offset))
}
