package milvus

import (
	"errors"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"milvus://h":                         "milvus://h:19530/?collection=nsfl",
		"milvus://[::1]:5/?collection=Films": "milvus://[::1]:5/?collection=Films",
		"milvus://root:hunter2@h:1/?tls=true&database=db&text=body": "milvus://h:1/?collection=nsfl&database=db&tls=true",
	} {
		a, err := configure(text)
		if err != nil || a.Place() != want {
			t.Errorf("%s: got %+v, %v, want the place %s", text, a, err, want)
		}
	}
	for _, text := range []string{
		"", "http://h/", "milvus://h/?collection=a-b", "milvus://h/?collection=1a", "milvus://h/?tls=perhaps",
		"milvus://h/?database=a.b", "milvus://h/?password=hunter2", "milvus://h/?collection=" + strings.Repeat("a", 241),
	} {
		var input *engine.InputError
		if a, err := configure(text); !errors.As(err, &input) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got %+v, %v, want an *engine.InputError", text, a, err)
		}
	}
}
