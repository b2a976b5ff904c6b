package server

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// keyring holds the accepted keys: those in the settings and those in a file, which may change
// while the server runs.
type keyring struct {
	file  string
	fixed []Key
	log   *slog.Logger
	now   func() time.Time
	told  func(error) // called after each reload

	changes fileChanges
	keys    atomic.Pointer[[]Key]
}

func newKeyring(file string, fixed []Key, log *slog.Logger) (*keyring, error) {
	k := &keyring{file: file, fixed: fixed, log: log, now: time.Now, told: func(error) {}, changes: fileChanges{files: []string{file}}}
	k.keys.Store(&fixed)
	if file == "" {
		return k, nil
	}
	k.changes.hasChanged(k.now())
	return k, k.read()
}

// isNeeded reports whether requests need a key. If the key file becomes empty, nobody has
// access.
func (k *keyring) isNeeded() bool { return k.file != "" || len(k.fixed) > 0 }

// read reads the file. If it is invalid, the current keys stay in force.
func (k *keyring) read() error {
	content, err := os.ReadFile(k.file)
	if err != nil {
		return fmt.Errorf("reading keys: %w", err)
	}
	var all strings.Builder
	all.Write(content)
	for _, key := range k.fixed {
		all.WriteString("\n" + key.String())
	}
	keys, err := ReadKeys(strings.NewReader(all.String()))
	if err != nil {
		return err
	}
	k.keys.Store(&keys)
	if info, err := os.Stat(k.file); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o027 != 0 {
		k.log.Warn("the key file can be read by everyone on this machine, or written by others; restrict it with chmod 600", "file", k.file, "mode", info.Mode().Perm().String())
	}
	return nil
}

// reload reads the file again and logs the result.
func (k *keyring) reload() error {
	if k.file == "" {
		return nil
	}
	before := len(*k.keys.Load())
	err := k.read()
	k.told(err)
	if err != nil {
		k.log.Error("THE NEW KEYS CANNOT BE READ: the old ones stay valid, including revoked ones; correct the file", "file", k.file, "error", err)
		return err
	}
	k.log.Info("the keys were reloaded", "file", k.file, "keys", len(*k.keys.Load()), "before", before)
	return nil
}

// current returns the current keys.
func (k *keyring) current() []Key {
	if k.file != "" && k.changes.hasChanged(k.now()) {
		_ = k.reload() // logged by reload
	}
	return *k.keys.Load()
}

// find returns the key with this secret.
func (k *keyring) find(secret string) (*Key, error) {
	key, ok := findKey(k.current(), secret)
	if !ok {
		return nil, newProblem("unauthorized", "the key is not known to this server")
	}
	return key, k.check(key)
}

// again returns the current version of a key that was found before.
func (k *keyring) again(old *Key) (*Key, error) {
	keys := k.current()
	i := slices.IndexFunc(keys, func(key Key) bool { return key.ID == old.ID && key.Digest == old.Digest })
	if i < 0 {
		return nil, newProblem("unauthorized", "the key has been revoked")
	}
	return &keys[i], k.check(&keys[i])
}

func (k *keyring) check(key *Key) error {
	if key.isExpired(k.now()) {
		return newProblem("unauthorized", "the key has expired, at %s; ask for a new one", key.Expires.UTC().Format(time.RFC3339))
	}
	return nil
}
