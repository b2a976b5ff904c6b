package workspace

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// QuotaNote is the note with the quota of a collection.
const QuotaNote = "quota"

// Quota limits one collection. A nil field means the default.
type Quota struct {
	Documents *int   `json:"documents,omitempty" minimum:"0" doc:"0: unlimited; omitted: the server's default"`
	Bytes     *int64 `json:"bytes,omitempty" minimum:"0" doc:"size of its files on disk, including deleted documents until it is compacted; 0 and omitted as above"`
}

// withDefaults returns q with missing fields taken from usual.
func (q Quota) withDefaults(usual index.Quota) index.Quota {
	if q.Documents != nil {
		usual.Documents = *q.Documents
	}
	if q.Bytes != nil {
		usual.Bytes = *q.Bytes
	}
	return usual
}

// applyQuota applies the quota to a collection being opened. Remote stores have their own
// quotas.
func (c *Collections) applyQuota(ctx context.Context, store engine.Collection) error {
	i, ok := store.(*index.Collection)
	if !ok {
		return nil
	}
	notes, err := store.Notes(ctx, QuotaNote)
	if err != nil {
		return err
	}
	var own Quota
	if text := notes[QuotaNote]; text != "" {
		if err := json.Unmarshal([]byte(text), &own); err != nil {
			return fmt.Errorf("reading the quota of the collection: %w", err)
		}
	}
	i.SetQuota(own.withDefaults(c.config.Quota))
	return nil
}

// SetQuota stores the quota of a collection. It takes effect from the next batch on.
func (c *Collections) SetQuota(ctx context.Context, h *Handle, q Quota) error {
	if _, ok := h.Store().(*index.Collection); !ok {
		return reject(ReadOnly, "collection %q is in a remote store, which has its own quotas", h.Name)
	}
	if q.Documents != nil && *q.Documents < 0 || q.Bytes != nil && *q.Bytes < 0 {
		return reject(Invalid, "a quota below 0 is not allowed; 0 means unlimited")
	}
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	return h.change(ctx, SetQuota, nil, func() error {
		if err := h.Store().SetNotes(ctx, map[string]string{QuotaNote: string(text)}); err != nil {
			return err
		}
		return c.applyQuota(ctx, h.Store())
	})
}
