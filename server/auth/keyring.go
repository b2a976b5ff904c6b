package auth

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Keyring holds the accepted keys: those in the settings and those in a file, which may change
// while the server runs.
type Keyring struct {
	file  string
	fixed []Key
	log   *slog.Logger
	// Now is the clock, for tests.
	Now func() time.Time
	// Reloaded is called after each reload.
	Reloaded func(error)

	changes fileChanges
	keys    atomic.Pointer[[]Key]
}

// NewKeyring returns the keys of a file, unless its name is empty, and fixed ones.
func NewKeyring(file string, fixed []Key, log *slog.Logger) (*Keyring, error) {
	k := &Keyring{file: file, fixed: fixed, log: log, Now: time.Now, Reloaded: func(error) {}, changes: fileChanges{files: []string{file}}}
	k.keys.Store(&fixed)
	if file == "" {
		return k, nil
	}
	k.changes.hasChanged(k.Now())
	return k, k.read()
}

// IsNeeded reports whether requests need a key. If the key file becomes empty, nobody has
// access.
func (k *Keyring) IsNeeded() bool { return k.file != "" || len(k.fixed) > 0 }

// read reads the file. If it is invalid, the current keys stay in force.
func (k *Keyring) read() error {
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

// Reload reads the file again and logs the result.
func (k *Keyring) Reload() error {
	if k.file == "" {
		return nil
	}
	before := len(*k.keys.Load())
	err := k.read()
	k.Reloaded(err)
	if err != nil {
		k.log.Error("THE NEW KEYS CANNOT BE READ: the old ones stay valid, including revoked ones; correct the file", "file", k.file, "error", err)
		return err
	}
	k.log.Info("the keys were reloaded", "file", k.file, "keys", len(*k.keys.Load()), "before", before)
	return nil
}

// Keys returns the current keys.
func (k *Keyring) Keys() []Key {
	if k.file != "" && k.changes.hasChanged(k.Now()) {
		_ = k.Reload() // logged by Reload
	}
	return *k.keys.Load()
}

// Find returns the key with this secret.
func (k *Keyring) Find(secret string) (*Key, error) {
	key, ok := findKey(k.Keys(), secret)
	if !ok {
		return nil, unauthorized("the key is not known to this server")
	}
	return key, k.check(key)
}

// Again returns the current version of a key that was found before.
func (k *Keyring) Again(old *Key) (*Key, error) {
	keys := k.Keys()
	i := slices.IndexFunc(keys, func(key Key) bool { return key.ID == old.ID && key.Digest == old.Digest })
	if i < 0 {
		return nil, unauthorized("the key has been revoked")
	}
	return &keys[i], k.check(&keys[i])
}

func (k *Keyring) check(key *Key) error {
	if key.isExpired(k.Now()) {
		return unauthorized("the key has expired, at %s; ask for a new one", key.Expires.UTC().Format(time.RFC3339))
	}
	return nil
}

func unauthorized(format string, args ...any) error {
	return &workspace.Error{Kind: "unauthorized", Message: fmt.Sprintf(format, args...)}
}
