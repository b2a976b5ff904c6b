package chroma

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
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
		_, err := Open(context.Background(), address, engine.Options{})
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
		at, err := configure(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
		} else if got := at.place(); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	at, err := configure("chroma://h:1/?tenant=a%2Fb&database=c%3Fd&ssl=true")
	if err != nil {
		t.Fatal(err)
	}
	if got := newClient(at, credentials{}).collections; got != "https://h:1/api/v2/tenants/a%2Fb/databases/c%3Fd/collections" {
		t.Error(got)
	}
}

func TestOptions(t *testing.T) {
	refused := func(address string, o engine.Options) {
		t.Helper()
		var input *engine.InputError
		if _, err := Open(context.Background(), address, o); !errors.As(err, &input) {
			t.Errorf("%s, %+v: %v", address, o, err)
		}
	}
	for _, name := range []string{"ab", "-abc", "abc.", "a b", "a/b", "äöü", strings.Repeat("a", 501)} {
		refused("chroma://127.0.0.1:1/?collection="+url.QueryEscape(name), engine.Options{})
	}
	for _, o := range []engine.Options{{Dimension: -1}, {Dimension: engine.MaxDimension + 1}, {Encoder: "\xff"}, {Timeout: -1}, {WriteTimeout: -1}} {
		refused("chroma://127.0.0.1:1", o)
	}
	t.Setenv("CHROMA_TOKEN", "hunter2\n")
	var input *engine.InputError
	if _, err := Open(context.Background(), "chroma://127.0.0.1:1", engine.Options{}); !errors.As(err, &input) || strings.Contains(err.Error(), "hunter") {
		t.Errorf("a token with the end of a line: %v", err)
	}
}

// Only what is there, and is a collection, and not of a newer version, is opened.
func TestOpen(t *testing.T) {
	ctx, server := context.Background(), sharedURL(t)
	address := collection(t, server)
	name := address[strings.LastIndexByte(address, '=')+1:]
	for _, o := range []engine.Options{{}, {ReadOnly: true, Dimension: dim}} {
		if _, err := Open(ctx, address, o); !errors.Is(err, engine.ErrNotCollection) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Open(ctx, server+"?tenant=nobody", engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("no such tenant: %v", err)
	}
	s := opened(t, address, engine.Options{Dimension: dim, Encoder: "e"})
	if err := s.Upsert(ctx, enginetest.Documents(3)); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := s.Size(ctx); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("a closed collection: %v", err)
	}

	var mismatch *engine.MismatchError
	if _, err := Open(ctx, address, engine.Options{Encoder: "f"}); !errors.As(err, &mismatch) || mismatch.Stored != `"e"` || mismatch.Given != `"f"` {
		t.Errorf("another encoder: %v", err)
	}
	reader := opened(t, address, engine.Options{ReadOnly: true})
	if d, err := reader.Get(ctx, "id-2", engine.NoParts); err != nil || d.ID != "id-2" || reader.Encoder() != "e" {
		t.Errorf("reading: %v", err)
	}
	if err := reader.Upsert(ctx, enginetest.Documents(1)); !errors.Is(err, engine.ErrReadOnly) {
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
		at := reader.documents
		if suffix == passagesSuffix {
			at = reader.passages
		}
		if _, err := reader.ask(ctx, http.MethodPut, at, map[string]any{"new_metadata": m}); err != nil {
			t.Fatal(err)
		}
	}
	change(documentsSuffix, map[string]any{"nsfl": own, "nsfl-format": 99, "nsfl-dimension": dim})
	var format *engine.FormatError
	if _, err := Open(ctx, address, engine.Options{}); !errors.As(err, &format) || format.Found != 99 || format.Supported != 3 {
		t.Errorf("a newer version: %v", err)
	}
	change(documentsSuffix, map[string]any{"nsfl": own, "nsfl-format": 1, "nsfl-dimension": dim})
	if _, err := Open(ctx, address, engine.Options{}); err == nil || !strings.Contains(err.Error(), "a new copy") {
		t.Errorf("an older version: %v", err)
	}
	change(documentsSuffix, map[string]any{"something": "else"})
	if _, err := Open(ctx, address, engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "not one of nsfl's") {
		t.Errorf("a collection of another program: %v", err)
	}
	change(documentsSuffix, map[string]any{"nsfl": own, "nsfl-format": format.Supported, "nsfl-dimension": dim})
	change(passagesSuffix, map[string]any{"nsfl": own + passagesSuffix, "nsfl-format": 2, "nsfl-dimension": dim + 1})
	if _, err := Open(ctx, address, engine.Options{}); err == nil || !strings.Contains(err.Error(), "left over") {
		t.Errorf("passages of another dimension: %v", err)
	}
	if _, err := reader.ask(ctx, http.MethodDelete, reader.collections+"/"+name+passagesSuffix, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, address, engine.Options{}); err == nil || !strings.Contains(err.Error(), "was removed") {
		t.Errorf("no passages: %v", err)
	}
}
