package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/internal/backup"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Upkeep is what a server does by itself for the collections in its directory, one thing
// at a time. The zero value does nothing.
type Upkeep struct {
	// BackupTo is the place that backups are kept in, a folder or s3://BUCKET/PREFIX.
	// Empty: none are made, and none are restored.
	BackupTo string
	// BackupEvery is how often each collection is backed up; 0: when an admin asks.
	BackupEvery time.Duration
	// BackupKeep is how many backups of a collection stay when it is backed up by the
	// schedule, the newest ones, by whomever they were made; 0: all of them.
	BackupKeep int
	// ScrubEvery is how often everything in a collection is read and compared with its
	// checksums; 0: never.
	ScrubEvery time.Duration
	// A collection is compacted when so many documents are deleted, and so many of a
	// hundred; 0: never.
	CompactDocuments, CompactPercent int
}

func (u Upkeep) check() error {
	switch {
	case u.BackupEvery < 0 || u.BackupKeep < 0 || u.ScrubEvery < 0 || u.CompactDocuments < 0 || u.CompactPercent < 0:
		return fmt.Errorf("a setting of backups, scrubs or compactions is below 0, which has no meaning; 0 turns it off")
	case u.BackupEvery > 0 && u.BackupTo == "":
		return fmt.Errorf("backup-every needs a place for the backups; name one as backup-to")
	}
	return nil
}

// upkeepPause is how long upkeep waits before it looks again, and quiet how long no
// request has come when the server counts as idle.
const (
	upkeepPause = 10 * time.Second
	quiet       = 2 * time.Second
)

// keeper does the upkeep.
type keeper struct {
	*Server
	config  Upkeep
	backups *backup.Repository // nil: there is no place for them
	turn    workers.Slots      // one thing at a time, whoever has asked for it
	now     func() time.Time
	began   time.Time
	metrics *upkeepMetrics
	scrub   func(ctx context.Context, dir string) (damage []string, err error)

	retry time.Time // after the place of the backups did not answer; round's own

	requests atomic.Int64 // in flight
	last     atomic.Int64 // when the last one ended, in nanoseconds since 1970

	mu         sync.Mutex
	conditions map[string]*condition
	written    map[string]bool // collections that may have more deleted documents than before

	stop  context.CancelFunc
	ended chan struct{}
}

// newKeeper reads what was known when the server ended.
func newKeeper(s *Server, u Upkeep) (*keeper, error) {
	k := &keeper{
		Server: s, config: u, turn: make(workers.Slots, 1), now: time.Now, began: time.Now(), metrics: newUpkeepMetrics(s.metrics.registry), scrub: scrub,
		conditions: map[string]*condition{}, written: map[string]bool{}, stop: func() {}, ended: make(chan struct{}),
	}
	close(k.ended)
	if err := u.check(); err != nil {
		return nil, err
	}
	if u.BackupTo != "" {
		var err error
		if k.backups, err = backup.Open(u.BackupTo); err != nil {
			return nil, err
		}
	}
	return k, k.load()
}

// begin does upkeep until close is called.
func (k *keeper) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	k.stop, k.ended = cancel, make(chan struct{})
	go func() {
		defer close(k.ended)
		tick := time.NewTicker(upkeepPause)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				k.round(ctx)
			case <-ctx.Done():
				return
			}
		}
	}()
}

func (k *keeper) close() {
	k.stop()
	<-k.ended
}

// round does what is due.
func (k *keeper) round(ctx context.Context) {
	for _, name := range k.takeWritten() {
		k.compactIfDue(ctx, name)
	}
	names, err := k.collections.Directories()
	if err != nil {
		k.log.Warn("collections cannot be listed for their upkeep", "error", err)
		return
	}
	k.backUpDue(ctx, names)
	for _, name := range names {
		if k.isScrubDue(name) {
			k.scrubOne(ctx, name)
		}
	}
}

// alone runs f when nothing else is being done.
func (k *keeper) alone(ctx context.Context, f func() error) error {
	waiting, cancel := context.WithTimeout(ctx, k.limits.QueueWait)
	defer cancel()
	begun := false
	err := k.turn.Do(waiting, func() error {
		begun = true
		return f()
	})
	if !begun && ctx.Err() == nil {
		return newProblem("busy", "another backup, restore or compaction is under way; try again when it is done")
	}
	return err
}

// counted tells the keeper when the server is idle.
func (k *keeper) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.requests.Add(1)
		defer func() {
			k.last.Store(time.Now().UnixNano())
			k.requests.Add(-1)
		}()
		next.ServeHTTP(w, r)
	})
}

func (k *keeper) isIdle() bool {
	return k.requests.Load() == 0 && time.Since(time.Unix(0, k.last.Load())) > quiet
}

// wrote says that a collection is or was open for writing.
func (k *keeper) wrote(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.written[name] = true
}

func (k *keeper) takeWritten() (names []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name := range k.written {
		names = append(names, name)
	}
	clear(k.written)
	return names
}
