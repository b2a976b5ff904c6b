package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Sources finds the files in paths, which are files or folders, in the order of paths and of
// the names within a folder. Collect all sources before reading to know the amount of work.
// Files below several paths may have the same name; the caller distinguishes them by
// Source.Place and renames them. A missing path is an error and ends the iteration.
func (r *Run) Sources(ctx context.Context, paths ...string) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		w := walker{ctx: ctx, options: r.options, yield: yield}
		if len(paths) > 1 {
			w.byPlace = map[string]string{}
		}
		for _, p := range paths {
			if err := w.argument(p); err != nil {
				if !errors.Is(err, errStopped) {
					yield(Source{}, fmt.Errorf("looking for documents in %s: %w", p, bare(err)))
				}
				return
			}
		}
	}
}

// errStopped means that the caller stopped the iteration.
var errStopped = errors.New("stopped")

type walker struct {
	ctx     context.Context
	options Options
	yield   func(Source, error) bool
	// byPlace maps the absolute path without links to the path that led to a file. It is nil
	// if there is one argument, under which no file occurs twice.
	byPlace map[string]string
	inputs  int // how often standard input was named
}

func (w *walker) argument(p string) error {
	if p == StandardInput {
		return w.input()
	}
	info, err := os.Stat(p)
	if err != nil {
		return err
	}
	place, err := filepath.Abs(p)
	if err == nil {
		place, err = filepath.EvalSymlinks(place)
	}
	switch {
	case err != nil:
		return err
	case info.IsDir():
		var above *ignore
		if !w.options.NoIgnore {
			above = ignoreAbove(place)
		}
		return w.folder(p, "", place, above)
	}
	return w.file(p, filepath.Base(p), place, info, true)
}

// input yields standard input, which always counts as changed.
func (w *walker) input() error {
	if w.inputs++; w.inputs > 1 {
		return errors.New("standard input can be read once")
	}
	name := cmp.Or(w.options.Name, "stdin")
	if !w.yield(Source{Path: StandardInput, Name: name, named: true, as: w.options.as(name)}, nil) {
		return errStopped
	}
	return nil
}

// folder visits the entries of a folder. name is its path relative to the argument, place its
// absolute path, and above the rules of its parent folders. It returns an *fs.PathError if the
// folder itself cannot be read.
func (w *walker) folder(p, name, place string, above *ignore) error {
	entries, err := os.ReadDir(p)
	if err != nil {
		return err
	}
	if name != "" && isCollection(entries) {
		w.options.Skip(Skip{Path: p, Kind: Hidden, Reason: "a collection of nsfl; name it to have it read"})
		return nil
	}
	rules := above
	if !w.options.NoIgnore {
		rules = ignoreIn(place, above)
	}
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		inner := filepath.Join(p, e.Name())
		innerName, innerPlace := path.Join(name, e.Name()), filepath.Join(place, e.Name())
		kind, reason := passOver(e)
		if kind == "" {
			kind, reason = w.leftOut(e, innerName, innerPlace, rules)
		}
		if kind != "" {
			w.options.Skip(Skip{Path: inner, Kind: kind, Reason: reason})
			continue
		}
		if e.IsDir() {
			err = w.folder(inner, innerName, innerPlace, rules)
		} else if info, failed := e.Info(); failed != nil {
			err = failed
		} else {
			err = w.file(inner, innerName, innerPlace, info, false)
		}
		if system := (*fs.PathError)(nil); errors.As(err, &system) {
			w.options.Skip(Skip{Path: inner, Kind: Unreadable, Reason: bare(err).Error()})
		} else if err != nil {
			return err
		}
	}
	return nil
}

// leftOut returns the reason why an entry of a folder is excluded.
func (w *walker) leftOut(e fs.DirEntry, name, place string, rules *ignore) (Kind, string) {
	switch by := rules.match(place, e.IsDir()); {
	case by != "":
		return Ignored, "ignored by " + by + "; name it to have it read"
	case matchesAny(w.options.Exclude, name):
		return Ignored, "excluded"
	case !e.IsDir() && len(w.options.Include) > 0 && !matchesAny(w.options.Include, name):
		return Ignored, "not included"
	case e.IsDir() && e.Name() == "vendor" && isVendored(place):
		return Hidden, "a folder of packages; name it to have it read"
	}
	return "", ""
}

// isVendored recognises the vendor folders of Go and PHP package managers.
func isVendored(place string) bool {
	return slices.ContainsFunc([]string{"modules.txt", "autoload.php"}, func(name string) bool {
		_, err := os.Stat(filepath.Join(place, name))
		return err == nil
	})
}

func (w *walker) file(p, name, place string, info fs.FileInfo, named bool) error {
	as := ""
	if named {
		as = w.options.as(name)
	}
	f, gzipped := formatOf(cmp.Or(as, name), named)
	if w.options.Types != nil {
		if f, gzipped = nil, false; named || slices.Contains(w.options.Types, extensionOf(name)) {
			f = &format{} // the caller reads it
		}
	}
	skip := func(kind Kind, format string, args ...any) error {
		w.options.Skip(Skip{Path: p, Kind: kind, Reason: fmt.Sprintf(format, args...)})
		return nil
	}
	switch {
	case !info.Mode().IsRegular():
		return skip(Special, "it is not a regular file")
	case f == nil:
		return skip(Unknown, "files of the type %s are not read; name it to have it read as text", TypeOf(name))
	case !utf8.ValidString(name):
		return skip(Encoding, "its name is not valid UTF-8; rename it")
	case info.Size() == 0:
		return skip(Empty, "it has no bytes")
	case info.Size() > w.options.limits.of(f) && (f.whole != nil || f.packed != nil) && !gzipped:
		return skip(TooLarge, "it has %d bytes, at most %d are read as one document", info.Size(), w.options.limits.of(f))
	}
	if first, ok := w.byPlace[place]; ok {
		return skip(Twice, "it is the same file as %s", first)
	}
	if w.byPlace != nil {
		w.byPlace[place] = p
	}
	if !w.yield(Source{Path: p, Name: name, Place: place, Size: info.Size(), Modified: info.ModTime(), named: named, as: as}, nil) {
		return errStopped
	}
	return nil
}

// passOver returns the reason why an entry of a folder is skipped without being examined.
func passOver(e fs.DirEntry) (Kind, string) {
	name := e.Name()
	switch {
	case strings.HasPrefix(name, "."):
		return Hidden, "hidden; name it to have it read"
	case name == "node_modules" && e.IsDir():
		return Hidden, "a folder of packages; name it to have it read"
	case e.Type()&fs.ModeSymlink != 0:
		return Link, "a symbolic link; name it to have it followed"
	}
	return "", ""
}

// isCollection recognises the directory of a collection, which may be inside the folder that
// is being indexed into it.
func isCollection(entries []fs.DirEntry) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name && !e.IsDir() })
	}
	return has("ledger.db") && has("lock")
}

// bare removes the path from an error whose message already names it.
func bare(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
