package hub

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names in a model's directory that are the package's own.
const (
	manifestName = "nsfl-model.json"
	lockName     = "nsfl-model.lock"
	partSuffix   = ".part"
	noteSuffix   = ".part.json"
)

// checkName tells whether a file may have a name that the hub gives it. It is as
// strict on every system as Windows needs it to be, so that a model that can be
// pulled here can be pulled everywhere.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("it is empty")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return errors.New("it has characters that cannot be shown")
	case strings.ContainsAny(name, `\:<>"|?*`):
		return errors.New(`it has one of the characters \ : < > " | ? *`)
	case path.IsAbs(name) || path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name)):
		return errors.New("it does not lie in the directory of the model")
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return errors.New("a part of it ends in a dot or a space")
		}
		if device(part) {
			return errors.New(part + " is a device of Windows")
		}
	}
	lower := strings.ToLower(name)
	if lower == manifestName || lower == lockName || strings.HasSuffix(lower, partSuffix) || strings.HasSuffix(lower, noteSuffix) {
		return errors.New("the name is kept for what a pull itself writes")
	}
	return nil
}

var devices = []string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}

// device tells whether Windows takes a name for a device, which it does with any
// extension.
func device(part string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
	stem = strings.TrimRight(stem, " ")
	if slices.Contains(devices, stem) {
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if number, ok := strings.CutPrefix(stem, port); ok && utf8.RuneCountInString(number) == 1 && strings.Contains("123456789¹²³", number) {
			return true
		}
	}
	return false
}
