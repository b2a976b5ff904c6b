package elastic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine/remote"
)

// mark is a place in the order in which an index lists its documents: shard after shard, in
// each by the last write. A document that is replaced meanwhile is listed again.
type mark struct {
	shard int
	from  int64
}

func (m mark) String() string { return fmt.Sprintf("%d.%d", m.shard, m.from) }

func parseMark(text string) (m mark, ok bool) {
	shard, from, _ := strings.Cut(text, ".")
	s, err := strconv.ParseUint(shard, 10, 31)
	f, other := strconv.ParseUint(from, 10, 62)
	m = mark{int(s), int64(f)}
	return m, err == nil && other == nil && m.String() == text
}

// walk sends r page by page, starting at a mark, until the end or until visit returns false.
func (d *driver) walk(ctx context.Context, r *request, at mark, limit int, visit func(h *hit, next mark) (more bool, err error)) error {
	r.Size, r.Sort = min(r.Size, limit), []string{"_seq_no"}
	for at.shard < d.shards {
		r.Shard, r.After = at.shard, []int64{at.from - 1}
		a, err := d.search(ctx, r)
		if errors.Is(err, remote.ErrLarge) && r.Size > 1 {
			r.Size /= 2
			continue
		}
		if remote.Tolerant(ctx) && remote.Refused(err, http.StatusServiceUnavailable) { // the shard is not there
			unanswered(ctx, 1, d.shards)
			at = mark{shard: at.shard + 1}
			continue
		}
		if err != nil {
			return err
		}
		for i := range a.Hits.Hits {
			h := &a.Hits.Hits[i]
			if h.Sort[0] < at.from {
				return remote.BadAnswer("documents do not come in order")
			}
			at.from = h.Sort[0] + 1
			if more, err := visit(h, at); err != nil || !more {
				return err
			}
		}
		if len(a.Hits.Hits) < r.Size {
			at = mark{shard: at.shard + 1}
		}
	}
	return nil
}

func (d *driver) Page(ctx context.Context, after string, limit int, where remote.Where, want remote.Want, visit func(*remote.Entry) (bool, error)) error {
	at, ok := parseMark(after)
	if !ok && after != "" {
		return remote.BadMark(after)
	}
	r := d.request(want)
	r.Query = narrowed(where, d.layout.documents())
	return d.walk(ctx, r, at, limit, func(h *hit, next mark) (bool, error) {
		e := &remote.Entry{Version: h.version(), Mark: next.String}
		if e.Ref.Key = h.ID; want.Filter != nil {
			read, err := d.entry(h, want)
			if err != nil {
				return false, err
			}
			e.Document = read.Document
		}
		return visit(e)
	})
}
