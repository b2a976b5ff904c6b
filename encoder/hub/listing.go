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

// maxListing is far above the size of a listing of 100,000 files.
const maxListing = 64 << 20

// File describes a file of a model.
type File struct {
	Name    string `json:"name"` // with slashes
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`             // in hexadecimal
	GitBlob string `json:"git_blob,omitempty"` // the git blob id, if the hub lists no SHA-256
}

// list returns the commit of a revision and the files in it.
func (h *hub) list(ctx context.Context, m Model) (commit string, files map[string]File, err error) {
	u := h.base.JoinPath("api/models", m.Repository, "revision", url.PathEscape(m.Revision))
	u.RawQuery = "blobs=true" // include sizes and hashes
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

// parseListing parses the hub's description of a repository. A file listed without size or
// hash gets no hash.
func parseListing(content []byte) (commit string, files map[string]File, err error) {
	var listing struct {
		SHA      string `json:"sha"`
		Siblings []struct {
			Name   string `json:"rfilename"`
			Size   *int64 `json:"size"`
			BlobID string `json:"blobId"` // of the pointer if lfs is present
			LFS    *struct {
				SHA256 string `json:"sha256"`
				OID    string `json:"oid"` // some hubs use this name
				Size   *int64 `json:"size"`
			} `json:"lfs"`
		} `json:"siblings"`
	}
	if err := json.Unmarshal(content, &listing); err != nil {
		return "", nil, fmt.Errorf("it does not describe a repository: %w", err)
	}
	if !isHex(listing.SHA, 40) {
		return "", nil, errors.New("it does not say which commit it describes")
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

// address returns the URL of a file.
func (h *hub) address(m Model, commit, name string) *url.URL {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return h.base.JoinPath(m.Repository, "resolve", commit).JoinPath(parts...)
}
