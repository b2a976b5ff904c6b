package public

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/lockfile"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// Job is what is to be done to have a benchmark in a folder.
type Job struct {
	Benchmark Benchmark
	Dir       string
	// Present is what is there already, checked by its hashes, where that is all.
	Present *Manifest
	// Downloads are the addresses that are to be fetched. There are none where the files
	// come from a folder.
	Downloads []string
	Bytes     int64 // what comes, as far as that is known
	Unknown   int   // how many files the servers tell no size of

	left     []task
	manifest *Manifest
	client   *client
}

// task is one source that is not there yet.
type task struct {
	source  Source
	address string   // where it is fetched from; empty: from paths
	paths   []string // the files themselves, or the archive they are in
}

// Prepare finds out what is to be done. From is another address than the authors', below
// which the files have their names, or a folder that has them; empty, it is the authors'.
// Nothing is written and nothing fetched, but servers are asked for sizes.
func Prepare(ctx context.Context, b Benchmark, dir, from string) (*Job, error) {
	return prepare(ctx, newClient(), b, dir, from)
}

func prepare(ctx context.Context, c *client, b Benchmark, dir, from string) (*Job, error) {
	j := &Job{Benchmark: b, Dir: dir, client: c}
	defer c.close()
	sources, err := j.missing(ctx)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 && j.manifest.Queries > 0 {
		j.Present = j.manifest
		return j, nil
	}
	for _, s := range sources {
		t, err := b.locate(s, from)
		if err != nil {
			return nil, err
		}
		j.left = append(j.left, t)
		if err := j.weigh(ctx, t); err != nil {
			return nil, err
		}
	}
	return j, nil
}

// missing reads what the folder has, and returns what it lacks. What is there and was not
// fetched, or has changed since, is somebody's work and is not touched.
func (j *Job) missing(ctx context.Context) (out []Source, err error) {
	b := j.Benchmark
	j.manifest, err = ReadManifest(j.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		j.manifest = &Manifest{Benchmark: b.Name, Page: b.Page, Licence: b.Licence, Split: b.Split}
	case err != nil:
		return nil, err
	case j.manifest.Benchmark != b.Name:
		return nil, fmt.Errorf("%s holds the benchmark %s; name another folder with --dir", j.Dir, j.manifest.Benchmark)
	}
	for _, s := range b.Sources {
		whole := true
		for _, name := range s.Files {
			here, err := j.has(ctx, name)
			if err != nil {
				return nil, err
			}
			whole = whole && here
		}
		if !whole {
			out = append(out, s)
		}
	}
	return out, nil
}

// has tells whether a file is there as it was fetched.
func (j *Job) has(ctx context.Context, name string) (bool, error) {
	path := filepath.Join(j.Dir, filepath.FromSlash(name))
	here, err := exists(path)
	if err != nil || !here {
		return false, err
	}
	f, known := j.manifest.file(name)
	if slices.Contains(j.manifest.Pending, name) {
		return false, nil
	}
	if !known {
		return false, fmt.Errorf("%s is there and was not fetched by nsfl; name another folder with --dir, or measure what is there with --set %s", path, j.Dir)
	}
	sum, n, err := digest(ctx, path)
	if err == nil && (n != f.Bytes || sum != f.SHA256) {
		err = fmt.Errorf("%s has changed since it was fetched: its SHA-256 is %s and was %s; remove it and fetch it again", path, sum, f.SHA256)
	}
	return err == nil, err
}

// locate finds where a source comes from.
func (b Benchmark) locate(s Source, from string) (t task, err error) {
	t.source = s
	switch {
	case from == "" && s.URL == "":
		return t, fmt.Errorf("%s cannot be fetched: %s. See %s, get %s and name their folder with --from", b.Name, b.manual, b.Page, strings.Join(b.files(), " and "))
	case from == "":
		t.address = s.URL
		return t, nil
	case strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://"):
		base, err := webclient.Address(from, b.Page)
		if err != nil {
			return t, fmt.Errorf("the address after --from %w", err)
		}
		t.address = base.JoinPath(s.Title()).String()
		return t, nil
	}
	for _, name := range s.Files {
		path := filepath.Join(from, filepath.FromSlash(name))
		if here, err := exists(path); err != nil {
			return t, err
		} else if here {
			t.paths = append(t.paths, path)
		}
	}
	if len(t.paths) == len(s.Files) {
		return t, nil
	}
	path := filepath.Join(from, s.Title())
	if here, err := exists(path); err != nil || here {
		t.paths = []string{path}
		return t, err
	}
	names := strings.Join(s.Files, ", ")
	if s.Title() != names {
		names += " or " + s.Title()
	}
	return t, fmt.Errorf("%s does not have %s, which %s needs", from, names, b.Name)
}

// files names what a benchmark consists of.
func (b Benchmark) files() (out []string) {
	for _, s := range b.Sources {
		out = append(out, s.Files...)
	}
	return out
}

