package chroma

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// Whatever an address says, an error does not repeat what may be a password.
func TestAddresses(t *testing.T) {
	const secret = "hunter2"
	for _, address := range []string{
		"", "hunter2", "chroma://", "chroma:hunter2", "http://hunter2:8000", "chroma://host:hunter2/",
		"chroma://user:hunter2@host/", "chroma://hunter2@host/", "chroma://user:hunter2%zz@host/", "chroma://ho st:hunter2/",
		"chroma://host/hunter2", "chroma://host/?token=hunter2", "chroma://host/?ssl=hunter2", "chroma://host/?tenant=hunter2&tenant=hunter2",
		"chroma://host/?collection=", "chroma://host/?a;hunter2=%zz", "chroma://host/#hunter2", "chroma://host/?%zz=hunter2",
	} {
		_, err := Open(context.Background(), address, Options{})
		var input *engine.InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: %v", address, err)
		}
		if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, input), secret) {
			t.Errorf("%s: the error shows the password: %v", address, err)
		}
	}
	for address, want := range map[string]string{
		"chroma://host":           "chroma://host:8000/?collection=nsfl",
		"chroma://[::1]:9?ssl=1":  "chroma://[::1]:9/?collection=nsfl&ssl=true",
		"chroma://[::1]/":         "chroma://[::1]:8000/?collection=nsfl",
		"chroma://h:1/?ssl=false": "chroma://h:1/?collection=nsfl",
		"chroma://h:1/?tenant=a%26b&database=c/d&collection=films": "chroma://h:1/?collection=films&database=c%2Fd&tenant=a%26b",
	} {
		o := Options{}
		at, err := configure(address, &o)
		if err != nil {
			t.Errorf("%s: %v", address, err)
		} else if got := at.place(o.Collection); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	at, err := configure("chroma://h:1/?tenant=a%2Fb&database=c%3Fd&ssl=true", &Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := newClient(at, credentials{}).collections; got != "https://h:1/api/v2/tenants/a%2Fb/databases/c%3Fd/collections" {
		t.Error(got)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{Collection: "ab"}, {Collection: "-abc"}, {Collection: "abc."}, {Collection: "a b"}, {Collection: "a/b"}, {Collection: "äöü"}, {Collection: strings.Repeat("a", 501)},
		{Dimension: -1}, {Dimension: engine.MaxDimension + 1}, {Encoder: "\xff"}, {Timeout: -1}, {WriteTimeout: -1},
	} {
		var input *engine.InputError
		if _, err := Open(context.Background(), "chroma://127.0.0.1:1", o); !errors.As(err, &input) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	t.Setenv("CHROMA_TOKEN", "hunter2\n")
	var input *engine.InputError
	if _, err := Open(context.Background(), "chroma://127.0.0.1:1", Options{}); !errors.As(err, &input) || strings.Contains(err.Error(), "hunter") {
		t.Errorf("a token with the end of a line: %v", err)
	}
}

// Only what is there, and is a collection, and not of a newer version, is opened.
func TestOpen(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	name := collection(t, url)
	for _, o := range []Options{{Collection: name}, {Collection: name, ReadOnly: true, Dimension: dim}} {
		if _, err := Open(ctx, url, o); !errors.Is(err, engine.ErrNotCollection) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Open(ctx, url+"?tenant=nobody", Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("no such tenant: %v", err)
	}
	s := opened(t, url, Options{Collection: name, Dimension: dim, Encoder: "e"})
	if err := s.Upsert(ctx, documents(3)); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := s.Size(ctx); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("a closed collection: %v", err)
	}

	var mismatch *engine.MismatchError
	if _, err := Open(ctx, url, Options{Collection: name, Encoder: "f"}); !errors.As(err, &mismatch) || mismatch.Stored != `"e"` || mismatch.Given != `"f"` {
		t.Errorf("another encoder: %v", err)
	}
	reader := opened(t, url, Options{Collection: name, ReadOnly: true})
	if d, err := reader.Get(ctx, "id-2"); err != nil || d.ID != "id-2" || reader.Encoder() != "e" {
		t.Errorf("reading: %v", err)
	}
	if err := reader.Upsert(ctx, documents(1)); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("storing: %v", err)
	}
	if _, err := reader.Delete(ctx, []string{"id-0"}); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("deleting: %v", err)
	}
	if err := reader.SetNotes(ctx, map[string]string{"a": "b"}); !errors.Is(err, engine.ErrReadOnly) {
		t.Errorf("keeping notes: %v", err)
	}

	change := func(suffix string, m map[string]any) {
		t.Helper()
		address := reader.documents
		if suffix == passagesSuffix {
			address = reader.passages
		}
		if _, err := reader.ask(ctx, http.MethodPut, address, map[string]any{"new_metadata": m}); err != nil {
			t.Fatal(err)
		}
	}
	change(documentsSuffix, map[string]any{"nsfl": own, "nsfl-format": 99, "nsfl-dimension": dim})
	var format *engine.FormatError
	if _, err := Open(ctx, url, Options{Collection: name}); !errors.As(err, &format) || format.Found != 99 || format.Supported != 1 {
		t.Errorf("a newer version: %v", err)
	}
	change(documentsSuffix, map[string]any{"something": "else"})
	if _, err := Open(ctx, url, Options{Collection: name, Dimension: dim}); err == nil || !strings.Contains(err.Error(), "not one of nsfl's") {
		t.Errorf("a collection of another program: %v", err)
	}
	change(documentsSuffix, map[string]any{"nsfl": own, "nsfl-format": format.Supported, "nsfl-dimension": dim})
	change(passagesSuffix, map[string]any{"nsfl": own + passagesSuffix, "nsfl-format": 1, "nsfl-dimension": dim + 1})
	if _, err := Open(ctx, url, Options{Collection: name}); err == nil || !strings.Contains(err.Error(), "left over") {
		t.Errorf("passages of another dimension: %v", err)
	}
	if _, err := reader.ask(ctx, http.MethodDelete, reader.collections+"/"+name+passagesSuffix, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, url, Options{Collection: name}); err == nil || !strings.Contains(err.Error(), "was removed") {
		t.Errorf("no passages: %v", err)
	}
}

// Of those that make a collection at the same time, each opens the same one.
func TestMakingTogether(t *testing.T) {
	ctx, url := context.Background(), sharedURL(t)
	name := collection(t, url)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			s, err := Open(ctx, url, Options{Collection: name, Dimension: dim, Encoder: "e"})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Upsert(ctx, documents(i + 1)[i:]); err != nil {
				t.Error(err)
			}
			s.Close()
		})
	}
	all.Wait()
	if size, err := opened(t, url, Options{Collection: name}).Size(ctx); err != nil || size.Documents != 6 {
		t.Errorf("%+v, %v", size, err)
	}
}
