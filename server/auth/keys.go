package auth

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Role is the permission of a key. Each role includes the roles before it.
type Role uint8

const (
	Anyone Role = iota // no key needed
	Read               // search and read
	Write              // store and delete documents
	Admin              // create and delete collections
)

var roleNames = [...]string{"anyone", "read", "write", "admin"}

func (r Role) String() string { return roleNames[r] }

// ParseRole returns the role with this name. Keys cannot have the role anyone.
func ParseRole(name string) (Role, error) {
	if i := slices.Index(roleNames[:], name); i > 0 {
		return Role(i), nil
	}
	return 0, fmt.Errorf("unknown role %q: it must be read, write or admin", name)
}

// Key is the stored form of a key. It can verify the secret but does not contain it.
type Key struct {
	ID     string // public part, shown in logs and key files
	Role   Role
	Digest [sha256.Size]byte // of the whole secret
	Note   string            // who uses it
	// Expires is when the key expires; zero means never.
	Expires time.Time
	// Collections are the collections that the key may access; empty means all.
	Collections []string
}

const (
	keyPrefix = "nsfl_"
	idBytes   = 4
	keyBytes  = 32
)

var keyForm = regexp.MustCompile(fmt.Sprintf(`^%s([0-9a-f]{%d})_[0-9a-f]{%d}$`, keyPrefix, 2*idBytes, 2*keyBytes))

// NewKey returns a new secret, which is shown once, and the key to store.
func NewKey(role Role, note string) (secret string, key Key, err error) {
	if role < Read || role > Admin {
		return "", key, fmt.Errorf("creating a key: its role must be read, write or admin")
	}
	if strings.ContainsAny(note, "\r\n,") {
		return "", key, fmt.Errorf("creating a key: its note %q contains a comma or a line break, which separate keys", note)
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(note), " "); isAttribute(first) {
		return "", key, fmt.Errorf("creating a key: its note starts with %q, which would be parsed as an attribute; start with another word", first)
	}
	random := make([]byte, idBytes+keyBytes)
	rand.Read(random)
	id := hex.EncodeToString(random[:idBytes])
	secret = keyPrefix + id + "_" + hex.EncodeToString(random[idBytes:])
	return secret, Key{ID: id, Role: role, Digest: sha256.Sum256([]byte(secret)), Note: strings.TrimSpace(note)}, nil
}

// String returns the key as a line for ReadKeys. It does not contain the secret.
func (k Key) String() string {
	line := fmt.Sprintf("%s %s %x", k.ID, k.Role, k.Digest)
	if !k.Expires.IsZero() {
		line += " " + expiresWord + k.Expires.UTC().Format(time.RFC3339)
	}
	for _, name := range k.Collections {
		line += " " + collectionWord + name
	}
	return strings.TrimSpace(line + " " + k.Note)
}

// Allows reports whether the key may access a collection.
func (k *Key) Allows(name string) bool {
	return len(k.Collections) == 0 || slices.Contains(k.Collections, name)
}

func (k *Key) isExpired(now time.Time) bool { return !k.Expires.IsZero() && !now.Before(k.Expires) }

// Attributes between the SHA-256 and the note of a key. collection= may occur several times.
const (
	expiresWord    = "expires="
	collectionWord = "collection="
)

// isAttribute reports whether a word is an attribute or looks like a misspelled one. A typo
// must not create a key that never expires.
func isAttribute(word string) bool {
	name, _, ok := strings.Cut(strings.ToLower(word), "=")
	return ok && (strings.HasPrefix(name, "expir") || strings.HasPrefix(name, "collection"))
}

// readAttribute parses an attribute.
func (k *Key) readAttribute(word string) (err error) {
	if text, ok := strings.CutPrefix(word, expiresWord); ok && k.Expires.IsZero() {
		if k.Expires, err = time.Parse(time.RFC3339, text); err != nil || k.Expires.IsZero() {
			return fmt.Errorf("the expiry of a key must be a time such as %s2027-01-31T00:00:00Z", expiresWord)
		}
		return nil
	}
	name, ok := strings.CutPrefix(word, collectionWord)
	if !ok || !workspace.IsName(name) {
		return fmt.Errorf("between the sha256 and the note, %sTIME may occur once, and %sNAME for each collection of the key", expiresWord, collectionWord)
	}
	k.Collections = append(k.Collections, name)
	return nil
}

// ReadKeys reads a list of keys, one per line: id, role, SHA-256, expiry, collections and
// note. It skips empty lines and lines that start with #.
func ReadKeys(r io.Reader) ([]Key, error) {
	var keys []Key
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		k, err := parseKey(line)
		if err != nil {
			return nil, fmt.Errorf("reading keys, line %d: %w", n, err)
		}
		if slices.ContainsFunc(keys, func(other Key) bool { return other.ID == k.ID }) {
			return nil, fmt.Errorf("reading keys, line %d: the key %s occurs twice; remove one of them", n, k.ID)
		}
		keys = append(keys, k)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading keys: %w", err)
	}
	return keys, nil
}

// AddKey appends a key to a key file, and creates the file if necessary. A server may be reading
// the file meanwhile.
func AddKey(file string, k Key) error {
	line := k.String() + "\n"
	content, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("adding a key: %w", err)
	}
	if len(content) > 0 && !bytes.HasSuffix(content, []byte("\n")) {
		line = "\n" + line
	}
	if _, err := ReadKeys(bytes.NewReader(append(content, line...))); err != nil {
		return fmt.Errorf("adding a key to %s: %w", file, err) // the server would reject the file
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("adding a key: %w", err)
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Sync(), f.Close())
}

// parseKey parses a line. Its errors do not quote the line, because it may contain a secret.
func parseKey(line string) (k Key, err error) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return k, fmt.Errorf("an id, a role and a sha256 are expected; nsfl serve key prints such a line")
	}
	if len(fields[0]) != 2*idBytes {
		return k, fmt.Errorf("an id has %d characters; nsfl serve key prints such a line", 2*idBytes)
	}
	if k.Role, err = ParseRole(fields[1]); err != nil {
		return k, err
	}
	digest, err := hex.DecodeString(fields[2])
	if err != nil || len(digest) != sha256.Size {
		return k, fmt.Errorf("the sha256 does not have %d hexadecimal digits", 2*sha256.Size)
	}
	k.ID, fields = fields[0], fields[3:]
	copy(k.Digest[:], digest)
	for len(fields) > 0 && isAttribute(fields[0]) {
		if err := k.readAttribute(fields[0]); err != nil {
			return k, err
		}
		fields = fields[1:]
	}
	k.Note = strings.Join(fields, " ")
	return k, nil
}

// findKey returns the key with this secret. It compares digests in constant time.
func findKey(keys []Key, secret string) (*Key, bool) {
	match := keyForm.FindStringSubmatch(secret)
	if match == nil {
		return nil, false
	}
	digest := sha256.Sum256([]byte(secret))
	for i := range keys {
		if keys[i].ID == match[1] && subtle.ConstantTimeCompare(keys[i].Digest[:], digest[:]) == 1 {
			return &keys[i], true
		}
	}
	return nil, false
}
