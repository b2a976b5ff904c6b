// Package choose opens a collection by where it is: a directory, or the address of
// an engine.
//
//	notes, file:///home/me/notes                 the embedded collection
//	postgres://HOST/DATABASE?collection=NAME     PostgreSQL with pgvector
//	weaviate://HOST:PORT/?collection=NAME        Weaviate
//	chroma://HOST:PORT/?collection=NAME          Chroma
//
// It knows the engines by their schemes, and passes on. What an address says about
// users and passwords must never be in what it returns, but for the open collection.
package choose

import (
	"context"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/chroma"
	"github.com/nsfl-go/nsfl/engine/postgres"
	"github.com/nsfl-go/nsfl/engine/weaviate"
	"github.com/nsfl-go/nsfl/index"
)

// Options are how a collection is opened; the zero value opens one that exists, for
// reading and writing.
type Options struct {
	// Dimension of the vectors. A collection is made only where it is given; with
	// one that exists it is compared unless it is 0.
	Dimension int
	// Encoder identifies what the vectors come from. It is stored with a new
	// collection and compared with an old one's unless it is empty.
	Encoder string
	// ReadOnly makes, changes and stores nothing.
	ReadOnly bool
	// Fill says that many documents will be stored before the collection is opened
	// again and searched, so that an engine may leave its index for then.
	Fill bool
	// Timeout is the longest that a call to an engine may take which reads, and
	// WriteTimeout one that writes. 0: what the engine has as its own.
	Timeout, WriteTimeout time.Duration
}

// engines are those that have addresses, by scheme.
var engines = map[string]struct {
	name string
	open func(ctx context.Context, address string, o Options) (engine.Collection, error)
}{
	"postgres":   {"postgres", openPostgres},
	"postgresql": {"postgres", openPostgres},
	"weaviate":   {"weaviate", openWeaviate},
	"chroma":     {"chroma", openChroma},
}

// Open opens the collection at a place. What a caller may decide on are the errors
// of index.Open: engine.ErrNotCollection where there is none, *engine.MismatchError,
// and so on.
func Open(ctx context.Context, place string, o Options) (engine.Collection, error) {
	scheme, rest, external := split(place)
	if !external {
		dir, err := Directory(place)
		if err != nil {
			return nil, err
		}
		c, err := engine.OpenDirectory(ctx, dir, index.Options{Dimension: o.Dimension, Encoder: o.Encoder, ReadOnly: o.ReadOnly})
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	if err := Known(place); err != nil {
		return nil, err
	}
	return engines[scheme].open(ctx, scheme+"://"+rest, o)
}

// Known is an *engine.InputError for the address of an engine that there is no store
// for.
func Known(place string) error {
	scheme, _, external := split(place)
	if _, ok := engines[scheme]; ok || !external {
		return nil
	}
	names := map[string]bool{}
	for _, e := range engines {
		names[e.name+"://"] = true
	}
	return engine.BadInput("the address of a store", "there is no store for %s://; those known are %s, or a directory", scheme, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
}

func openPostgres(ctx context.Context, address string, o Options) (engine.Collection, error) {
	s, err := postgres.Open(ctx, address, postgres.Options{
		Dimension: o.Dimension, Encoder: o.Encoder, ReadOnly: o.ReadOnly, Exact: o.Fill, Timeout: o.Timeout, WriteTimeout: o.WriteTimeout,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func openWeaviate(ctx context.Context, address string, o Options) (engine.Collection, error) {
	s, err := weaviate.Open(ctx, address, weaviate.Options{
		Dimension: o.Dimension, Encoder: o.Encoder, ReadOnly: o.ReadOnly, Timeout: o.Timeout, WriteTimeout: o.WriteTimeout,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func openChroma(ctx context.Context, address string, o Options) (engine.Collection, error) {
	s, err := chroma.Open(ctx, address, chroma.Options{
		Dimension: o.Dimension, Encoder: o.Encoder, ReadOnly: o.ReadOnly, Timeout: o.Timeout, WriteTimeout: o.WriteTimeout,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Directory is the directory that a place names. It is an error where that is the
// address of an engine.
func Directory(place string) (string, error) {
	scheme, rest, external := split(place)
	switch {
	case external:
		return "", engine.BadInput(Place(place), "is not a directory")
	case scheme == "":
		return place, nil
	}
	path, err := url.PathUnescape(rest)
	path = strings.TrimPrefix(path, "localhost")
	if err != nil || !strings.HasPrefix(path, "/") {
		return "", engine.BadInput(Place(place), "is not like file:///home/me/notes")
	}
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /C:/notes
	}
	return filepath.FromSlash(path), nil
}

// split takes an address apart at ://. What has no scheme, or file, is a directory.
func split(place string) (scheme, rest string, external bool) {
	scheme, rest, ok := strings.Cut(place, "://")
	scheme = strings.ToLower(scheme)
	if !ok || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
		return "", "", false
	}
	return scheme, rest, scheme != "file"
}

// External reports whether a place is the address of an engine, not a directory.
func External(place string) bool {
	_, _, external := split(place)
	return external
}

// Engine names the engine of a place: embedded, postgres, …
func Engine(place string) string {
	scheme, _, external := split(place)
	if !external {
		return "embedded"
	}
	if e, ok := engines[scheme]; ok {
		return e.name
	}
	return scheme
}
