package server

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/backup"
)

// upkeepMetrics are the Prometheus metrics of maintenance.
type upkeepMetrics struct {
	done     *prometheus.CounterVec
	backedUp *prometheus.GaugeVec
	damaged  *prometheus.GaugeVec
}

func newUpkeepMetrics(r *prometheus.Registry) *upkeepMetrics {
	m := &upkeepMetrics{
		done:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "nsfl_upkeep_total", Help: "Backups, compactions and scrubs."}, []string{"what", "result"}),
		backedUp: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "nsfl_backup_timestamp_seconds", Help: "Time of the newest backup of a collection, in seconds since 1970."}, []string{"collection"}),
		damaged:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "nsfl_damaged_places", Help: "Damage found by the last scrub of a collection."}, []string{"collection"}),
	}
	r.MustRegister(m.done, m.backedUp, m.damaged)
	for _, what := range []string{"backup", "compaction", "scrub"} {
		m.done.WithLabelValues(what, "ok")
		m.done.WithLabelValues(what, "failed")
	}
	return m
}

// did logs and counts a finished task.
func (k *keeper) did(what, name string, began time.Time, err error, attributes ...any) {
	attributes = append([]any{"collection", name, "seconds", k.now().Sub(began).Seconds()}, attributes...)
	if err != nil {
		k.metrics.done.WithLabelValues(what, "failed").Inc()
		k.log.Error(what+" failed", append(attributes, "error", err)...)
		return
	}
	k.metrics.done.WithLabelValues(what, "ok").Inc()
	k.log.Info(what, attributes...)
}

// retryTime is the delay after a scheduled backup failed.
const retryTime = 10 * time.Minute

// backUpDue backs up the collections that are due. The repository has the times of the last
// backups, so a restarted server keeps the schedule.
func (k *keeper) backUpDue(ctx context.Context, names []string) {
	if k.config.BackupEvery == 0 || k.now().Before(k.retry) {
		return
	}
	ids, err := k.backups.IDs(ctx, "")
	if err != nil && !errors.Is(err, backup.ErrNone) {
		k.retry = k.now().Add(retryTime)
		k.did("backup", "", k.now(), err)
		return
	}
	for _, id := range ids {
		k.noteBackup(id)
	}
	for _, name := range names {
		if ctx.Err() == nil && k.isBackupDue(name) {
			k.backUpBySchedule(ctx, name)
		}
	}
}

func (k *keeper) isBackupDue(name string) bool {
	h := k.health(name)
	return h == nil || h.BackedUp == nil || k.now().After(h.BackedUp.Add(k.config.BackupEvery))
}

// backUpBySchedule makes a backup and deletes old ones.
func (k *keeper) backUpBySchedule(ctx context.Context, name string) {
	err := k.alone(ctx, func() error {
		if _, err := k.backUp(ctx, name); err != nil || k.config.BackupKeep == 0 {
			return err
		}
		pruned, err := k.backups.Prune(ctx, name, k.config.BackupKeep)
		if err != nil {
			return err
		}
		if len(pruned.Backups) > 0 || pruned.Pieces > 0 {
			k.log.Info("old backups deleted", "collection", name, "backups", len(pruned.Backups), "pieces", pruned.Pieces, "bytes", pruned.Bytes)
		}
		return nil
	})
	if err != nil && ctx.Err() == nil && problemOf(err).Code != "busy" {
		k.retry = k.now().Add(retryTime)
		k.log.Warn("a scheduled backup failed and will be retried", "collection", name, "error", err)
	}
}

// backUp reads the collection through a handle of its own, so it does not block requests.
func (k *keeper) backUp(ctx context.Context, name string) (made *backup.Made, err error) {
	dir, err := k.collections.Directory(ctx, name)
	if err != nil {
		return nil, err
	}
	began := k.now()
	c, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
	if err == nil {
		made, err = k.backups.Make(ctx, name, c)
		err = errors.Join(err, c.Close())
	}
	if err != nil {
		k.note(name, func(h *CollectionHealth) {
			h.BackupProblem = "the backup of " + began.UTC().Format(time.RFC3339) + " failed"
		})
		k.did("backup", name, began, err)
		return nil, err
	}
	k.noteBackup(made.ID)
	k.did("backup", name, began, nil, "id", made.ID, "bytes", made.Bytes(), "stored", made.Stored)
	return made, nil
}

// compactIfDue compacts a collection if enough of it is deleted and the disk has space for the
// copy.
func (k *keeper) compactIfDue(ctx context.Context, name string) {
	if k.config.CompactDocuments == 0 || k.config.CompactPercent == 0 {
		return
	}
	o, release, err := k.collections.Use(ctx, name, true)
	if err != nil {
		return // deleted or read-only
	}
	defer release()
	c, ok := o.Store().(*index.Collection)
	if !ok {
		return
	}
	stats, err := c.Stats(ctx)
	if err != nil || stats.Deleted < k.config.CompactDocuments || stats.Deleted*100 < k.config.CompactPercent*(stats.Documents+stats.Deleted) {
		return
	}
	if dir, err := k.collections.Directory(ctx, name); err == nil {
		if free, err := freeBytes(dir); err == nil && free < 2*stats.Bytes {
			k.log.Warn("a collection is not compacted, because the disk has no space for the copy", "collection", name, "free", free, "needed", 2*stats.Bytes)
			return
		}
	}
	err = k.alone(ctx, func() error {
		began := k.now()
		err := c.Compact(ctx)
		k.did("compaction", name, began, err, "deleted", stats.Deleted, "documents", stats.Documents)
		if err == nil {
			k.note(name, func(h *CollectionHealth) { h.Compacted = &began })
		}
		return nil
	})
	if err != nil {
		k.wrote(name) // try again in the next round
	}
}

// isScrubDue reports whether a collection is due. A new server scrubs those that were never
// scrubbed.
func (k *keeper) isScrubDue(name string) bool {
	due := k.began
	if known := k.health(name); known != nil && known.Scrubbed != nil {
		due = known.Scrubbed.Add(k.config.ScrubEvery)
	}
	return k.config.ScrubEvery > 0 && k.now().After(due)
}

// scrubOne verifies all of a collection.
func (k *keeper) scrubOne(ctx context.Context, name string) {
	dir, err := k.collections.Directory(ctx, name)
	if err != nil {
		return
	}
	_ = k.alone(ctx, func() error {
		began := k.now()
		damage, err := scrub(ctx, dir)
		if err == nil {
			k.note(name, func(h *CollectionHealth) { h.Scrubbed, h.Damage = &began, damage })
			k.metrics.damaged.WithLabelValues(name).Set(float64(len(damage)))
			err = k.save()
		}
		if !errors.Is(err, context.Canceled) { // the server is stopping
			k.did("scrub", name, began, err, "damaged_places", len(damage))
		}
		if len(damage) > 0 {
			k.log.Error("a collection is damaged; restore a backup, or see nsfl verify", "collection", name, "damage", damage[:min(5, len(damage))])
		}
		return nil
	})
}

// scrubBytes is the maximum read rate of a scrub, in bytes per second, so that it does not slow
// down requests.
const scrubBytes = 64 << 20

func scrub(ctx context.Context, dir string) ([]string, error) {
	report, err := index.Scrub(ctx, dir, scrubBytes)
	if err != nil {
		return nil, err
	}
	damage := make([]string, len(report.Damage))
	for i, d := range report.Damage {
		damage[i] = d.String()
	}
	return slices.Clip(damage), nil
}
