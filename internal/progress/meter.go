package progress

import (
	"strings"
	"time"
)

const (
	memory = 30 * time.Second       // window of the rate
	apart  = 500 * time.Millisecond // between recorded counts
	least  = 100 * time.Millisecond // before which there is no rate
)

// Meter measures a rate. It is not safe for concurrent use.
type Meter struct {
	now   func() time.Time
	began time.Time
	n     int64
	marks []mark // oldest first, one of them before the window
}

type mark struct {
	at time.Time
	n  int64
}

// NewMeter starts a meter. now is the clock; nil means time.Now.
func NewMeter(now func() time.Time) *Meter {
	if now == nil {
		now = time.Now
	}
	began := now()
	return &Meter{now: now, began: began, marks: []mark{{at: began}}}
}

// Add counts n more items.
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

// Rate returns the recent rate per second, or 0 if it is not known yet.
func (m *Meter) Rate() float64 {
	since := m.now().Sub(m.marks[0].at)
	if since < least {
		return 0
	}
	return max(float64(m.n-m.marks[0].n)/since.Seconds(), 0) // a task may restart
}

// Average returns the rate per second since the start, which varies less than Rate, or 0 if it
// is not known yet.
func (m *Meter) Average() float64 {
	since := m.now().Sub(m.began)
	if since < least {
		return 0
	}
	return max(float64(m.n)/since.Seconds(), 0)
}

// Show formats the rate of items such as "documents".
func (m *Meter) Show(name string) string {
	rate, _ := strings.CutSuffix(Items(name).rate(m.Rate()), "/s")
	return rate + " " + name + "/s"
}
