package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nsfl-go/nsfl/internal/backup"
	"github.com/nsfl-go/nsfl/internal/durable"
)

// CollectionHealth is what a server's upkeep knows of a collection.
type CollectionHealth struct {
	Scrubbed      *time.Time `json:"scrubbed,omitempty" doc:"when all of it was last read and compared with its checksums"`
	Damage        []string   `json:"damage,omitempty" doc:"what was found then: file, place and problem"`
	Backup        string     `json:"backup,omitempty" doc:"the newest backup"`
	BackedUp      *time.Time `json:"backed_up,omitempty" doc:"when that was made"`
	BackupProblem string     `json:"backup_problem,omitempty" doc:"the last try has failed; the server's log says why"`
	Compacted     *time.Time `json:"compacted,omitempty" doc:"when the server last compacted it by itself, since it was started"`
}

// condition is that with what the schedule goes by.
type condition struct {
	CollectionHealth
	retry time.Time // after a backup that failed
}

// conditionOf is what is known of a collection, to be read or changed under mu.
func (k *keeper) conditionOf(name string) *condition {
	if k.conditions[name] == nil {
		k.conditions[name] = &condition{}
	}
	return k.conditions[name]
}

// health is what is known of a collection; nil: nothing.
func (k *keeper) health(name string) *CollectionHealth {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.conditions[name]; c != nil {
		return new(c.CollectionHealth)
	}
	return nil
}

// note changes what is known of a collection.
func (k *keeper) note(name string, change func(*condition)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change(k.conditionOf(name))
}

func (k *keeper) noteBackup(id backup.ID) {
	k.note(id.Collection(), func(c *condition) {
		when := id.Time()
		if c.BackedUp == nil || when.After(*c.BackedUp) {
			c.Backup, c.BackedUp, c.BackupProblem, c.retry = string(id), &when, "", time.Time{}
		}
	})
	k.metrics.backedUp.WithLabelValues(id.Collection()).Set(float64(id.Time().Unix()))
}

// scrubbed is what is kept of scrubs when the server ends. When backups were made, the
// place that they are in says.
type scrubbed struct {
	Time   time.Time `json:"time"`
	Damage []string  `json:"damage,omitempty"`
}

// upkeepFile is beside the collections, under a name that none of them has.
const upkeepFile = ".upkeep.json"

// load reads what was known of scrubs. A file that cannot be read is as good as none:
// they are made again.
func (k *keeper) load() error {
	if k.Server.config.Root == "" {
		return nil
	}
	content, err := os.ReadFile(filepath.Join(k.Server.config.Root, upkeepFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading what is known of the collections: %w", err)
	}
	var known map[string]scrubbed
	if json.Unmarshal(content, &known) != nil {
		k.log.Warn("what was known of the collections cannot be read, and is found out again", "file", upkeepFile)
		known = nil
	}
	for name, s := range known {
		k.note(name, func(c *condition) { c.Scrubbed, c.Damage = &s.Time, s.Damage })
	}
	return nil
}

// save keeps what is known of scrubs.
func (k *keeper) save() error {
	k.mu.Lock()
	known := map[string]scrubbed{}
	for name, c := range k.conditions {
		if c.Scrubbed != nil {
			known[name] = scrubbed{*c.Scrubbed, c.Damage}
		}
	}
	k.mu.Unlock()
	content, err := json.MarshalIndent(known, "", " ")
	if err != nil {
		return err
	}
	file := filepath.Join(k.Server.config.Root, upkeepFile)
	if err := os.WriteFile(file+".new", content, 0o600); err != nil {
		return err
	}
	return durable.Rename(file+".new", file)
}
