package index

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

const (
	busyTime = 10_000 // how long a connection waits for another's lock, in milliseconds
	// logPages is the log length at which a commit triggers a checkpoint.
	logPages = 500
	// restTime is the idle time after the last write that triggers a checkpoint.
	restTime = time.Second
)

// open opens the ledger for writing and checkpoints its log. A log whose sync failed may
// exist only in the page cache, and a second sync would not report that.
func (w *writer) open(p place) (err error) {
	if w.ledger, err = openLedger(p, forWriting); err != nil {
		return err
	}
	if _, err = w.ledger.checkpoint(); errors.Is(err, engine.ErrFull) {
		return nil // the log is intact; deleting documents requires an open collection
	}
	return err
}

// checkpoint moves the log into the ledger and truncates it. It never blocks: while
// others are reading, it moves what it can and reports done = false.
func (l *ledger) checkpoint() (done bool, err error) {
	var busy, pages, moved int
	err = l.db.QueryRow(`PRAGMA busy_timeout(0)`).Scan(&busy)
	if err == nil {
		err = l.db.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
		done = err == nil && busy == 0
		_, again := l.db.Exec(`PRAGMA busy_timeout(` + strconv.Itoa(busyTime) + `)`)
		err = errors.Join(err, again)
	}
	return done, l.explain("moving the log to the ledger", err)
}

// checkpointLater schedules a checkpoint for when the collection has been idle for restTime, to
// keep little data in the log alone. The caller must hold the writer's turn.
func (c *Collection) checkpointLater() {
	if c.writer.rest == nil {
		c.writer.rest = time.AfterFunc(restTime, c.tidy)
		return
	}
	c.writer.rest.Reset(restTime)
}

func (c *Collection) tidy() {
	// A failed checkpoint is retried after the next write, and by the next writer.
	_ = c.writing(context.Background(), "tidying up", func() error {
		done, err := c.writer.ledger.checkpoint()
		if err == nil && !done {
			c.checkpointLater()
		}
		c.keepReserve()
		return err
	})
}
