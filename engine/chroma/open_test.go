package chroma

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// TestAddresses checks that errors never repeat a possible password.
func TestAddresses(t *testing.T) {
	const secret = "hunter2"
	for _, address := range []string{
		"", "hunter2", "chroma://", "chroma:hunter2", "http://hunter2:8000", "chroma://host:hunter2/",
		"chroma://user:hunter2@host/", "chroma://hunter2@host/", "chroma://user:hunter2%zz@host/", "chroma://ho st:hunter2/",
		"chroma://host/hunter2", "chroma://host/?token=hunter2", "chroma://host/?tls=hunter2", "chroma://host/?tenant=hunter2&tenant=hunter2",
		"chroma://host/?collection=", "chroma://host/?a;hunter2=%zz", "chroma://host/#hunter2", "chroma://host/?%zz=hunter2", "chroma://host/?id=hunter2", "chroma://host/?vector=hunter2",
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
		"chroma://host":           "chroma://host:8000/",
		"chroma://[::1]:9?tls=1":  "chroma://[::1]:9/?tls=true",
		"chroma://h:1/?tls=false": "chroma://h:1/",
		"chroma://h:1/?tenant=a%26b&database=c/d&collection=films": "chroma://h:1/?collection=films&tenant=a%26b&database=c%2Fd",
		"chroma://h:1/?title=head&collection=films&text=a%20b":     "chroma://h:1/?collection=films",
	} {
		at, err := configure(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
		} else if got := at.Place(); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	at, err := configure("chroma://h:1/?tenant=a%2Fb&database=c%3Fd&tls=true")
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(at)
	if want := "https://h:1/api/v2/tenants/a%2Fb/databases/c%3Fd/collections"; err != nil || c.Base+c.collections != want {
		t.Errorf("got %+v, %v, want %s", c, err, want)
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
	for _, name := range []string{"ab", "-abc", "abc.", "a b", "a/b", "äöü", strings.Repeat("a", 513)} {
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

// TestOpen checks that errors state the reason and list the choices.
func TestOpen(t *testing.T) {
	ctx, server := context.Background(), sharedURL(t)
	a := asker(t, server)
	address, records := collection(t, server, nil)
	name := address[strings.LastIndexByte(address, '=')+1:]
	refused := func(address string, o engine.Options, want ...string) {
		t.Helper()
		_, err := Open(ctx, address, o)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) || errors.Is(err, engine.ErrNotCollection) {
				t.Errorf("%s, %+v: %v, want %q", address, o, err, w)
			}
		}
	}
	refused(server, engine.Options{}, "names no collection", name)
	refused(enginetest.At(server, "nobody"), engine.Options{Dimension: dim}, "there is no such collection", name, "no collections in Chroma")
	refused(server+"?tenant=nobody&collection=films", engine.Options{}, "there is no such collection", "the server has none")
	refused(address, engine.Options{}, "is empty")

	docs := enginetest.Documents(3)
	docs[0].Metadata = []byte(`{"headline": "One", "body": "All of it", "year": 2001, "seen": true}`)
	fill(t, a, records, docs)
	refused(address+"&title=heading", engine.Options{}, `has a field "heading"`, "body (string), headline (string), n (number), seen (boolean), title (string), year (number)")
	refused(address+"&vector=other", engine.Options{}, "are not for Chroma")
	s := opened(t, address+"&title=headline&text=body", engine.Options{ReadOnly: true, Encoder: "whichever"})
	d, err := s.Get(ctx, "id-0", engine.AllParts)
	if err != nil || d.Title != "One" || d.Text != "All of it" || string(d.Metadata) != `{"seen":true,"title":"title","year":2001}` || !s.Index.ByLength {
		t.Errorf("got %+v with %s and error %v, want the document One and its metadata", d, d.Metadata, err)
	}
	s.Close()
	if _, err := s.Size(ctx); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("a closed collection: %v", err)
	}
}

// The space of an index stands where the server's version has it.
func TestDescribe(t *testing.T) {
	for answer, want := range map[string]string{
		`{"id": "i", "dimension": 3}`:                                   square,
		`{"id": "i", "dimension": 3, "metadata": {"hnsw:space": "ip"}}`: inner,
		`{"id": "i", "dimension": 3, "metadata": null, "configuration_json": {"hnsw": {"space": "cosine"}, "spann": null}}`:                 cosine,
		`{"id": "i", "dimension": 3, "metadata": {"hnsw:space": "ip"}, "configuration_json": {"hnsw": null, "spann": {"space": "cosine"}}}`: cosine,
		`{"id": "i", "dimension": 3, "metadata": {"hnsw:space": "hamming"}}`:                                                                "",
		`{"dimension": 3}`: "",
		`[]`:               "",
	} {
		s, c := &driver{client: &client{}}, new(description)
		err := json.Unmarshal([]byte(answer), c)
		if err == nil {
			err = s.describe(c)
		}
		if (err == nil) != (want != "") || err == nil && s.space != want {
			t.Errorf("%s: %s, %v", answer, s.space, err)
		}
	}
}
