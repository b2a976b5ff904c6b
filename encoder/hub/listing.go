package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// Model names the files to pull. File names use slashes, as on the hub.
type Model struct {
	Repository string   // for example sentence-transformers/all-MiniLM-L6-v2
	Revision   string   // a branch, a tag or a commit; default: main
	Files      []string // required
	Optional   []string // downloaded if present
}

// Names that the package reserves in a model's directory.
const (
	manifestName = "nsfl-model.json"
	lockName     = "nsfl-model.lock"
	partSuffix   = ".part"
)

var (
	repositories = regexp.MustCompile(`^[\w.+-]+(/[\w.+-]+)?$`)
	revisions    = regexp.MustCompile(`^[\w.+-]+(/[\w.+-]+)*$`)
)

func (m *Model) check() error {
	m.Revision = cmp.Or(m.Revision, "main")
	if !repositories.MatchString(m.Repository) || strings.Contains(m.Repository, "..") {
		return fmt.Errorf("%q is not the name of a repository; give one such as owner/model", m.Repository)
	}
	if !revisions.MatchString(m.Revision) || strings.Contains(m.Revision, "..") {
		return fmt.Errorf("%q is not the name of a revision; give a branch, a tag or a commit", m.Revision)
	}
	if len(m.Files)+len(m.Optional) == 0 {
		return errors.New("no files are named")
	}
	for _, name := range slices.Concat(m.Files, m.Optional) {
		if !filepath.IsLocal(filepath.FromSlash(name)) || name == manifestName || name == lockName || strings.HasSuffix(name, partSuffix) {
			return fmt.Errorf("%q cannot be the name of a file of a model", name)
		}
	}
	return nil
}

// File describes a file of a model.
type File struct {
	Name    string `json:"name"` // with slashes
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`             // in hexadecimal
	GitBlob string `json:"git_blob,omitempty"` // the git blob id, if the hub lists no SHA-256
}

// choose picks the requested files from those the hub has, sorted by name.
func (m *Model) choose(have map[string]File) ([]File, error) {
	chosen := map[string]File{}
	for i, name := range slices.Concat(m.Files, m.Optional) {
		f, ok := have[name]
		switch {
		case ok && f.SHA256 == "" && f.GitBlob == "":
			return nil, fmt.Errorf("the hub gives no size or no hash for %s, so it cannot be verified; use another hub", name)
		case ok:
			chosen[name] = f
		case i < len(m.Files):
			return nil, fmt.Errorf("%s has no file %s at revision %s", m.Repository, name, m.Revision)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s has none of the optional files at revision %s", m.Repository, m.Revision)
	}
	return slices.SortedFunc(maps.Values(chosen), func(a, b File) int { return strings.Compare(a.Name, b.Name) }), nil
}

// maxListing is far above the size of a listing of 100,000 files.
const maxListing = 64 << 20

// list returns the commit of a revision and the files in it.
func (h *hub) list(ctx context.Context, m Model) (commit string, files map[string]File, err error) {
	u := h.base.JoinPath("api/models", m.Repository, "revision", url.PathEscape(m.Revision))
	u.RawQuery = "blobs=true" // include sizes and hashes
	err = h.get(ctx, u, 0, func(answer *http.Response) error {
		content, err := io.ReadAll(io.LimitReader(answer.Body, maxListing+1))
		if err != nil {
			return err
		}
		if len(content) > maxListing {
			return fmt.Errorf("reading the hub's list of files: it is longer than %d bytes", maxListing)
		}
		if commit, files, err = parseListing(content); err != nil {
			return fmt.Errorf("reading the hub's list of files, which begins with %s: %w", webclient.Excerpt(content, h.scrub), err)
		}
		return nil
	})
	return commit, files, err
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
