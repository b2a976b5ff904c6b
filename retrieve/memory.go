package retrieve

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
)

type memoryKey struct{}

// WithMemory makes searches under ctx call draw before they allocate, with an estimate in
// bytes. An error from draw ends the search. The memory is released together with the result.
func WithMemory(ctx context.Context, draw func(bytes int64) error) context.Context {
	return context.WithValue(ctx, memoryKey{}, draw)
}

// draw reserves memory, if the context limits it.
func draw(ctx context.Context, bytes int64) error {
	if ask, ok := ctx.Value(memoryKey{}).(func(int64) error); ok {
		return ask(bytes)
	}
	return nil
}

// reach returns the largest number of documents that a search compares.
func (p *Prepared) reach(near int) int64 {
	all := int64(p.Size.Documents)
	if p.Options.Mode == Exact {
		return all
	}
	return min(all, int64(near)*int64(max(p.Options.most(), p.Options.depth())))
}

// drawWords reserves memory for the lexical shares. The factor of two covers the separate list
// of documents with any match.
func (p *Prepared) drawWords(ctx context.Context, atoms int) error {
	return draw(ctx, 2*4*int64(atoms)*p.reach(1+atoms))
}

// drawColumns reserves memory for the similarities of the candidates, once as found and once
// as ranked.
func (c *Candidates) drawColumns(ctx context.Context, near [][]float32) error {
	_, vectors := c.columns()
	return draw(ctx, 2*4*int64(len(vectors))*c.reach(1+len(near)))
}

// drawResult reserves memory for the documents read and the parts that are kept.
func (o *Options) drawResult(ctx context.Context) error {
	const hit = 64 << 10  // estimate per hit, if Bytes sets no limit
	const left = 16 << 10 // per skipped document, kept to recognize its copies
	kept := hit * int64(o.K)
	if o.Bytes > 0 {
		kept = min(kept, int64(o.Bytes))
	}
	return draw(ctx, 4*engine.MaxReadBytes+kept+left*int64(o.Offset))
}
