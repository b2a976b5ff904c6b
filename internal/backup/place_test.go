package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/backup/s3test"
)

// inPlaces runs a test in a folder and in a bucket. file returns where the place stores a
// content, for tests that damage it.
func inPlaces(t *testing.T, test func(t *testing.T, address string, file func(name string) string)) {
	t.Run("folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "backups")
		test(t, dir, func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) })
	})
	t.Run("bucket", func(t *testing.T) {
		server := s3test.New(t)
		test(t, server.Address("a/b"), func(name string) string { return server.File("a/b", name) })
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPlace(t *testing.T) {
	inPlaces(t, func(t *testing.T, address string, _ func(string) string) {
		ctx := t.Context()
		p, err := OpenPlace(address)
		must(t, err)
		for name, content := range map[string]string{"a/x/1": "one", "a/2": "two", "b/3": "", "ab/4": "four"} {
			must(t, p.Put(ctx, name, []byte(content)))
			if got, err := p.Get(ctx, name, 10); err != nil || string(got) != content {
				t.Errorf("%s is %q, %v", name, got, err)
			}
		}
		must(t, p.Put(ctx, "a/2", []byte("another two")))
		if got, err := p.Get(ctx, "a/2", 11); err != nil || string(got) != "another two" {
			t.Errorf("after replacing: got %q, %v", got, err)
		}
		if _, err := p.Get(ctx, "a/2", 10); err == nil || !strings.Contains(err.Error(), "larger than 10 bytes") {
			t.Errorf("more than is wanted: %v", err)
		}
		if _, err := p.Get(ctx, "a/3", 10); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what is not there: %v", err)
		}
		listed := func(folder string) (names []string) {
			t.Helper()
			items, err := p.List(ctx, folder)
			must(t, err)
			for _, i := range items {
				names = append(names, i.Name)
				if age := time.Since(i.Modified); age < -time.Minute || age > time.Hour {
					t.Errorf("%s is %s old", i.Name, age)
				}
				if i.Name == "a/2" && i.Bytes != 11 {
					t.Errorf("%s has %d bytes", i.Name, i.Bytes)
				}
			}
			slices.Sort(names)
			return names
		}
		if got := listed("a/"); !slices.Equal(got, []string{"a/2", "a/x/1"}) {
			t.Errorf("listed %q", got)
		}
		if got := listed("none/"); len(got) != 0 {
			t.Errorf("listed %q", got)
		}
		must(t, p.Delete(ctx, "a/2"))
		must(t, p.Delete(ctx, "a/2"))
		if got := listed("a/"); !slices.Equal(got, []string{"a/x/1"}) {
			t.Errorf("after deleting: %q", got)
		}
	})
}

// TestPlaceErrors: errors are helpful and contain no secrets.
func TestPlaceErrors(t *testing.T) {
	server := s3test.New(t)
	const secret = "another-secret-987"
	for _, c := range []struct{ address, id, want string }{
		{"", "id", "no place for backups given"},
		{"ftp://host/x", "id", "not ftp://"},
		{"s3://?x", "id", "cannot be read"},
		{"s3://user:" + secret + "@bucket/x", "id", "has a user in it"},
		{"s3://bucket/x?key=" + secret, "id", "an unknown setting"},
		{"s3://b/x", "id", "cannot be a bucket"},
		{"s3://bucket/x?endpoint=bucket.example", "id", "is not http:// or https://"},
		{"s3://bucket/x", "", "needs credentials; give them in $AWS_ACCESS_KEY_ID"},
		{server.Address("x"), "id", "access key ID"},
		{server.Address("x"), "test-id", "refuses the credentials in $AWS_ACCESS_KEY_ID"},
	} {
		t.Setenv("AWS_ACCESS_KEY_ID", c.id)
		t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
		p, err := OpenPlace(c.address)
		if err == nil {
			_, err = p.List(t.Context(), "pieces/")
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v, want %q", c.address, err, c.want)
		}
	}
}

func TestNoBucket(t *testing.T) {
	server := s3test.New(t)
	p, err := OpenPlace(server.AddressOf("nobodys", "x"))
	must(t, err)
	if err := p.Put(t.Context(), "a", nil); err == nil || !strings.Contains(err.Error(), `no bucket "nobodys"`) {
		t.Error(err)
	}
}

// TestFolderIsNotThere: an unmounted disk is not mistaken for an empty one.
func TestFolderIsNotThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "disk", "backups")
	if err := (folder{dir}).Put(t.Context(), "a", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := (folder{dir}).List(t.Context(), "a/"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("the folder above was made")
	}
}
