package stores

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

func TestShown(t *testing.T) {
	for place, want := range map[string]string{
		"notes":          "notes",
		"/home/me/notes": "/home/me/notes",
		`C:\notes`:       `C:\notes`,
		"a b://c":        "a b://c", // no scheme has a space

		"postgres://host/db?collection=films":                                      "postgres://host/db?collection=films",
		"postgres://user:hunter2@host:5432/db?sslmode=disable&password=x":          "postgres://host:5432/db",
		"postgresql://user@[::1]:5432/db":                                          "postgresql://[::1]:5432/db",
		"POSTGRES://user:hunter2@host/db":                                          "postgres://host/db",
		"postgres:///db":                                                           "postgres:///db",
		"postgres://":                                                              "postgres://",
		"postgres://u:hunter2@a:1,b:2/db":                                          "postgres://a:1,b:2/db",
		"weaviate://a:8080,b:8080/?collection=Films&consistency=ONE":               "weaviate://a:8080,b:8080/?collection=Films",
		"chroma://h:8000/?tenant=t&database=d&collection=c%20d&token=1234":         "chroma://h:8000/?collection=c%20d&tenant=t&database=d",
		"mysql://user:hunter2@host/db":                                             "mysql://host/db",
		"postgres://u:hunter2@h/db?table=s.items&vector=v&id=k&encoder=x":          "postgres://h/db?table=s.items&id=k&vector=v",
		"elastic://u:hunter2@h:9200/?collection=c&vector=v&text=t&api_key=hunter2": "elastic://h:9200/?collection=c&vector=v&text=t",
		// Where it is not clear what belongs to a password, nothing is shown.
		"postgres://user:pass/hunter2@host/db":    "postgres://…",
		"postgres://user:12/hunter2@host/db":      "postgres://…",
		"postgres://user:12?hunter2@host/db":      "postgres://…",
		"postgres://user:hunter2":                 "postgres://…",
		"postgres://user:12#hunter2@host/db":      "postgres://host/db",
		"postgres://host/db#hunter2":              "postgres://…",
		"postgres://host/db?password=%zzhunter2":  "postgres://…",
		"postgres://user:hunter2@ho st/db":        "postgres://…",
		"postgres://user:hunter2@host:123456/db":  "postgres://…",
		"postgres://host/db?collection=a@hunter2": "postgres://…",
	} {
		if got := Shown(place); got != want {
			t.Errorf("%s is shown as %s, want %s", place, got, want)
		}
	}
}

func FuzzShown(f *testing.F) {
	for _, s := range []string{"", "@", "/", "?", "#", "%", "hunter", ":", "a@b:1/c?d=e&collection=f#g"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, user, rest string) {
		// A password is not shown, whatever stands around it.
		const secret = "hunter2hunter2"
		for _, place := range []string{"postgres://" + user + secret + "@host/db" + rest, "postgres://u:" + secret + user + "@" + rest, "chroma://host/?token=" + secret + "&" + rest} {
			if got := Shown(place); strings.Contains(got, secret) {
				t.Errorf("%s is shown as %s", place, got)
			}
		}
	})
}

func TestDirectory(t *testing.T) {
	for _, place := range []string{"notes", "./a b", `C:\notes`} {
		if got, err := Directory(place); got != place || err != nil || External(place) || Engine(place) != "embedded" {
			t.Errorf("%s: got %s, %v", place, got, err)
		}
	}
	var input *engine.InputError
	if dir, err := Directory("postgres://host/db"); !errors.As(err, &input) {
		t.Errorf("an address: got %s, %v, want an error", dir, err)
	}
	for place, want := range map[string]string{
		"a/notes": "notes", "a/notes/": "notes", "postgres://h/db?collection=films": "films", "postgres://h/db": "nsfl", "chroma://h/?%zz": "nsfl",
	} {
		if got := Name(place); got != want {
			t.Errorf("%s is named %s, want %s", place, got, want)
		}
	}
}

