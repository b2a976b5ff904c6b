package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver/chromatest"
)

// TestAttachChroma: a collection that Chroma's own client has filled is searched as it is and
// can be copied; nothing is stored there.
func TestAttachChroma(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	srv, err := chromatest.Start(context.Background())
	if errors.Is(err, chromatest.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	post := func(path string, body any) (answer struct{ ID string }) {
		t.Helper()
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.Post("http://"+srv.Address()+"/api/v2/tenants/default_tenant/databases/default_database/collections"+path, "application/json", bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if err := json.NewDecoder(r.Body).Decode(&answer); err != nil || r.StatusCode >= 300 {
			t.Fatalf("%s: %s, %v", path, r.Status, err)
		}
		return answer
	}
	made := post("", map[string]any{"name": "pets"})
	var ids []string
	var metadatas []map[string]any
	for i := range petTexts {
		ids, metadatas = append(ids, fmt.Sprint("pet-", i)), append(metadatas, map[string]any{"year": 2010 + i})
	}
	post("/"+made.ID+"/add", map[string]any{"ids": ids, "embeddings": vectorsOf(t, petTexts), "documents": petTexts, "metadatas": metadatas})

	pets, copied := srv.URL()+"?collection=pets", filepath.Join(t.TempDir(), "pets")
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitOK, "A dog runs free along the beach.", []string{"search", "-c", pets, "--encoder", "builtin", "-k", "1", "dog AND NOT leash AND NOT ball"}},
		{exitOK, "Two dogs chase", []string{"search", "-c", pets, "--encoder", "builtin", "-k", "1", "dog year:>=2013"}},
		{exitOK, "is 1.000", []string{"info", "-c", pets, "--encoder", "builtin"}},
		{exitFailed, "the server has pets", []string{"search", "-c", srv.URL(), "dog"}},
		{exitOK, "6 documents copied", []string{"copy", pets, copied, "--encoder", "builtin"}},
		{exitFailed, "only read", []string{"copy", copied, pets}},
		{exitFailed, "nsfl creates no collections in Chroma", []string{"copy", copied, srv.URL() + "?collection=more"}},
		{exitOK, "A dog runs free along the beach.", []string{"search", "-c", copied, "-k", "1", "dog AND NOT leash AND NOT ball"}},
	} {
		code, out, errs := cli("", c.args...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("nsfl %s exits with %d, without %q: %s%s", strings.Join(c.args, " "), code, c.want, out, errs)
		}
	}
}
