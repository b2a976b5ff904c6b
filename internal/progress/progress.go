// Package progress shows the progress of a long task: a line that changes on a terminal, a new
// line every few seconds elsewhere, or nothing.
//
// It draws only when progress is reported: it has no goroutine, and writes nothing after
// Done. It knows numbers and a writer, and nothing about the task.
package progress

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

const (
	drawEvery = 100 * time.Millisecond // on a terminal
	lineEvery = 10 * time.Second       // elsewhere
	leftAfter = 3 * time.Second        // before which there is no estimate
)

// Bytes is the unit of a task that counts bytes, which are shown as megabytes.
const Bytes = "MB"

// Options configure a Bar. The zero value counts, in plain lines.
type Options struct {
	Title    string
	Total    int64            // 0 if unknown
	Unit     string           // such as "documents", or Bytes
	Terminal bool             // draw over the previous line; see IsTerminal
	Quiet    bool             // write nothing
	Width    func() int       // columns of the terminal; nil means the system's value, or 80
	Now      func() time.Time // nil means time.Now
}

// Bar shows the progress of one task. It is safe for concurrent use.
type Bar struct {
	w io.Writer
	o Options

	mu      sync.Mutex
	n       int64
	drawn   time.Time // time of the last output, or of the start
	columns int       // current width of the line on the terminal
	began   time.Time
	worked  int64 // items that were not skipped
	more    func() string
	work    func() (done, left float64)
	done    bool
}

// New starts a task. Nothing is written until there is progress.
func New(w io.Writer, o Options) *Bar {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Width == nil {
		o.Width = func() int { return terminalWidth(w) }
	}
	b := &Bar{w: w, o: o, began: o.Now()}
	if !o.Terminal {
		b.drawn = b.began // the first line appears after a while, on a terminal immediately
	}
	return b
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

// Add reports that n more items are done.
func (b *Bar) Add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.worked += n
	b.set(b.n + n)
}

// Set reports that n items are done in total.
func (b *Bar) Set(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.worked += n - b.n
	b.set(n)
}

// Skip reports that n more items need not be done, or were done before: they count, but
// not in the rate.
func (b *Bar) Skip(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(b.n + n)
}

// Tell adds a text to the line.
func (b *Bar) Tell(more func() string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.more = more
}

// Estimate makes the remaining time follow the given amounts of work, done and left, instead
// of the items.
func (b *Bar) Estimate(work func() (done, left float64)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.work = work
}

// Print writes a line of text, above the state if that is drawn.
func (b *Bar) Print(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.o.Quiet {
		return
	}
	b.erase()
	b.write(text + "\n")
	if b.o.Terminal && !b.done && b.n > 0 {
		b.draw()
	}
}

// Done ends the task with a last line, if it is not empty. Later progress is not shown.
func (b *Bar) Done(summary string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done || b.o.Quiet {
		return
	}
	b.done = true
	b.erase()
	if summary != "" {
		b.write(summary + "\n")
	}
}

func (b *Bar) set(n int64) {
	b.n = max(n, 0)
	if b.o.Quiet || b.done {
		return
	}
	every := lineEvery
	if b.o.Terminal {
		every = drawEvery
	}
	now := b.o.Now()
	if now.Sub(b.drawn) < every {
		return
	}
	b.drawn = now
	if b.o.Terminal {
		b.draw()
	} else {
		b.write(b.line() + "\n")
	}
}

// rate returns the items per second since the start, without skipped ones, or 0 if it is not
// known yet.
func (b *Bar) rate() float64 {
	since := b.o.Now().Sub(b.began)
	if since < drawEvery {
		return 0
	}
	return max(float64(b.worked)/since.Seconds(), 0) // a task may restart
}

func (b *Bar) write(text string) { _, _ = io.WriteString(b.w, text) } // there is nowhere to report an error
