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

// CollectionHealth is what maintenance knows about a collection.
type CollectionHealth struct {
	Scrubbed      *time.Time `json:"scrubbed,omitempty" doc:"time of the last verification against its checksums"`
	Damage        []string   `json:"damage,omitempty" doc:"problems found then: file, position and description"`
	Backup        string     `json:"backup,omitempty" doc:"the newest backup"`
	BackedUp      *time.Time `json:"backed_up,omitempty" doc:"time of the newest backup"`
	BackupProblem string     `json:"backup_problem,omitempty" doc:"set if the last attempt failed; see the server's log"`
	Compacted     *time.Time `json:"compacted,omitempty" doc:"time of the last automatic compaction since the server started"`
}

// condition adds the state that the maintenance schedule needs.
type condition struct {
	CollectionHealth
	retry time.Time // after a backup that failed
}

// conditionOf returns the condition of a collection. The caller holds mu.
func (k *keeper) conditionOf(name string) *condition {
	if k.conditions[name] == nil {
		k.conditions[name] = &condition{}
	}
	return k.conditions[name]
}

// health returns the health of a collection, or nil if nothing is known.
func (k *keeper) health(name string) *CollectionHealth {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.conditions[name]; c != nil {
		return new(c.CollectionHealth)
	}
	return nil
}

// note updates the condition of a collection.
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
		k.note(name, func(c *condition) { c.Scrubbed, c.Damage = &s.Time, s.Damage })
	}
	return nil
}

// save writes the scrub results.
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