func TestCanonical(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.Mkdir(real, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("needs symbolic links")
	}
	for _, pair := range [][2]string{
		{real, link}, {real, real + "/../real/"},
		{"postgres://a:b@h/db?collection=c", "postgresql://h/db?sslmode=disable&collection=c"},
	} {
		if a, b := Canonical(pair[0]), Canonical(pair[1]); a != b {
			t.Errorf("%s and %s are %s and %s", pair[0], pair[1], a, b)
		}
	}
	if Canonical(real) == Canonical(dir) || Canonical("postgres://h/db?collection=a") == Canonical("postgres://h/db?collection=b") {
		t.Error("different places are one")
	}
}

func TestOpenDirectory(t *testing.T) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "notes")
	for _, o := range []engine.Options{{}, {ReadOnly: true, Dimension: 3}} {
		if c, err := Open(ctx, dir, o); !errors.Is(err, engine.ErrNotCollection) || c != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	c, err := Open(ctx, dir, engine.Options{Dimension: 3, Encoder: "e"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Encoder() != "e" {
		t.Errorf("encoder %q", c.Encoder())
	}
	c.Close()
	var mismatch *engine.MismatchError
	if _, err := Open(ctx, dir, engine.Options{Encoder: "f"}); !errors.As(err, &mismatch) {
		t.Errorf("another encoder: %v", err)
	}
	_, err = Open(ctx, "mysql://user:hunter2@host/db", engine.Options{})
	if want := "there is no store for mysql://; those known are "; err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("an unknown scheme: %v", err)
	}
	for _, e := range engines {
		if !strings.Contains(err.Error(), e.name+"://") {
			t.Errorf("%s is not among those known: %v", e.name, err)
		}
	}
}

// Whatever goes wrong, no error of any engine shows a password, be it in the
// address or in the environment.
func TestSecrets(t *testing.T) {
	const secret = "hunter2"
	for _, name := range []string{"PGPASSWORD", "WEAVIATE_API_KEY", "CHROMA_TOKEN", "CHROMA_AUTHORIZATION", "MILVUS_TOKEN", "ELASTIC_PASSWORD", "ELASTIC_API_KEY"} {
		t.Setenv(name, secret)
	}
	garbage := testserver.Answering(t, "HTTP/1.1 418 hunter\r\nContent-Length: 2\r\n\r\n{}")
	var all sync.WaitGroup
	for scheme := range engines {
		for _, address := range []string{
			scheme + "://127.0.0.1:1/", scheme + "://user:" + secret + "@127.0.0.1:1/", scheme + "://127.0.0.1:1/?token=" + secret,
			scheme + "://" + garbage + "/", scheme + "://user:" + secret + "@" + garbage + "/?collection=films", scheme + "://user:pass/" + secret + "@host/",
			scheme + "://127.0.0.1:1/?collection=" + "%zz" + secret, scheme + "://127.0.0.1:" + secret + "/",
		} {
			all.Go(func() { // most of them wait for an answer
				c, err := Open(context.Background(), address, engine.Options{Dimension: 3, Timeout: 2 * time.Second})
				if err == nil {
					t.Errorf("%s was opened, %v", address, c.Close())
				}
				for e := err; e != nil; e = errors.Unwrap(e) {
					if strings.Contains(fmt.Sprintf("%v %+v", e, e), secret) {
						t.Errorf("%s: the error shows the password: %v", address, e)
					}
				}
				if strings.Contains(Shown(address), secret) || strings.Contains(Canonical(address), secret) {
					t.Errorf("%s is shown as %s, %s", address, Shown(address), Canonical(address))
				}
			})
		}
	}
	all.Wait()
}

// An address may name the encoder, which is not the engine's business.
func TestEncoder(t *testing.T) {
	for place, want := range map[string][2]string{
		"postgres://h/db?table=t&encoder=openai:x%2Fy&id=a": {"h/db?table=t&id=a", "openai:x/y"},
		"postgres://h/db?encoder=builtin":                   {"h/db", "builtin"},
		"postgres://h/db?table=t":                           {"h/db?table=t", ""},
		"postgres://h/db?encoder=":                          {"h/db?encoder=", ""},
		"postgres://h/db":                                   {"h/db", ""},
	} {
		_, rest, _ := split(place)
		without, word := cutEncoder(rest)
		if without != want[0] || word != want[1] || Encoder(place) != want[1] {
			t.Errorf("%s: %q, %q", place, without, word)
		}
	}
	if word := Encoder("notes?encoder=x"); word != "" {
		t.Errorf("a directory names %q", word)
	}
}
