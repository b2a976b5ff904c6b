package weaviate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// member is a node of the cluster that answers, with its shards of a class.
type member struct {
	Name   string
	Shards []named
}

// findShards reads which shards the class has. They do not change. A node may be behind the
// others, which have agreed on the class, for a moment; it is then asked again.
func (d *driver) findShards(ctx context.Context) error {
	if tenant := d.address.Settings["tenant"]; tenant != "" {
		d.shards = []string{tenant} // which has one of its own
		return nil
	}
	const tries = 8 // some three seconds
	for try := 0; ; try++ {
		var found []named
		err := d.get(ctx, "schema/"+d.address.Collection+"/shards", &found)
		if isNotFound(err) && try < tries && retry.Sleep(ctx, retry.Pause(25*time.Millisecond, time.Second, try)) == nil {
			continue
		}
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("the class %s has no shards: %w", d.address.Collection, errGarbage)
		}
		d.shards = namesOf(found)
		return err
	}
}

// Missing describes the shards that no node of the cluster has which answers: Weaviate finds
// nothing in them, and does not report it.
//
// A node that has died is a member for some seconds: meanwhile the cluster cannot report the
// state of its nodes. That counts as something missing, too.
func (d *driver) Missing(ctx context.Context) (string, error) {
	short, cancel := context.WithTimeout(ctx, suspicion)
	defer cancel()
	var answer struct{ Nodes []member }
	if err := d.get(short, "nodes/"+d.address.Collection+"?output=verbose", &answer); err != nil {
		if ctx.Err() != nil {
			return "", err
		}
		return fmt.Sprintf("the cluster does not report which of its nodes answer: some shards may be missing (%v)", err), nil
	}
	return without(d.shards, answer.Nodes), nil
}

// suspicion is how long the cluster may take to report the state of its nodes.
var suspicion = 2 * time.Second // shorter in tests

// without describes the shards that no member has.
func without(shards []string, members []member) string {
	var gone []string
	for _, shard := range shards {
		has := func(m member) bool { return slices.Contains(m.Shards, named{shard}) }
		if !slices.ContainsFunc(members, has) {
			gone = append(gone, shard)
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d shards cannot be asked, since no node that answers has them: %s", len(gone), len(shards), strings.Join(gone, ", "))
}
