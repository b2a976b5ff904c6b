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

// keyring are the keys that are accepted: those of the settings, and those of a file
// that may change while the server runs.
type keyring struct {
	file  string
	fixed []Key
	log   *slog.Logger
	now   func() time.Time
	told  func(error) // when they are read again

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

// isNeeded reports whether there are keys at all. A list that has become empty lets in
// nobody.
func (k *keyring) isNeeded() bool { return k.file != "" || len(k.fixed) > 0 }

// read reads the file. Where it is broken, the keys stay those that they were.
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
		k.log.Warn("the file of keys can be read by everyone on this machine, or written by others; chmod 600 makes it its owner's alone", "file", k.file, "mode", info.Mode().Perm().String())
	}
	return nil
}

// reload reads the file again, and says what came of it.
func (k *keyring) reload() error {
	if k.file == "" {
		return nil
	}
	before := len(*k.keys.Load())
	err := k.read()
	k.told(err)
	if err != nil {
		k.log.Error("THE NEW KEYS CANNOT BE READ: those from before stay in force, revoked ones too; mend the file", "file", k.file, "error", err)
		return err
	}
	k.log.Info("the keys were read again", "file", k.file, "keys", len(*k.keys.Load()), "before", before)
	return nil
}

// current are the keys now.
func (k *keyring) current() []Key {
	if k.file != "" && k.changes.hasChanged(k.now()) {
		_ = k.reload() // it has said so
	}
	return *k.keys.Load()
}

// find is the key of a secret.
func (k *keyring) find(secret string) (*Key, error) {
	key, ok := findKey(k.current(), secret)
	if !ok {
		return nil, newProblem("unauthorized", "the key is not known to this server")
	}
	return key, k.check(key)
}

// again is a key that was found before, as it is now.
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
