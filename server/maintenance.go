package server

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/internal/backup"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Upkeep configures the maintenance that the server does for the collections in its directory,
// one task at a time. The zero value does nothing.
type Upkeep struct {
	// BackupTo is the backup repository, a folder or s3://BUCKET/PREFIX. Empty disables
	// backups and restores.
	BackupTo string
	// BackupEvery is the interval of scheduled backups; 0 means only on request.
	BackupEvery time.Duration
	// BackupKeep is how many backups of a collection remain after a scheduled backup, counting
	// manual ones; the oldest are deleted. 0 keeps all.
	BackupKeep int
	// ScrubEvery is the interval at which a collection is read and verified against its
	// checksums; 0 means never.
	ScrubEvery time.Duration
	// A collection is compacted if at least CompactDocuments documents and CompactPercent
	// percent of them are deleted; 0 means never.
	CompactDocuments, CompactPercent int
}

func (u Upkeep) check() error {
	switch {
	case u.BackupEvery < 0 || u.BackupKeep < 0 || u.ScrubEvery < 0 || u.CompactDocuments < 0 || u.CompactPercent < 0:
		return fmt.Errorf("a setting of backups, scrubs or compactions is below 0; use 0 to disable it")
	case u.BackupEvery > 0 && u.BackupTo == "":
		return fmt.Errorf("backup-every needs a backup repository; set backup-to")
	}
	return nil
}

// upkeepPause is the time between maintenance rounds.
const upkeepPause = 10 * time.Second

// keeper runs maintenance.
type keeper struct {
	*Server
	config  Upkeep
	backups *backup.Repository // nil: no repository
	turn    workers.Slots      // one task at a time, scheduled or requested
	now     func() time.Time
	began   time.Time
	metrics *upkeepMetrics
	scrub   func(ctx context.Context, dir string) (damage []string, err error)

	retry time.Time // after the repository failed; used only by round

	mu         sync.Mutex
	conditions map[string]*condition
	written    map[string]bool // collections that may have more deleted documents

	stop  context.CancelFunc
	ended chan struct{}
}

// newKeeper loads the state saved by an earlier run.
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

// begin runs maintenance until close is called.
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

// round runs all due tasks.
func (k *keeper) round(ctx context.Context) {
	for _, name := range k.takeWritten() {
		k.compactIfDue(ctx, name)
	}
	names, err := k.collections.Directories()
	if err != nil {
		k.log.Warn("collections cannot be listed for maintenance", "error", err)
		return
	}
	k.backUpDue(ctx, names)
	for _, name := range names {
		if k.isScrubDue(name) {
			k.scrubOne(ctx, name)
		}
	}
}

// alone runs f while no other task runs.
func (k *keeper) alone(ctx context.Context, f func() error) error {
	waiting, cancel := context.WithTimeout(ctx, k.limits.QueueWait)
	defer cancel()
	begun := false
	err := k.turn.Do(waiting, func() error {
		begun = true
		return f()
	})
	if !begun && ctx.Err() == nil {
		return newProblem("busy", "another backup, restore or compaction is running; try again when it is done")
	}
	return err
}

// wrote records that a collection was opened for writing.
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
