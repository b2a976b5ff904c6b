package milvus

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

func TestAddresses(t *testing.T) {
	token := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for text, want := range map[string]address{
		"milvus://h":                                      {host: "h:19530", collection: "nsfl"},
		"milvus://[::1]:5/?collection=Films":              {host: "[::1]:5", collection: "Films"},
		"milvus://root:a%40b:c@h:1/?tls=true&database=db": {host: "h:1", collection: "nsfl", database: "db", secure: true, token: token("root:a@b:c")},
		"milvus://key@h/?tls=0":                           {host: "h:19530", collection: "nsfl", token: token("key")},
		"milvus://h/?collection=c&id=a&vector=b&text=c&title=d&metadata=$meta": {host: "h:19530", collection: "c",
			roles: remote.Roles{ID: "a", Vector: "b", Text: "c", Title: "d", Metadata: "$meta"}},
	} {
		a, err := configure(text)
		if err != nil || *a != want {
			t.Errorf("%s: %+v, %v, want %+v", text, a, err, want)
		}
	}
	t.Setenv("MILVUS_TOKEN", "k")
	if a, err := configure("milvus://h/"); err != nil || a.token != token("k") {
		t.Errorf("%+v, %v", a, err)
	}
	for _, text := range []string{
		"", "http://h/", "milvus://", "milvus://h:0/", "milvus://h:x/", "milvus://h/path", "milvus://a b/", "milvus://u:%zz@h/",
		"milvus://h/?collection=a-b", "milvus://h/?collection=1a", "milvus://h/?collection=a&collection=b", "milvus://h/?tls=perhaps",
		"milvus://h/?database=a.b", "milvus://h/?password=hunter2", "milvus://h/?%zz", "milvus://h/?collection=" + strings.Repeat("a", 241),
	} {
		var input *engine.InputError
		if a, err := configure(text); !errors.As(err, &input) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
}

// The place says what is meant, and nothing of who asks.
func TestPlace(t *testing.T) {
	a, err := configure("milvus://root:hunter2@h/?collection=films&database=d&text=body")
	if err != nil || a.place() != "milvus://h:19530/?collection=films&database=d" {
		t.Errorf("%v, %v", a.place(), err)
	}
}
