package index

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

const (
	busyTime = 10_000 // milliseconds that a connection waits for another's lock
	// logPages is how long the log may be before a commit moves it to the ledger.
	logPages = 500
	// restTime is how long nothing must have been written before that is done anyway.
	restTime = time.Second
)

// open opens the ledger for writing. What is in its log is moved to it: a log whose
// sync has failed may be in memory alone, and a second sync would not say so.
func (w *writer) open(p place) (err error) {
	if w.ledger, err = openLedger(p, forWriting); err != nil {
		return err
	}
	if _, err = w.ledger.checkpoint(); errors.Is(err, engine.ErrFull) {
		return nil // the log is good as it is; who deletes documents needs the collection
	}
	return err
}

// checkpoint moves what is in the log to the ledger, and empties the log. It waits for
// nobody: where others read, it moves what it can and reports that it is not done.
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

// later has the log moved to the ledger when nothing has been written for a while, so
// that little is ever in the log alone. The turn is the caller's.
func (c *Collection) later() {
	if c.writer.rest == nil {
		c.writer.rest = time.AfterFunc(restTime, c.tidy)
		return
	}
	c.writer.rest.Reset(restTime)
}

func (c *Collection) tidy() {
	// What fails here is tried again after the next write, and by the next writer.
	_ = c.writing(context.Background(), "tidying up", func() error {
		done, err := c.writer.ledger.checkpoint()
		if err == nil && !done {
			c.later()
		}
		c.keepReserve()
		return err
	})
}
