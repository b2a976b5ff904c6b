package limit

import (
	"sync"
	"testing"
	"time"
)

func TestMemory(t *testing.T) {
	refused := 0
	b := NewMemory(100<<20, 25<<20, 0, func() { refused++ })
	one, two, more := &Share{Memory: b, Party: "a"}, &Share{Memory: b, Party: "b"}, &Share{Memory: b, Party: "a"}
	code := func(err error) string {
		if err == nil {
			return "<nil>"
		}
		return refusal(err).Kind
	}
	for _, c := range []struct {
		of   *Share
		mib  int64
		want string
		used int
	}{
		{one, 60, "<nil>", 60}, {more, 16, "busy", 60}, {two, 50, "busy", 60}, {two, 20, "<nil>", 80}, {two, 70, "too_large", 80}, {one, 1, "busy", 80},
		{two, 5, "<nil>", 85}, {two, 1, "busy", 85},
	} {
		if got := code(c.of.Draw(c.mib << 20)); got != c.want || b.InUse() != c.used<<20 {
			t.Errorf("%d MiB: %s with %d in use, want %s and %d MiB", c.mib, got, b.InUse(), c.want, c.used)
		}
	}
	one.Give(10 << 20)
	two.End()
	two.End()
	if b.InUse() != 50<<20 || refused != 5 {
		t.Errorf("%d are in use, %d were refused", b.InUse(), refused)
	}
	// A party that has nothing waits for what it needs.
	b.wait = time.Minute
	if err := two.Draw(25 << 20); err != nil {
		t.Fatal(err)
	}
	if err := (&Share{Memory: b, Party: "d"}).Draw(20 << 20); err != nil {
		t.Fatal(err)
	}
	waiting := &Share{Memory: b, Party: "e"}
	drawn := make(chan error)
	go func() { drawn <- waiting.Draw(10 << 20) }()
	two.End()
	if err := <-drawn; err != nil {
		t.Error(err)
	}
	waiting.End()
	b.wait = 0
	b.used, b.of = 50<<20, map[string]int64{"a": 50 << 20}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				s := &Share{Memory: b, Party: "c"}
				_ = s.Draw(20 << 20)
				s.End()
			}
		})
	}
	if all.Wait(); b.InUse() != 50<<20 {
		t.Errorf("%d are in use", b.InUse())
	}
}
