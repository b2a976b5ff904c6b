// Package stores opens a collection by its place: a directory, or the address of an engine.
//
//	notes, /home/me/notes                        the embedded collection
//	postgres://HOST/DATABASE?collection=NAME     PostgreSQL with pgvector
//	postgres://HOST/DATABASE?table=NAME          an existing table, read-only
//	elastic://HOST:PORT/?collection=NAME         Elasticsearch; an existing index, read-only
//	weaviate://HOST:PORT/?collection=NAME        Weaviate, read-only
//	chroma://HOST:PORT/?collection=NAME          Chroma, read-only
//	milvus://HOST:PORT/?collection=NAME          Milvus, read-only
//	qdrant://HOST:PORT/?collection=NAME          Qdrant, read-only
//
// It knows the engines by their schemes. Users and passwords in an address must never be in
// its results, except for the open collection.
package stores

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/chroma"
	"github.com/nsfl-go/nsfl/engine/elastic"
	"github.com/nsfl-go/nsfl/engine/milvus"
	"github.com/nsfl-go/nsfl/engine/postgres"
	"github.com/nsfl-go/nsfl/engine/qdrant"
	"github.com/nsfl-go/nsfl/engine/weaviate"
	"github.com/nsfl-go/nsfl/index"
)

var engines = map[string]struct {
	name string
	open opener
}{
	"postgres":   {"postgres", openPostgres},
	"postgresql": {"postgres", openPostgres},
	"weaviate":   {"weaviate", opens(weaviate.Open)},
	"chroma":     {"chroma", opens(chroma.Open)},
	"milvus":     {"milvus", opens(milvus.Open)},
	"qdrant":     {"qdrant", opens(qdrant.Open)},
	"elastic":    {"elastic", elastic.Open},
}

func openPostgres(ctx context.Context, address string, o engine.Options) (engine.Collection, error) {
	if postgres.Attached(address) {
		return opens(postgres.Attach)(ctx, address, o)
	}
	return opens(postgres.Open)(ctx, address, o)
}

type opener func(ctx context.Context, address string, o engine.Options) (engine.Collection, error)

// opens returns an engine's Open as an opener, which returns no collection with an error.
func opens[C engine.Collection](open func(context.Context, string, engine.Options) (C, error)) opener {
	return func(ctx context.Context, address string, o engine.Options) (engine.Collection, error) {
		c, err := open(ctx, address, o)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}

var openDirectory = opens(func(ctx context.Context, dir string, o engine.Options) (*index.Collection, error) {
	return index.OpenOrCreate(ctx, dir, index.Options{Dimension: o.Dimension, Encoder: o.Encoder, ReadOnly: o.ReadOnly})
})

// Open opens the collection at a place. It returns the errors of package engine:
// engine.ErrNotCollection if there is none, *engine.MismatchError, and so on.
func Open(ctx context.Context, place string, o engine.Options) (engine.Collection, error) {
	scheme, rest, external := split(place)
	if !external {
		return openDirectory(ctx, place, o)
	}
	if err := Check(place); err != nil {
		return nil, err
	}
	rest, _ = cutEncoder(rest)
	return engines[scheme].open(ctx, scheme+"://"+rest, o)
}

// Encoder returns the encoder that an address names for a store without a record of what made
// its vectors, or an empty string.
func Encoder(place string) string {
	_, rest, external := split(place)
	if !external {
		return ""
	}
	_, word := cutEncoder(rest)
	return word
}

// cutEncoder removes the encoder setting, which engines do not know, from an address.
func cutEncoder(rest string) (without, word string) {
	main, settings, _ := strings.Cut(rest, "?")
	var others []string
	for setting := range strings.SplitSeq(settings, "&") {
		if value, ok := strings.CutPrefix(setting, "encoder="); ok {
			word, _ = url.PathUnescape(value) // which the encoder of that word says
		} else if setting != "" {
			others = append(others, setting)
		}
	}
	if word == "" {
		return rest, ""
	}
	if len(others) > 0 {
		main += "?" + strings.Join(others, "&")
	}
	return main, word
}

// Check returns an *engine.InputError for an address with an unknown scheme.
func Check(place string) error {
	scheme, _, external := split(place)
	if _, ok := engines[scheme]; ok || !external {
		return nil
	}
	return engine.BadInput("the address of a store", "there is no store for %s://; those known are %s, or a directory", scheme, strings.Join(schemes(), ", "))
}

func schemes() []string {
	names := map[string]bool{}
	for _, e := range engines {
		names[e.name+"://"] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Directory returns the directory that a place is, or an error if it is the address of an
// engine.
func Directory(place string) (string, error) {
	if External(place) {
		return "", engine.BadInput(Shown(place), "is not a directory")
	}
	return place, nil
}

// split splits an address at ://. A place without a scheme is a directory.
func split(place string) (scheme, rest string, external bool) {
	scheme, rest, ok := strings.Cut(place, "://")
	scheme = strings.ToLower(scheme)
	if !ok || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" {
		return "", "", false
	}
	return scheme, rest, true
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
