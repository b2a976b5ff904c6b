package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/nsfl-go/nsfl/internal/webclient"
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
func (h *hub) list(ctx context.Context, m Model) (commit string, files map[string]File, err error) {
	u := h.base.JoinPath("api/models", m.Repository, "revision", url.PathEscape(m.Revision))
	u.RawQuery = "blobs=true" // with sizes and hashes
	a, err := h.ask(ctx, u, nil)
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
		return "", nil, fmt.Errorf("reading the hub's list of files, which begins with %s: %w", webclient.Excerpt(content, h.scrub), err)
	}
	return commit, files, nil
}

// parseListing reads the hub's description of a repository. A file of which it does
// not tell size and hash has no hash.
func parseListing(content []byte) (commit string, files map[string]File, err error) {
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
		return "", nil, fmt.Errorf("it does not describe a repository: %w", err)
	}
	if !isHex(listing.SHA, 40) {
		return "", nil, errors.New("it does not say which commit it is of")
	}
	files = make(map[string]File, len(listing.Siblings))
	for _, s := range listing.Siblings {
		f := File{Name: s.Name}
		size, hash := s.Size, s.BlobID
		if s.LFS != nil {
			size, hash = s.LFS.Size, cmp.Or(s.LFS.SHA256, strings.TrimPrefix(s.LFS.OID, "sha256:"))
		}
		hash = strings.ToLower(hash)
		switch {
		case size == nil || *size < 0:
		case isHex(hash, 64):
			f.Size, f.SHA256 = *size, hash
		case isHex(hash, 40):
			f.Size, f.GitBlob = *size, hash
		}
		files[f.Name] = f
	}
	return listing.SHA, files, nil
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
