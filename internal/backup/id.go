package backup

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// ID names a backup in its place: COLLECTION/TIME-RANDOM. The IDs of a collection sort by
// time.
type ID string

const timeForm = "20060102T150405.000Z"

var idForm = regexp.MustCompile(`^([^/]+)/([0-9]{8}T[0-9]{6}\.[0-9]{3}Z)-[0-9a-f]{8}$`)

func newID(collection string, now time.Time) ID {
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	return ID(url.PathEscape(collection) + "/" + now.UTC().Format(timeForm) + "-" + hex.EncodeToString(random[:]))
}

// ParseID parses and validates an id.
func ParseID(text string) (ID, error) {
	m := idForm.FindStringSubmatch(text)
	if m != nil {
		name, nameErr := url.PathUnescape(m[1])
		_, timeErr := time.Parse(timeForm, m[2])
		if nameErr == nil && timeErr == nil && url.PathEscape(name) == m[1] && strings.Trim(name, ".") != "" {
			return ID(text), nil
		}
	}
	return "", fmt.Errorf("%q is not the id of a backup, such as notes/%s-0123abcd; nsfl backup list shows them", text, timeForm)
}

// Collection returns the name of the collection that was backed up.
func (id ID) Collection() string {
	name, _, _ := strings.Cut(string(id), "/")
	name, _ = url.PathUnescape(name) // it was validated
	return name
}

// Time returns when the backup was started.
func (id ID) Time() time.Time {
	m := idForm.FindStringSubmatch(string(id))
	if m == nil {
		return time.Time{}
	}
	t, _ := time.Parse(timeForm, m[2])
	return t
}

const (
	manifestsFolder = "manifests/"
	prunedFolder    = "pruned/"
	manifestEnd     = ".json"
)

func (id ID) name(folder string) string { return folder + string(id) + manifestEnd }

// idOf extracts the id from the name of a manifest.
func idOf(folder, name string) (ID, bool) {
	text, whole := strings.CutSuffix(strings.TrimPrefix(name, folder), manifestEnd)
	id, err := ParseID(text)
	return id, whole && err == nil
}
