package hub

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nsfl-go/nsfl/internal/lockfile"
	"github.com/nsfl-go/nsfl/internal/retry"
)

// Result is the outcome of a pull.
type Result struct {
	Manifest Manifest
	Fetched  []string // names of the downloaded files
	Bytes    int64    // downloaded by this pull
}

// pull is a pull in progress.
type pull struct {
	hub      *hub
	model    Model
	commit   string
	root     *os.Root
	progress func(Event)
	here     int64 // bytes of the complete files
	total    int64
	received int64
}

// Pull downloads the files of a model into dir, creating it if necessary. It waits for
// other pulls into the same directory to finish. If progress is not nil, it is called
// often, but never concurrently.
func Pull(ctx context.Context, c Config, m Model, dir string, progress func(Event)) (Result, error) {
	h, err := c.open()
	if err != nil {
		return Result{}, fmt.Errorf("pulling %s: %w", m.Repository, err)
	}
	defer h.close()
	return h.pull(ctx, m, dir, progress)
}

func (h *hub) pull(ctx context.Context, m Model, dir string, progress func(Event)) (Result, error) {
	p := &pull{hub: h, model: m, progress: progress}
	result, err := p.run(ctx, dir)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return Result{}, fmt.Errorf("pulling %s: %w", m.Repository, err)
	}
	return result, nil
}

func (p *pull) run(ctx context.Context, dir string) (Result, error) {
	if dir == "" {
		return Result{}, errors.New("no directory is named")
	}
	if err := p.model.check(); err != nil {
		return Result{}, err
	}
	// Ask the hub first, so that a wrong name does not create a directory.
	files, err := p.plan(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return Result{}, explainDisk(err)
	}
	if p.root, err = os.OpenRoot(dir); err != nil {
		return Result{}, err
	}
	defer p.root.Close() //nolint:errcheck // it writes nothing
	lock, err := p.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer lock.Close()
	var fetched []string
	for i := range files {
		f := &files[i]
		current, err := p.current(ctx, f)
		if err == nil && !current {
			fetched = append(fetched, f.Name)
			err = p.fetch(ctx, f)
		}
		if err != nil {
			return Result{}, fmt.Errorf("%s: %w", f.Name, err)
		}
		p.here += f.Size
	}
	manifest, err := p.install(files, fetched)
	if err != nil {
		return Result{}, fmt.Errorf("installing the files in %s: %w", dir, err)
	}
	return Result{manifest, fetched, p.received}, nil
}

// plan lists the files to pull.
func (p *pull) plan(ctx context.Context) ([]File, error) {
	retrying := func(err error, pause time.Duration) { p.report(Event{State: Retrying, Err: err, Pause: pause}) }
	var have map[string]File
	err := p.hub.pace.Insist(ctx, retrying, func() (further bool, err error) {
		p.commit, have, err = p.hub.list(ctx, p.model)
		return false, err
	})
	if err != nil {
		return nil, fmt.Errorf("asking %s for the files of revision %s: %w", p.hub.base, p.model.Revision, err)
	}
	files, err := p.model.choose(have)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		p.total += f.Size
	}
	p.report(Event{State: Listed})
	return files, nil
}

// lockPause is the wait between attempts to take a lock.
const lockPause = 100 * time.Millisecond

// lock waits until no other pull works in the directory, and keeps others out.
func (p *pull) lock(ctx context.Context) (*os.File, error) {
	f, err := p.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, explainDisk(err)
	}
	for reported := false; ; reported = true {
		err := lockfile.Take(f)
		if errors.Is(err, lockfile.ErrTaken) {
			if !reported {
				p.report(Event{State: Waiting})
			}
			if err = retry.Sleep(ctx, lockPause); err == nil {
				continue
			}
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("locking %s: %w", p.root.Name(), err), f.Close())
		}
		return f, nil
	}
}

// current reports whether a file exists as listed on the hub.
func (p *pull) current(ctx context.Context, f *File) (bool, error) {
	info, err := p.root.Lstat(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, explainDisk(err)
	case !info.Mode().IsRegular(): // a link's target must not be replaced
		return false, fmt.Errorf("%s exists and is not a regular file; remove it", filepath.Join(p.root.Name(), f.Name))
	case info.Size() != f.Size:
		return false, nil
	}
	p.report(Event{State: Checking, File: f.Name, Size: f.Size})
	file, err := p.root.Open(f.Name)
	if err != nil {
		return false, explainDisk(err)
	}
	defer file.Close()
	sum := newDigest(*f)
	if _, err := sum.read(ctx, file); err != nil {
		return false, err
	}
	if sum.verify(f) != nil {
		return false, nil // download it instead
	}
	p.report(Event{State: UpToDate, File: f.Name, Bytes: f.Size, Size: f.Size})
	return true, remove(p.root, f.Name+partSuffix) // a killed pull may have left one
}

// install renames the downloaded files and writes the manifest. While files are renamed
// the directory has no manifest.
func (p *pull) install(files []File, fetched []string) (Manifest, error) {
	m := Manifest{
		Format: manifestFormat, Hub: p.hub.base.String(), Repository: p.model.Repository,
		Revision: p.model.Revision, Commit: p.commit, Files: files, Pulled: time.Now().UTC().Truncate(time.Second),
	}
	if old, err := ReadManifest(p.root.Name()); err == nil && len(fetched) == 0 && old.same(m) {
		return old, nil
	}
	if len(fetched) > 0 {
		if err := remove(p.root, manifestName); err != nil {
			return m, err
		}
	}
	for _, name := range fetched {
		if err := p.root.Rename(name+partSuffix, name); err != nil {
			return m, explainDisk(err)
		}
		p.report(Event{State: Installed, File: name})
	}
	return m, m.write(p.root)
}

// same reports whether two manifests are equal except for the time.
func (m Manifest) same(o Manifest) bool {
	return m.Hub == o.Hub && m.Repository == o.Repository && m.Revision == o.Revision && m.Commit == o.Commit && slices.Equal(m.Files, o.Files)
}

// report completes an event and passes it to progress.
func (p *pull) report(e Event) {
	if p.progress == nil {
		return
	}
	e.Total = p.total
	e.Done = min(p.here+e.Bytes, p.total)
	p.progress(e)
}
