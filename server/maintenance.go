package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/internal/backup"
	"github.com/nsfl-go/nsfl/internal/durable"
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

	retry time.Time // after a scheduled backup failed; used only by round

	mu      sync.Mutex
	known   map[string]*CollectionHealth // by collection
	written map[string]bool              // collections that may have more deleted documents

	stop  context.CancelFunc
	ended chan struct{}
}

// newKeeper loads the state saved by an earlier run.
func newKeeper(s *Server, u Upkeep) (*keeper, error) {
	k := &keeper{
		Server: s, config: u, turn: make(workers.Slots, 1), now: time.Now, began: time.Now(), metrics: newUpkeepMetrics(s.metrics.registry),
		known: map[string]*CollectionHealth{}, written: map[string]bool{}, stop: func() {}, ended: make(chan struct{}),
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

// wrote records that a collection is about to change.
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

// CollectionHealth is what maintenance knows about a collection.
type CollectionHealth struct {
	Scrubbed      *time.Time `json:"scrubbed,omitempty" doc:"time of the last verification against its checksums"`
	Damage        []string   `json:"damage,omitempty" doc:"problems found then: file, position and description"`
	Backup        string     `json:"backup,omitempty" doc:"the newest backup"`
	BackedUp      *time.Time `json:"backed_up,omitempty" doc:"time of the newest backup"`
	BackupProblem string     `json:"backup_problem,omitempty" doc:"set if the last attempt failed; see the server's log"`
	Compacted     *time.Time `json:"compacted,omitempty" doc:"time of the last automatic compaction since the server started"`
}

// health returns the health of a collection, or nil if nothing is known.
func (k *keeper) health(name string) *CollectionHealth {
	k.mu.Lock()
	defer k.mu.Unlock()
	if h := k.known[name]; h != nil {
		return new(*h)
	}
	return nil
}

// note updates the health of a collection.
func (k *keeper) note(name string, change func(*CollectionHealth)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known[name] == nil {
		k.known[name] = &CollectionHealth{}
	}
	change(k.known[name])
}

func (k *keeper) noteBackup(id backup.ID) {
	k.note(id.Collection(), func(h *CollectionHealth) {
		when := id.Time()
		if h.BackedUp == nil || when.After(*h.BackedUp) {
			h.Backup, h.BackedUp, h.BackupProblem = string(id), &when, ""
		}
	})
	k.metrics.backedUp.WithLabelValues(id.Collection()).Set(float64(id.Time().Unix()))
}

// scrubbed is the scrub result that is saved across restarts. Backup times are not saved: the
// backup repository has them.
type scrubbed struct {
	Time   time.Time `json:"time"`
	Damage []string  `json:"damage,omitempty"`
}

// upkeepFile lies next to the collections, under a name that no collection can have.
const upkeepFile = ".upkeep.json"

// load reads the saved scrub results. If the file is corrupt, the collections are scrubbed
// again.
func (k *keeper) load() error {
	if k.Server.config.Root == "" {
		return nil
	}
	content, err := os.ReadFile(filepath.Join(k.Server.config.Root, upkeepFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the state of maintenance: %w", err)
	}
	var known map[string]scrubbed
	if json.Unmarshal(content, &known) != nil {
		k.log.Warn("the state of maintenance cannot be read; collections are verified again", "file", upkeepFile)
		known = nil
	}
	for name, s := range known {
		k.note(name, func(h *CollectionHealth) { h.Scrubbed, h.Damage = &s.Time, s.Damage })
	}
	return nil
}

// save writes the scrub results.
func (k *keeper) save() error {
	k.mu.Lock()
	known := map[string]scrubbed{}
	for name, h := range k.known {
		if h.Scrubbed != nil {
			known[name] = scrubbed{*h.Scrubbed, h.Damage}
		}
	}
	k.mu.Unlock()
	content, err := json.MarshalIndent(known, "", " ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(k.Server.config.Root, upkeepFile), "", content)
}
