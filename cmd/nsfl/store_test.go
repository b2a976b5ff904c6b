package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
	"github.com/nsfl-go/nsfl/retrieve"
)

const secret = "hunter2"

// TestPlaces: a place can be named in several ways, which must not contradict each
// other. What is in an address is not repeated.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	corpus := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(corpus, []byte("The boiler needs a new valve."), 0o666); err != nil {
		t.Fatal(err)
	}
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	must(t, "index", corpus, "-c", one)
	must(t, "index", corpus, "-c", two)
	name := func(args ...string) string {
		t.Helper()
		var d struct{ Collection, Engine string }
		if err := json.Unmarshal([]byte(must(t, append([]string{"info", "--json"}, args...)...)), &d); err != nil {
			t.Fatal(err)
		}
		if d.Engine != "embedded" {
			t.Errorf("the engine is %q", d.Engine)
		}
		return d.Collection
	}
	for want, args := range map[string][]string{
		one: {"-c", one},
		two: {"-c", two},
	} {
		if got := name(args...); got != want {
			t.Errorf("%q describe %s, want %s", args, got, want)
		}
	}
	t.Setenv(collectionEnv, one)
	if got := name(); got != one {
		t.Errorf("by $%s: got %s, want %s", collectionEnv, got, one)
	}
	if got := name("-c", two); got != two {
		t.Errorf("a flag against a variable: %s", got)
	}
	address := "postgres://user:" + secret + "@127.0.0.1:1/db?password=" + secret
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "name two collections", []string{"search", "--demo", "-c", address, "dog"}},
		{exitFailed, "there is no store for mysql://; those known are", []string{"info", "-c", "mysql://user:" + secret + "@host/db"}},
		{exitFailed, "postgres://127.0.0.1:1/db?collection=nsfl", []string{"search", "-c", address, "dog"}},
		{exitFailed, "cannot be reached", []string{"index", corpus, "-c", address}},
		{exitFailed, "cannot be reached", []string{"delete", "-c", address, "a"}},
		{exitFailed, "cannot be reached", []string{"copy", one, address}},
		{exitUsage, "postgres://127.0.0.1:1/db is kept by its server; use the server's own tools", []string{"verify", "-c", address}},
		{exitUsage, "VACUUM", []string{"compact", "-c", address}},
		{exitUsage, "name its collection", []string{"vector", "like:a"}},
		{exitUsage, "is not NAME=ADDRESS", []string{"serve", "--store", address}},
		{exitUsage, "two stores are named a", []string{"serve", "--store", "a=" + address, "--store", "a=" + address}},
		{exitUsage, "is a directory: serve it with nsfl serve DIR", []string{"serve", "--store", "a=" + one}},
	} {
		code, out, errs := cli("", c.args...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("nsfl %s: exits with %d and says %q, want %d and %q", strings.Join(c.args, " "), code, errs, c.code, c.want)
		}
		if strings.Contains(out+errs, secret) {
			t.Errorf("nsfl %s shows the password: %s%s", c.args[0], out, errs)
		}
	}
	t.Setenv(collectionEnv, address)
	if out := must(t, "help", "search"); strings.Contains(out, secret) {
		t.Errorf("help: %s", out)
	}
	if code, _, errs := cli("", "info"); code != exitFailed || strings.Contains(errs, secret) {
		t.Errorf("%d, %s", code, errs)
	}
}

