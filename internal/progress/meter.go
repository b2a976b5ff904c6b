package progress

import (
	"strings"
	"time"
)

const (
	memory = 30 * time.Second       // over which a rate is taken
	apart  = 500 * time.Millisecond // are the counts that are kept of it
	least  = 100 * time.Millisecond // below which there is no rate
)

// Meter counts, and tells how fast. It is for one goroutine at a time.
type Meter struct {
	now   func() time.Time
	n     int64
	marks []mark // the oldest first, one of them before memory
}

type mark struct {
	at time.Time
	n  int64
}

// NewMeter begins to count. now is the clock; nil: time.Now.
func NewMeter(now func() time.Time) *Meter {
	if now == nil {
		now = time.Now
	}
	return &Meter{now: now, marks: []mark{{at: now()}}}
}

// Add counts n more.
func (m *Meter) Add(n int64) {
	now := m.now()
	if last := m.marks[len(m.marks)-1]; now.Sub(last.at) >= apart {
		m.marks = append(m.marks, mark{now, m.n})
	}
	for len(m.marks) > 1 && now.Sub(m.marks[1].at) >= memory {
		m.marks = m.marks[1:]
	}
	m.n += n
}

// Rate is how many there were a second, lately; 0: not known yet.
func (m *Meter) Rate() float64 {
	since := m.now().Sub(m.marks[0].at)
	if since < least {
		return 0
	}
	return max(float64(m.n-m.marks[0].n)/since.Seconds(), 0) // a task may begin again
}

// Show is the rate of things of a name, such as "documents".
func (m *Meter) Show(name string) string {
	rate, _ := strings.CutSuffix(Items(name).rate(m.Rate()), "/s")
	return rate + " " + name + "/s"
}
