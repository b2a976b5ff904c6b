package workspace

import (
	"log/slog"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// Notices returns messages for the user that opened a store.
func Notices(store engine.Collection) []string {
	if c, ok := store.(*index.Collection); ok {
		return c.Notices()
	}
	return nil
}

// log returns the configured logger, or one that discards.
func (c *Config) log() *slog.Logger {
	if c.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Log
}
