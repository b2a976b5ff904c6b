package workspace

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/testserver"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// TestRemoteHealth: a remote store is down, comes up, stops answering and recovers. Its
// errors do not reveal its address.
func TestRemoteHealth(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	srv := postgrestest.New(t)
	proxy := testserver.NewProxy(t, srv.Address())
	proxy.Closed.Store(true)
	var log bytes.Buffer // only look writes to it, and only the test calls look
	s := newRemoteHealth("films", strings.Replace(srv.DSN(), srv.Address(), proxy.Address(), 1)+"&collection=films",
		&Config{ReadTime: 2 * time.Second, WriteTime: 2 * time.Second, Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := open(t, Config{})
	c.remotes["films"], c.config.Places = s, map[string]string{"films": s.address}
	look := func(words string) {
		t.Helper()
		s.check(t.Context())
		if err := s.refusal(); err != nil || words != "" {
			refused(t, err, Unavailable, words)
		}
	}
	look("cannot be reached")
	refused(t, c.Make(t.Context(), "films", ""), Unavailable, "cannot be reached")
	if c.Down() != 1 {
		t.Errorf("%d are down", c.Down())
	}
	proxy.Closed.Store(false)
	look("")
	_, _, err := c.Use(t.Context(), "films", false)
	refused(t, err, Unavailable, "has not been created yet")
	if err := c.Make(t.Context(), "films", ""); err != nil {
		t.Fatal(err)
	}
	refused(t, c.Make(t.Context(), "films", ""), Exists, "already")
	refused(t, c.Remove(t.Context(), "films"), ReadOnly, "delete it there")
	if err := add(t, c, "films", "1"); err != nil || count(t, c, "films") != 1 {
		t.Error(err)
	}
	proxy.Stuck.Store(true)
	refused(t, add(t, c, "films", "2"), Unavailable, "does not answer")
	proxy.Stuck.Store(false)
	proxy.Closed.Store(true)
	proxy.Cut()
	look("cannot be reached")
	refused(t, add(t, c, "films", "2"), Unavailable, "cannot be reached")
	proxy.Closed.Store(false)
	look("")
	if err := add(t, c, "films", "2"); err != nil || c.Down() != 0 {
		t.Errorf("after it is back: %v", err)
	}
	for _, words := range []string{`msg="a store is down" collection=films`, `msg="a store is back" collection=films`} {
		if !strings.Contains(log.String(), words) {
			t.Errorf("the log has no %s", words)
		}
	}
	if strings.Contains(log.String(), postgrestest.Password) {
		t.Error("the log shows the password")
	}
	s.checking.Lock()
	defer s.checking.Unlock()
	if s.probe != nil {
		_ = s.probe.Close() // no goroutine watches it
	}
}