// weigh adds the size of a task.
func (j *Job) weigh(ctx context.Context, t task) error {
	for _, path := range t.paths {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a file", path)
		}
		j.Bytes += info.Size()
	}
	if t.address == "" {
		return nil
	}
	n, err := j.client.size(ctx, t.address)
	switch {
	case err != nil:
		return advise(err, j.Benchmark, t.address)
	case n > t.source.most():
		return advise(ownError{sizeError(t.source.most())}, j.Benchmark, t.address)
	case n < 0:
		j.Unknown++
	}
	j.Bytes += max(n, 0)
	j.Downloads = append(j.Downloads, t.address)
	return nil
}

// Run does it, and returns the manifest of the whole. Tell, unless it is nil, hears how
// many bytes have come.
func (j *Job) Run(ctx context.Context, tell func(done int64)) (*Manifest, error) {
	if j.Present != nil {
		return j.Present, nil
	}
	defer j.client.close()
	if err := os.MkdirAll(j.Dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(j.Dir, "nsfl-set.lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := lockfile.Take(lock); errors.Is(err, lockfile.ErrTaken) {
		return nil, fmt.Errorf("another command is fetching into %s; wait until it has ended", j.Dir)
	} else if err != nil {
		return nil, err
	}
	var before, done int64
	for _, t := range j.left {
		before = done
		j.manifest.Pending = t.source.Files
		if err := j.manifest.write(j.Dir); err != nil {
			return nil, err
		}
		files, err := j.take(ctx, t, func(n int64) {
			if done = before + n; tell != nil {
				tell(done)
			}
		})
		if err != nil {
			return nil, err
		}
		j.manifest.add(files)
		if err := j.manifest.write(j.Dir); err != nil {
			return nil, err
		}
	}
	if err := j.check(ctx); err != nil {
		return nil, err
	}
	return j.manifest, nil
}

// take brings the files of one task.
func (j *Job) take(ctx context.Context, t task, tell func(int64)) ([]File, error) {
	s := t.source
	if t.address == "" {
		return j.copy(ctx, t)
	}
	name := s.Files[0]
	if s.packed() {
		name = s.Title()
	}
	var f File
	err := j.client.ask(ctx, http.MethodGet, t.address, func(r *http.Response) (err error) {
		if r.ContentLength > s.most() {
			return sizeError(s.most())
		}
		f, err = store(ctx, j.Dir, name, &counted{r: r.Body, tell: tell}, s.most())
		return err
	})
	if err != nil {
		return nil, advise(err, j.Benchmark, t.address)
	}
	out := []File{f}
	if s.packed() {
		path := filepath.Join(j.Dir, name)
		out, err = unpackFile(ctx, path, j.Dir, s)
		err = errors.Join(err, os.Remove(path))
	}
	if err != nil {
		return nil, fmt.Errorf("what came from %s cannot be used: %w; check the address", t.address, err)
	}
	for i := range out {
		out[i].From = t.address
		if s.packed() {
			out[i].Archive = f.SHA256
		}
	}
	return out, nil
}

// copy brings the files of a task from a folder.
func (j *Job) copy(ctx context.Context, t task) (out []File, err error) {
	s := t.source
	if s.packed() && len(t.paths) == 1 && filepath.Base(t.paths[0]) == s.Title() {
		sum, _, err := digest(ctx, t.paths[0])
		if err != nil {
			return nil, err
		}
		out, err = unpackFile(ctx, t.paths[0], j.Dir, s)
		for i := range out {
			out[i].From, out[i].Archive = t.paths[0], sum
		}
		return out, err
	}
	for i, path := range t.paths {
		r, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		f, err := store(ctx, j.Dir, s.Files[i], r, s.most())
		if err = errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("copying %s: %w", path, err)
		}
		f.From = path
		out = append(out, f)
	}
	return out, nil
}

// check reads the whole benchmark once. What is not one is removed, for the next try to
// begin anew.
func (j *Job) check(ctx context.Context) error {
	err := j.count(ctx)
	if err == nil {
		return j.manifest.write(j.Dir)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, name := range append(j.Benchmark.files(), manifestName) {
		err = errors.Join(err, os.RemoveAll(filepath.Join(j.Dir, filepath.FromSlash(name))))
	}
	return fmt.Errorf("what came is not %s, and was removed: %w; check where it is from", j.Benchmark.Name, err)
}

// count reads the documents and the queries of the split.
func (j *Job) count(ctx context.Context) error {
	m := j.manifest
	set, err := j.Benchmark.open(j.Dir, m.Split)
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for d, err := range set.Documents {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		ids[d.ID] = true
	}
	known := slices.ContainsFunc(set.Queries, func(q sets.Query) bool {
		for id := range q.Relevant() {
			if ids[id] {
				return true
			}
		}
		return false
	})
	if !known {
		return errors.New("no document is there that is relevant to a query; the files do not belong together")
	}
	m.Documents, m.Queries = len(ids), len(set.Queries)
	return nil
}

// counted tells how much was read.
type counted struct {
	r    io.Reader
	n    int64
	tell func(int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.tell(c.n)
	return n, err
}
