package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// maxListing is far above what a hub says about a repository of 100,000 files.
const maxListing = 64 << 20

// File is a file of a model.
type File struct {
	Name    string `json:"name"` // with slashes
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`             // in hexadecimal digits
	GitBlob string `json:"git_blob,omitempty"` // the id of the git blob, where the hub has told that and no SHA-256
}

// list asks the hub which commit a revision is, and what files that has.
func (h *hub) list(ctx context.Context, m Model) (commit string, files []File, err error) {
	u := h.base.JoinPath("api/models", m.Repository, "revision", url.PathEscape(m.Revision))
	u.RawQuery = "blobs=true" // with sizes and hashes
	a, err := h.ask(ctx, http.MethodGet, u, nil)
	if err != nil {
		return "", nil, err
	}
	defer a.close()
	content, err := io.ReadAll(io.LimitReader(a, maxListing+1))
	if err != nil {
		return "", nil, err
	}
	if len(content) > maxListing {
		return "", nil, fmt.Errorf("reading the hub's list of files: it is longer than %d bytes", maxListing)
	}
	commit, files, err = parseListing(content)
	if err != nil {
		begin := line(h.scrub(string(content[:min(len(content), 1024)])), 80)
		return "", nil, fmt.Errorf("reading the hub's list of files, which begins with %q: %w", begin, err)
	}
	return commit, files, nil
}

// maxTotal is more than any disk has, and the sum of two does not overflow.
const maxTotal = 1 << 50

// total is the size of all files together.
func total(files []File) (int64, error) {
	var sum int64
	for _, f := range files {
		if sum += min(f.Size, maxTotal); sum >= maxTotal {
			return 0, fmt.Errorf("the hub says that %s has %d bytes, more than any disk holds", f.Name, f.Size)
		}
	}
	return sum, nil
}

// unknown is the size of a file of which the hub's list does not tell it.
const unknown = -1

// parseListing reads the hub's description of a repository. Of a file for which
// it has no hash the hashes stay empty.
func parseListing(content []byte) (commit string, files []File, err error) {
	var listing struct {
		SHA      string `json:"sha"`
		Siblings []struct {
			Name   string `json:"rfilename"`
			Size   *int64 `json:"size"`
			BlobID string `json:"blobId"` // of a pointer, where there is lfs
			LFS    *struct {
				SHA256 string `json:"sha256"`
				OID    string `json:"oid"` // what some hubs call it
				Size   *int64 `json:"size"`
			} `json:"lfs"`
		} `json:"siblings"`
	}
	if err := json.Unmarshal(content, &listing); err != nil {
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			return "", nil, fmt.Errorf("it is not JSON: %w at byte %d", err, syntax.Offset)
		}
		return "", nil, fmt.Errorf("it does not describe a repository: %w", err)
	}
	if !isHex(listing.SHA, 40) {
		return "", nil, errors.New("it does not say which commit it is of")
	}
	files = make([]File, len(listing.Siblings))
	for i, s := range listing.Siblings {
		f := File{Name: s.Name, Size: unknown}
		size, hash := s.Size, s.BlobID
		if s.LFS != nil {
			size, hash = s.LFS.Size, s.LFS.SHA256
			if hash == "" {
				hash = strings.TrimPrefix(s.LFS.OID, "sha256:")
			}
		}
		if size != nil {
			f.Size = *size
		}
		if f.Size < 0 && size != nil {
			return "", nil, fmt.Errorf("file %q has the size %d", s.Name, f.Size)
		}
		if err := f.setHash(hash); err != nil && hash != "" {
			return "", nil, fmt.Errorf("file %q: %w", s.Name, err)
		}
		files[i] = f
	}
	return listing.SHA, files, nil
}

// setHash takes a hash for what its length says that it is.
func (f *File) setHash(hash string) error {
	hash = strings.ToLower(hash)
	switch {
	case isHex(hash, 64):
		f.SHA256 = hash
	case isHex(hash, 40):
		f.GitBlob = hash
	default:
		return fmt.Errorf("%q is neither a SHA-256 nor the id of a git blob", line(hash, 80))
	}
	return nil
}

func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

// address is where the hub has a file.
func (h *hub) address(m Model, commit, name string) *url.URL {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return h.base.JoinPath(m.Repository, "resolve", commit).JoinPath(parts...)
}

// describe completes what the list has said about a file, for hubs whose lists
// have names only, by the headers that come with the file.
func (h *hub) describe(ctx context.Context, m Model, commit string, f *File) error {
	a, err := h.ask(ctx, http.MethodHead, h.address(m, commit, f.Name), http.Header{"Accept-Encoding": {"identity"}})
	if err != nil {
		return err
	}
	defer a.close()
	tag := a.Header.Get("X-Linked-Etag")
	if tag == "" {
		tag = a.Header.Get("Etag")
	}
	if f.SHA256 == "" && f.GitBlob == "" {
		if err := f.setHash(strings.Trim(strings.TrimPrefix(tag, "W/"), `"`)); err != nil {
			return errors.New("the hub gives no hash for it, and what cannot be verified is not installed; choose another hub")
		}
	}
	size := a.ContentLength
	if linked := a.Header.Get("X-Linked-Size"); linked != "" {
		if size, err = strconv.ParseInt(linked, 10, 64); err != nil {
			size = unknown
		}
	} else if a.StatusCode != http.StatusOK {
		size = unknown // it is that of the redirect
	}
	if f.Size == unknown {
		f.Size = size
	}
	if f.Size < 0 {
		return errors.New("the hub does not tell its size, without which it cannot be verified; choose another hub")
	}
	return nil
}
