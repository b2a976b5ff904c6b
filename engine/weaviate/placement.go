package weaviate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/status"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// placement tracks which nodes have the shards of a class.
type placement struct {
	class  string
	shards []string // all that it has

	mu         sync.Mutex
	nodes      map[string][]string // by the name of a shard, those that were last seen to have it
	everywhere bool                // every node that there was last had all shards
}

// find learns what shards there are. They stay the same for as long as there is the
// class.
func (p *placement) find(ctx context.Context, h *host, class string) error {
	found, err := shardsOf(ctx, h, class)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("the class %s has no shards: %w", class, errGarbage)
	}
	p.class, p.shards = class, nil
	for _, shard := range found {
		p.shards = append(p.shards, shard.Name)
	}
	slices.Sort(p.shards)
	_, err = p.missing(ctx, h)
	return err
}

// shardsOf asks for the shards of a class that there is. A node may be behind the
// others, which have agreed on the class, for a moment; it is then asked again.
func shardsOf(ctx context.Context, h *host, class string) ([]named, error) {
	const tries = 8 // some three seconds
	for try := 0; ; try++ {
		found, err := h.shards(ctx, class)
		if !isNotFound(err) || try == tries || retry.Sleep(ctx, retry.Pause(25*time.Millisecond, time.Second, try)) != nil {
			return found, err
		}
	}
}

// missing says in words what part of the objects could not be asked; empty: there is
// none.
//
// A search is partial where no member of the cluster has a shard. A node that has
// died is a member for some seconds: meanwhile searches fail that need it, and the
// cluster cannot tell the state of its nodes. That counts as something missing, too,
// unless every node has everything, and so the one that was asked.
func (p *placement) missing(ctx context.Context, h *host) (string, error) {
	short, cancel := context.WithTimeout(ctx, suspicion)
	defer cancel()
	members, err := h.members(short, p.class)
	switch {
	case err == nil:
		return p.without(members), nil
	case ctx.Err() != nil:
		return "", err
	case p.isEverywhere():
		return "", nil
	}
	return fmt.Sprintf("the cluster does not tell which of its nodes answer, so that some shards may be missing (%s)", status.Convert(err).Message()), nil
}

// without describes the missing shards of a cluster with these members.
func (p *placement) without(members []member) string {
	there := map[string][]string{}
	for _, m := range members {
		for _, shard := range m.Shards {
			there[shard.Name] = append(there[shard.Name], m.Name)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.nodes == nil {
		p.nodes = map[string][]string{}
	}
	p.everywhere = len(members) > 0
	var gone, had []string
	for _, shard := range p.shards {
		at := there[shard]
		p.everywhere = p.everywhere && len(at) == len(members)
		if len(at) > 0 {
			p.nodes[shard] = at
			continue
		}
		gone, had = append(gone, shard), append(had, p.nodes[shard]...)
	}
	if len(gone) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d shards cannot be asked, since no node that answers has them: %s", len(gone), len(p.shards), strings.Join(gone, ", "))
	slices.Sort(had)
	if had = slices.Compact(had); len(had) > 0 {
		text += "; they were last on " + strings.Join(had, ", ")
	}
	return text
}

func (p *placement) isEverywhere() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.everywhere
}
