package index

import (
	"context"
	"time"

	"github.com/nsfl-go/nsfl/internal/retry"
)

// pace limits reading to perSecond bytes per second; 0 means no limit.
type pace struct {
	perSecond int64
	began     time.Time
	read      int64
}

func newPace(bytesPerSecond int64) *pace { return &pace{perSecond: bytesPerSecond, began: time.Now()} }

// keep waits until the given parts of files may be read.
func (p *pace) keep(ctx context.Context, parts [fileKinds]span) error {
	if p.perSecond <= 0 {
		return nil
	}
	for _, part := range parts {
		p.read += int64(part.length)
	}
	const least = 10 * time.Millisecond // not worth waiting for less
	ahead := time.Until(p.began.Add(time.Duration(float64(p.read) / float64(p.perSecond) * float64(time.Second))))
	if ahead < least {
		return nil
	}
	return retry.Sleep(ctx, ahead)
}
