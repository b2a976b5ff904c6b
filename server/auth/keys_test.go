package auth

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// newKeys returns a key of each role, and their secrets by role.
func newKeys(t *testing.T) (keys []Key, secrets map[Role]string) {
	t.Helper()
	secrets = map[Role]string{}
	for role := Read; role <= Admin; role++ {
		secret, key, err := NewKey(role, "for tests")
		if err != nil {
			t.Fatal(err)
		}
		keys, secrets[role] = append(keys, key), secret
	}
	return keys, secrets
}

func TestKeys(t *testing.T) {
	all, secrets := newKeys(t)
	list := "# a comment\n\n"
	for _, k := range all {
		list += k.String() + "\n"
	}
	keys, err := ReadKeys(strings.NewReader(list))
	if err != nil || len(keys) != 3 {
		t.Fatal(keys, err)
	}
	for role := Read; role <= Admin; role++ {
		k, ok := findKey(keys, secrets[role])
		if !ok || k.Role != role || k.Note != "for tests" || strings.Contains(list, secrets[role][14:]) {
			t.Errorf("%s: %v, %t", role, k, ok)
		}
	}
	if _, _, err := NewKey(Anyone, ""); err == nil {
		t.Error("a key for anyone")
	}
	if _, _, err := NewKey(Read, "a\nb"); err == nil {
		t.Error("a note of two lines")
	}
	for _, bad := range []string{"x", "12345678 read", "12345678 king " + strings.Repeat("0", 64), "12345678 read 00", "1 read " + strings.Repeat("0", 64), secrets[Read]} {
		if _, err := ReadKeys(strings.NewReader(bad)); err == nil || strings.Contains(err.Error(), secrets[Read][14:]) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCheckListen(t *testing.T) {
	for _, c := range []struct {
		addr           string
		keys, insecure bool
		refused        bool
	}{
		{"127.0.0.1:7700", false, false, false},
		{"localhost:7700", false, false, false},
		{"[::1]:0", false, false, false},
		{"127.9.9.9:1", false, false, false},
		{"[::ffff:127.0.0.1]:1", false, false, false},
		{"0.0.0.0:7700", false, false, true},
		{":7700", false, false, true},
		{"[::]:7700", false, false, true},
		{"192.168.0.1:7700", false, false, true},
		{"localhost.example:7700", false, false, true},
		{"0.0.0.0:7700", true, false, false},
		{"0.0.0.0:7700", false, true, false},
		{"7700", true, true, true},
	} {
		if err := CheckListen(c.addr, c.keys, c.insecure); (err != nil) != c.refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestKeyAttributes(t *testing.T) {
	digest := strings.Repeat("0", 64)
	for line, want := range map[string]string{
		"expires=2027-01-31T00:00:00Z collection=a collection=b for x=y": "2027-01-31T00:00:00Z [a b] for x=y",
		"team=search, for the shop":                                      "0001-01-01T00:00:00Z [] team=search, for the shop", // as it always was
		"collection=a":                                                   "0001-01-01T00:00:00Z [a] ",
		"expires=2027-01-31":                                             "error",
		"expire=2027-01-31T00:00:00Z":                                    "error",
		"Expires=2027-01-31T00:00:00Z":                                   "error",
		"collections=a,b":                                                "error",
		"collection=A":                                                   "error",
		"collection=":                                                    "error",
		"expires=2027-01-31T00:00:00Z expires=2028-01-31T00:00:00Z": "error",
	} {
		keys, err := ReadKeys(strings.NewReader("12345678 read " + digest + " " + line))
		got := "error"
		if err == nil {
			got = fmt.Sprintf("%s %v %s", keys[0].Expires.Format(time.RFC3339), keys[0].Collections, keys[0].Note)
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%v)", line, got, want, err)
		}
	}
	if _, _, err := NewKey(Read, "expires=never"); err == nil {
		t.Error("a note that is none")
	}
}

func TestAddKey(t *testing.T) {
	keys, _ := newKeys(t)
	file := filepath.Join(t.TempDir(), "keys")
	if err := AddKey(file, keys[0]); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the new file: %v, %v", info.Mode(), err)
	}
	content := []byte(fmt.Sprintf("# a comment\n%s\n%s", keys[0], keys[1])) // the last line has no newline
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := AddKey(file, keys[1]); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a key that is there: %v", err)
	}
	after, err := os.ReadFile(file)
	if err != nil || string(after) != string(content) {
		t.Errorf("what failed has changed the file: %s, %v", after, err)
	}
	var all sync.WaitGroup
	added := make(chan Key, 20)
	for range cap(added) { // at once, none is lost
		all.Go(func() {
			_, key, err := NewKey(Read, "")
			if err == nil {
				err = AddKey(file, key)
			}
			if err != nil {
				t.Error(err)
				return
			}
			added <- key
		})
	}
	all.Wait()
	ring, err := NewKeyring(file, nil, slog.New(slog.DiscardHandler))
	if err != nil || len(ring.Keys()) != 2+len(added) {
		t.Errorf("%d keys of %d: %v", len(ring.Keys()), 2+len(added), err)
	}
}
