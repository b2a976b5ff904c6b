package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// fileTypes are the media types of files that are sent.
const fileTypes = "application/octet-stream,application/pdf,image/jpeg,image/png,text/plain"

// openFiles opens the directory whose indexed files may be sent to clients. It returns nil if
// dir is empty.
func openFiles(dir string) (*os.Root, error) {
	if dir == "" {
		return nil, nil
	}
	path, err := filepath.Abs(dir)
	if err == nil {
		path, err = filepath.EvalSymlinks(path) // as indexed files are recorded
	}
	if err != nil {
		return nil, fmt.Errorf("opening the directory of files: %w", err)
	}
	return os.OpenRoot(path)
}

// canOpenFiles reports why the caller may not read files, or nil.
func (s *Server) canOpenFiles(x *exchange) error {
	switch holder := x.record.holder; {
	case s.files == nil:
		return newProblem("forbidden", "this server does not send files; nsfl serve --files DIR allows indexed files below DIR")
	case holder != nil && len(holder.Collections) > 0:
		return newProblem("forbidden", "a key that is limited to collections cannot read files")
	}
	return nil
}

// original sends the file that a document was indexed from.
//
// Clients with the role write can store any path and any metadata. So a file is sent only if it
// is below the directory, symbolic links included, and has the content that was indexed: nobody
// can read a file whose hash they do not know.
func (s *Server) original(x *exchange) error {
	if err := s.canOpenFiles(x); err != nil {
		return err
	}
	id := x.PathValue("id")
	d, err := x.collection.Store().Get(x.Context(), id, engine.Metadata)
	if isNotFound(err) {
		return noDocument(id)
	}
	if err != nil {
		return err
	}
	recorded, err := workspace.FingerprintOf(x.Context(), x.collection.Store(), d.Metadata)
	if errors.Is(err, workspace.ErrNoFile) {
		return newProblem("not_found", "document %q was not indexed from a file of this machine", id)
	}
	if err != nil {
		return err
	}
	name, err := filepath.Rel(s.files.Name(), recorded.Place)
	if err != nil || !filepath.IsLocal(name) {
		return newProblem("forbidden", "the file of document %q is not in the directory whose files this server sends", id)
	}
	file, err := openRegular(s.files, name)
	if err != nil {
		return newProblem("gone", "the file of document %q can no longer be read", id).because(err)
	}
	defer file.Close()
	if err := hasContent(x, file, recorded); err != nil {
		return err
	}
	x.rest() // a slow client does not hold up searches
	mediaType, disposition := "application/octet-stream", "attachment"
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".pdf", ".png", ".jpg", ".jpeg":
		mediaType, disposition = mime.TypeByExtension(ext), "inline"
	case ".html", ".htm", ".xhtml", ".xml", ".svg": // could run scripts that act for the reader
	default:
		head := make([]byte, 512)
		n, _ := file.ReadAt(head, 0) // a short file ends with an error
		if strings.HasPrefix(http.DetectContentType(head[:n]), "text/") {
			mediaType, disposition = "text/plain; charset=utf-8", "inline"
		}
	}
	h := x.w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": filepath.Base(name)}))
	h.Set("Content-Security-Policy", "frame-ancestors 'none'") // browsers show a PDF file as an object
	x.compress(func(w http.ResponseWriter, r *http.Request) { http.ServeContent(w, r, "", time.Time{}, file) })
	return nil
}

// openRegular opens a regular file of a directory. Anything else could block.
func openRegular(dir *os.Root, name string) (*os.File, error) {
	info, err := dir.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return dir.Open(name)
}

// hasContent returns nil if the file has the recorded content, and goes back to its beginning.
func hasContent(x *exchange, file *os.File, recorded ingest.Fingerprint) error {
	changed := newProblem("gone", "the file of document %q has changed since it was indexed; index it again", x.PathValue("id"))
	info, err := file.Stat()
	if err != nil || info.Size() != recorded.Size {
		return changed.because(err)
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, &interruptible{x.Context(), file}); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != strings.ToLower(recorded.SHA256) {
		return changed
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

// interruptible is a reader that fails when its context ends.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.r.Read(p)
}