// TestPostgres: everything that can be done to a collection can be done to one in
// PostgreSQL, and nothing of it shows the password.
func TestPostgres(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	srv := postgrestest.New(t)
	at := func(name string) string { return srv.DSN() + "&collection=" + name }
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes")
	if err := os.Mkdir(notes, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"roses.md": "# Roses\n\nPrune the roses in March, before the buds swell.\n",
		"bees.md":  "# Bees\n\nThe bees come to the lavender first.\n",
		"shop.csv": "id,name,text\n1,Lamp,A lamp of brass\n2,Chair,A chair of oak\n",
	} {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said := func(args ...string) string {
		t.Helper()
		code, out, errs := cli("", args...)
		if code != exitOK {
			t.Fatalf("nsfl %s exits with %d: %s", args[0], code, errs)
		}
		if strings.Contains(out+errs, postgrestest.Password) {
			t.Errorf("nsfl %s shows the password: %s%s", args[0], out, errs)
		}
		return out
	}
	if out := said("index", notes, "-c", at("notes")); !strings.Contains(out, "4 documents (4 passages) stored from 3 files") || !strings.HasPrefix(out, "postgres://127.0.0.1:") {
		t.Errorf("index: %s", out)
	}
	if out := said("index", notes, "-c", at("notes")); !strings.Contains(out, "0 documents (0 passages) stored") || !strings.Contains(out, "3 files unchanged") {
		t.Errorf("again: %s", out)
	}
	if err := os.WriteFile(filepath.Join(notes, "shop.csv"), []byte("id,name,text\n2,Chair,A chair of beech\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := said("index", notes, "-c", at("notes")); !strings.Contains(out, "1 documents removed") {
		t.Errorf("changed: %s", out)
	}
	a := answerOf(t, "search", "-c", at("notes"), "-k", "1", "flowers AND pruning")
	if ids(a)[0] != "roses.md" || a.Mode != retrieve.Hybrid || !strings.Contains(a.Reason, "cannot compare all documents") {
		t.Errorf("found %v by %s: %s", ids(a), a.Mode, a.Reason)
	}
	if out := said("search", "-c", at("notes"), "--compare", "--explain", "flowers AND NOT bees source:roses.md"); !strings.Contains(out, "Roses") {
		t.Errorf("search: %s", out)
	}
	if a := answerOf(t, "search", "-c", at("notes"), "--mode", "exact", "-k", "1", "flowers AND pruning"); ids(a)[0] != "roses.md" || a.Mode != retrieve.Exact {
		t.Errorf("exact: got %v by %s, want roses.md by exact", ids(a), a.Mode)
	}
	if out := said("info", "-c", at("notes")); !strings.Contains(out, "engine      postgres\n") || !strings.Contains(out, "documents   3, from 3 files\n") || !strings.Contains(out, "encoder     builtin\n") {
		t.Errorf("info: %s", out)
	}
	if out := said("vector", "-c", at("notes"), "like:roses.md AND NOT bees"); !strings.Contains(out, `"dimension": 384`) {
		t.Errorf("vector: %s", out)
	}
	file := filepath.Join(dir, "notes.jsonl")
	said("export", "-c", at("notes"), file)
	if out := said("import", file, "-c", at("imported"), "--encoder", "builtin"); !strings.Contains(out, "3 documents stored") {
		t.Errorf("import: %s", out)
	}
	if code, _, errs := cli("", "search", "-c", at("notes"), "--encoder", named.Unknown(384), "like:roses.md"); code != exitFailed ||
		!strings.Contains(errs, "its vectors were made by nsfl-builtin") || strings.Contains(errs, postgrestest.Password) {
		t.Errorf("another encoder: %d, %s", code, errs)
	}
	if code, _, errs := cli("", "info", "-c", at("none")); code != exitFailed || !strings.Contains(errs, "create one with nsfl index FOLDER -c ADDRESS") {
		t.Errorf("no collection: %d, %s", code, errs)
	}

	// From a directory to the server and back.
	there, back := filepath.Join(dir, "there"), filepath.Join(dir, "back")
	said("index", notes, "-c", there)
	var first, second struct {
		Documents int
		Checksum  string
	}
	for _, c := range []struct {
		from, to string
		out      any
	}{{there, at("copied"), &first}, {at("copied"), back, &second}} {
		if err := json.Unmarshal([]byte(said("copy", c.from, c.to, "--json")), c.out); err != nil {
			t.Fatal(err)
		}
	}
	if first.Documents != 3 || first.Checksum == "" || first.Checksum != second.Checksum || second.Documents != 3 {
		t.Errorf("copies: %+v, %+v", first, second)
	}
	if out := said("index", notes, "-c", back); !strings.Contains(out, "3 files unchanged") {
		t.Errorf("what is known of the files did not come along: %s", out)
	}
	want, got := answerOf(t, "search", "-c", there, "autumn AND NOT furniture"), answerOf(t, "search", "-c", back, "autumn AND NOT furniture")
	if strings.Join(ids(got), " ") != strings.Join(ids(want), " ") {
		t.Errorf("%v, want %v", ids(got), ids(want))
	}
	alias := strings.Replace(at("copied"), "127.0.0.1", "localhost", 1)
	if code, _, errs := cli("", "copy", at("copied"), alias); code != exitUsage || !strings.Contains(errs, "the same collection") {
		t.Errorf("onto itself by another name: %d, %s", code, errs)
	}
	if out := said("delete", "-c", at("copied"), "2", "nobody"); out != "1 of 2 documents deleted\n" {
		t.Errorf("delete: %s", out)
	}
	if out := said("copy", there, at("copied")); !strings.Contains(out, "3 documents copied") || !strings.Contains(out, first.Checksum) {
		t.Errorf("copied again: got %s, want 3 documents with the checksum %s", out, first.Checksum)
	}
}
