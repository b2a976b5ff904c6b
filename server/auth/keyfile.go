package auth

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/durable"
	"github.com/nsfl-go/nsfl/internal/lockfile"
)

// AddKey adds a key to a key file. It creates the file if necessary.
func AddKey(file string, k Key) error {
	return editKeys(file, func(lines []string) ([]string, error) { return append(lines, k.String()), nil })
}

// RotateKey adds a key with the same role, collections and note as the key id and lets the old
// key expire after the grace period. Both work until then. A zero expires means that the new
// key never expires.
func RotateKey(file, id string, grace time.Duration, expires time.Time) (secret string, key Key, err error) {
	err = editKeys(file, func(lines []string) ([]string, error) {
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), id+" ") })
		if id == "" || at < 0 {
			return nil, fmt.Errorf("there is no key %q in it; each line starts with the id of a key", id)
		}
		old, err := parseKey(lines[at])
		if err != nil {
			return nil, err
		}
		now := time.Now()
		if old.isExpired(now) {
			return nil, fmt.Errorf("the key %s has expired; create a new one without --rotate", id)
		}
		if !old.Expires.IsZero() && expires.IsZero() {
			return nil, fmt.Errorf("the key %s expires at %s; set the expiry of the new one with --expires", id, old.Expires.Format(time.RFC3339))
		}
		if secret, key, err = NewKey(old.Role, old.Note); err != nil {
			return nil, err
		}
		key.Collections, key.Expires = old.Collections, expires
		if end := now.Add(grace).Truncate(time.Second); old.Expires.IsZero() || end.Before(old.Expires) {
			old.Expires = end
		}
		lines[at] = old.String()
		return slices.Insert(lines, at+1, key.String()), nil
	})
	return secret, key, err
}

// editKeys rewrites a key file. Readers see either the old or the new content. If two
// processes edit the file at once, one gets an error.
func editKeys(file string, edit func([]string) ([]string, error)) error {
	if err := rewriteKeys(file, edit); err != nil {
		return fmt.Errorf("changing the keys in %s: %w", file, err)
	}
	return nil
}

func rewriteKeys(file string, edit func([]string) ([]string, error)) error {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	lock, err := os.OpenFile(file+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := lockfile.Take(lock); errors.Is(err, lockfile.ErrTaken) {
		return errors.New("another process is changing them; try again")
	} else if err != nil {
		return err
	}
	mode := os.FileMode(0o600)
	content, err := os.ReadFile(file)
	info, statErr := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil || statErr != nil:
		return errors.Join(err, statErr)
	default:
		mode = info.Mode().Perm()
	}
	var lines []string
	if text := strings.TrimRight(string(content), "\r\n"); text != "" {
		lines = strings.Split(text, "\n")
	}
	if lines, err = edit(lines); err != nil {
		return err
	}
	changed := []byte(strings.Join(lines, "\n") + "\n")
	if _, err := ReadKeys(bytes.NewReader(changed)); err != nil {
		return err // the server would reject it
	}
	return replace(file, changed, mode, info)
}

// replace atomically replaces a file and keeps its owner.
func replace(file string, content []byte, mode os.FileMode, old os.FileInfo) error {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it has been renamed, or is of no use
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(mode), keepOwner(f, old), f.Sync(), f.Close()); err != nil {
		return err
	}
	return durable.Rename(f.Name(), file)
}
