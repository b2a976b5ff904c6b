package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/lockfile"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

// State is the step a pull is at.
type State int

// The states, in their usual order. Retrying may occur with any request, even before
// Listed.
const (
	Listed    State = iota // the files are known; Total is set from now on
	UpToDate               // the existing file is right and will not be downloaded
	Resuming               // resuming a file from an earlier pull
	Fetching               // bytes of a file have arrived
	Retrying               // retrying after Pause because of Err
	Verified               // a file is complete and verified
	Installed              // a file has its final name
)

// Event reports the progress of a pull.
type Event struct {
	State       State
	File        string // empty if the event is not about one file
	Bytes       int64  // bytes of the file present
	Done, Total int64  // bytes of all files present, and their size
	Err         error
	Pause       time.Duration
}

// Result is the outcome of a pull.
type Result struct {
	Manifest Manifest
	Fetched  []string // names of the downloaded files
	Bytes    int64    // downloaded by this pull
}

// pull is a pull in progress.
type pull struct {
	*hub
	model    Model
	commit   string
	root     *os.Root
	progress func(Event)
	here     int64 // bytes of the complete files
	total    int64
	received int64
}

// Pull downloads the files of a model into dir, creating it if necessary, from the hub at an
// address; empty for $HF_ENDPOINT or Hugging Face. It fails if another pull into the same
// directory is running. If progress is not nil, it is called often, but never concurrently.
func Pull(ctx context.Context, address string, m Model, dir string, progress func(Event)) (Result, error) {
	h, err := open(address)
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
		return Result{}, err
	}
	if p.root, err = os.OpenRoot(dir); err != nil {
		return Result{}, err
	}
	defer p.root.Close() //nolint:errcheck // it writes nothing
	lock, err := p.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return Result{}, err
	}
	defer lock.Close()
	if err := lockfile.Take(lock); errors.Is(err, lockfile.ErrTaken) {
		return Result{}, fmt.Errorf("another pull into %s is running; wait for it to end", dir)
	} else if err != nil {
		return Result{}, fmt.Errorf("locking %s: %w", dir, err)
	}
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
	err := p.pace.Insist(ctx, retrying, func() (further bool, err error) {
		p.commit, have, err = p.list(ctx, p.model)
		return false, err
	})
	if err != nil {
		return nil, fmt.Errorf("asking %s for the files of revision %s: %w", p.base, p.model.Revision, err)
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

// current reports whether a file exists as listed on the hub.
func (p *pull) current(ctx context.Context, f *File) (bool, error) {
	info, err := p.root.Lstat(f.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular(): // a link's target must not be replaced
		return false, fmt.Errorf("%s exists and is not a regular file; remove it", filepath.Join(p.root.Name(), f.Name))
	case info.Size() != f.Size:
		return false, nil
	}
	file, err := p.root.Open(f.Name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	sum := newDigest(*f)
	if err := copyAll(ctx, sum, file, nil); err != nil {
		return false, err
	}
	if sum.verify(f) != nil {
		return false, nil // download it instead
	}
	p.report(Event{State: UpToDate, File: f.Name, Bytes: f.Size})
	return true, remove(p.root, f.Name+partSuffix) // a killed pull may have left one
}

// fetch completes the part of a file and verifies it.
func (p *pull) fetch(ctx context.Context, f *File) error {
	t, err := openPart(ctx, p.root, *f)
	if err != nil {
		return err
	}
	if t.size > 0 {
		p.report(Event{State: Resuming, File: f.Name, Bytes: t.size})
	}
	most := t.size
	err = p.pace.Insist(ctx, func(err error, pause time.Duration) {
		p.report(Event{State: Retrying, File: f.Name, Bytes: t.size, Err: err, Pause: pause})
	}, func() (bool, error) {
		before := most
		err := p.receive(ctx, t)
		most = max(most, t.size)
		return most > before, err
	})
	if err == nil {
		if err = t.sum.verify(f); err != nil {
			// The part may join pieces of two different contents.
			err = errors.Join(fmt.Errorf("the download is not the listed file and was removed; pull again: %w", err), t.empty())
		}
	}
	if err := errors.Join(err, t.keep()); err != nil {
		return err
	}
	p.report(Event{State: Verified, File: f.Name, Bytes: f.Size})
	return nil
}

// receive requests the missing bytes of a part and appends them.
func (p *pull) receive(ctx context.Context, t *part) error {
	if t.size == t.want.Size {
		return nil
	}
	err := p.get(ctx, p.address(p.model, p.commit, t.want.Name), t.size, func(answer *http.Response) error {
		if answer.StatusCode == http.StatusPartialContent {
			if t.size == 0 || !strings.HasPrefix(answer.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", t.size)) {
				return errors.Join(webclient.Passing(errors.New("the server sent a different range than requested")), t.empty())
			}
		} else if answer.ContentLength >= 0 && answer.ContentLength != t.want.Size {
			return fmt.Errorf("%s offers %d bytes, but the hub lists %d; pull again, and if that does not help the hub is at fault",
				answer.Request.URL.Host, answer.ContentLength, t.want.Size)
		} else if err := t.empty(); err != nil {
			return err
		}
		err := copyAll(ctx, t, io.LimitReader(answer.Body, t.want.Size-t.size), func(n int) {
			p.received += int64(n)
			p.report(Event{State: Fetching, File: t.want.Name, Bytes: t.size})
		})
		if err == nil && t.size < t.want.Size {
			err = webclient.Lost("the connection failed", fmt.Errorf("it ended after %d of %d bytes", t.size, t.want.Size))
		}
		return err
	})
	if status := (*StatusError)(nil); errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable && t.size > 0 {
		return errors.Join(webclient.Passing(err), t.empty())
	}
	return err
}

// install renames the downloaded files and writes the manifest. While files are renamed
// the directory has no manifest.
func (p *pull) install(files []File, fetched []string) (Manifest, error) {
	m := Manifest{
		Format: manifestFormat, Hub: p.base.String(), Repository: p.model.Repository,
		Revision: p.model.Revision, Commit: p.commit, Files: files, Pulled: time.Now().UTC().Truncate(time.Second),
	}
	if len(fetched) > 0 {
		if err := remove(p.root, manifestName); err != nil {
			return m, err
		}
	}
	for _, name := range fetched {
		if err := p.root.Rename(name+partSuffix, name); err != nil {
			return m, err
		}
		p.report(Event{State: Installed, File: name})
	}
	return m, m.write(p.root)
}

// report completes an event and passes it to progress.
func (p *pull) report(e Event) {
	if p.progress != nil {
		e.Total, e.Done = p.total, min(p.here+e.Bytes, p.total)
		p.progress(e)
	}
}
