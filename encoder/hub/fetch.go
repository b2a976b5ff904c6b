package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// fetch completes the part of a file and verifies it.
func (p *pull) fetch(ctx context.Context, f *File) error {
	t, err := openPart(ctx, p.root, *f)
	if err != nil {
		return err
	}
	if t.size > 0 {
		p.report(Event{State: Resuming, File: f.Name, Bytes: t.size, Size: f.Size})
	}
	renewed := false
	for {
		err := p.hub.pace.Insist(ctx, func(err error, pause time.Duration) {
			p.report(Event{State: Retrying, File: f.Name, Bytes: t.size, Size: f.Size, Err: err, Pause: pause})
		}, func() (bool, error) {
			best := t.best
			err := p.receive(ctx, t)
			return t.best > best, err
		})
		if err != nil {
			return errors.Join(err, t.keep())
		}
		err = t.sum.verify(f)
		if err == nil {
			break
		}
		if !t.spliced || renewed {
			return errors.Join(fmt.Errorf("the download is not the listed file and was removed: %w", err), t.discard())
		}
		// The part may join two different contents, or a system crash may have left gaps:
		// download the file once more from its beginning.
		renewed, t.best = true, 0
		if err := p.restart(t, fmt.Errorf("the existing part is damaged: %w", err)); err != nil {
			return errors.Join(err, t.keep())
		}
	}
	if err := t.keep(); err != nil {
		return err
	}
	p.report(Event{State: Verified, File: f.Name, Bytes: f.Size, Size: f.Size})
	return nil
}

func (p *pull) restart(t *part, why error) error {
	err := t.empty()
	p.report(Event{State: Restarting, File: t.want.Name, Size: t.want.Size, Err: why})
	return err
}

// restartLater discards a part, so that the next attempt starts from the beginning.
func (p *pull) restartLater(t *part, why error) error {
	if err := p.restart(t, why); err != nil {
		return err
	}
	return webclient.Passing(why)
}

// receive requests the missing bytes of a part and appends them.
func (p *pull) receive(ctx context.Context, t *part) error {
	if t.size == t.want.Size {
		return nil
	}
	header := http.Header{"Accept-Encoding": {"identity"}}
	if t.size > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", t.size))
	}
	a, err := p.hub.ask(ctx, p.hub.address(p.model, p.commit, t.want.Name), header)
	if status := (*StatusError)(nil); errors.As(err, &status) && status.Code == http.StatusRequestedRangeNotSatisfiable && t.size > 0 {
		return p.restartLater(t, err)
	}
	if err != nil {
		return err
	}
	defer a.close()
	if err := p.join(a, t); err != nil {
		return err
	}
	buffer := make([]byte, chunk)
	for t.size < t.want.Size {
		n, err := a.Read(buffer[:min(chunk, t.want.Size-t.size)])
		if n > 0 {
			p.received += int64(n)
			if err := t.write(buffer[:n]); err != nil {
				return err
			}
			p.report(Event{State: Fetching, File: t.want.Name, Bytes: t.size, Size: t.want.Size})
		}
		if err == io.EOF && t.size < t.want.Size { //nolint:errorlint // io.Reader returns this very value
			return broken(fmt.Errorf("it ended after %d of %d bytes", t.size, t.want.Size))
		}
		if err != nil && err != io.EOF { //nolint:errorlint // as above
			return err
		}
	}
	return nil
}

// join prepares a part for appending the body of a response.
func (p *pull) join(a *answer, t *part) error {
	if coding := a.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return fmt.Errorf("%s sent it compressed (%s), which was not requested", a.Request.URL.Host, webclient.Line(coding, 20))
	}
	if a.StatusCode == http.StatusPartialContent {
		if t.size == 0 || !strings.HasPrefix(a.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", t.size)) {
			return p.restartLater(t, errors.New("the server sent a different range than requested"))
		}
		t.spliced = true
		return nil
	}
	if a.ContentLength >= 0 && a.ContentLength != t.want.Size {
		return fmt.Errorf("%s offers %d bytes, but the hub lists %d; pull again, and if that does not help the hub is at fault",
			a.Request.URL.Host, a.ContentLength, t.want.Size)
	}
	if t.size > 0 {
		return p.restart(t, errors.New("the server sent it from its beginning"))
	}
	return nil
}
