// Package progress shows how far a long task is: a bar on a terminal, a plain
// line every few seconds anywhere else, nothing at all when told so.
//
// It draws when it is told of progress and at no other time: it has no goroutine,
// so that nothing is written after Done. It knows numbers and a writer, nothing of
// the task.
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
	leftAfter = 3 * time.Second        // before which nobody knows how long it takes
)

// Options say what is shown. The zero value counts, in plain lines.
type Options struct {
	Title    string
	Total    int64 // 0: it is not known
	Unit     Unit
	Terminal bool             // draw a bar; IsTerminal tells whether a writer can
	Quiet    bool             // write nothing
	Width    func() int       // the columns of the terminal; nil: what the system says, or 80
	Now      func() time.Time // nil: time.Now
}

// Bar shows the progress of one task. It is safe for concurrent use.
type Bar struct {
	w io.Writer
	o Options

	mu      sync.Mutex
	n       int64
	drawn   time.Time // when something was written last, or the beginning
	columns int       // that the bar takes on the terminal now
	began   time.Time
	meter   *Meter // of what takes time
	more    func() string
	done    bool
}

// New begins a task. Nothing is written before there is progress.
func New(w io.Writer, o Options) *Bar {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Width == nil {
		o.Width = func() int { return terminalWidth(w) }
	}
	b := &Bar{w: w, o: o, began: o.Now(), meter: NewMeter(o.Now)}
	if !o.Terminal {
		b.drawn = b.began // the first line comes after a while, the first bar at once
	}
	return b
}

// IsTerminal tells whether w is a terminal.
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

// Add says that n more are done.
func (b *Bar) Add(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meter.Add(n)
	b.set(b.n + n)
}

// Set says that n are done in all.
func (b *Bar) Set(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meter.Add(n - b.n)
	b.set(n)
}

// Skip says that n more need not be done, or were done before: they count, but
// not in the rate.
func (b *Bar) Skip(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(b.n + n)
}

// Tell has something else told, in words, than the rate of what is counted.
func (b *Bar) Tell(more func() string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.more = more
}

// Print writes a line of text, above the bar where there is one.
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

// Done ends the task with a last line, if it is not empty. Nothing that comes
// after it is shown.
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

func (b *Bar) write(text string) { _, _ = io.WriteString(b.w, text) } // where nobody can read there is nobody to tell
