package workspace

import (
	"log/slog"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// Notices are what whoever has opened a store should be told.
func Notices(store engine.Collection) []string {
	if c, ok := store.(*index.Collection); ok {
		return c.Notices()
	}
	return nil
}

// log is where to tell of collections.
func (c *Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}
