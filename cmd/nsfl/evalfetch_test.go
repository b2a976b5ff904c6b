package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
)

// likes is a little of LIMIT, in the form in which it is published.
var likes = fstest.MapFS{
	"corpus.jsonl": {Data: []byte(`{"_id": "Ada Lund", "title": "", "text": "Ada Lund likes quokkas and tofu."}
{"_id": "Bo Ek", "title": "", "text": "Bo Ek likes chess."}
`)},
	"queries.jsonl": {Data: []byte(`{"_id": "query_0", "text": "Who likes quokkas?"}
{"_id": "query_1", "text": "Who likes chess?"}
`)},
	"qrels.jsonl": {Data: []byte(`{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 1}
{"query-id": "query_1", "corpus-id": "Bo Ek", "score": 1}
`)},
}

// TestEvalFetch: nothing is downloaded before licence and size are told and agreed to;
// what was fetched is measured by its name, in the split that it has.
func TestEvalFetch(t *testing.T) {
	var downloads atomic.Int32
	files := http.FileServerFS(likes)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			downloads.Add(1)
		}
		files.ServeHTTP(w, r)
	}))
	defer s.Close()
	t.Setenv("NSFL_SETS", t.TempDir())
	fetch := []string{"eval", "fetch", "limit-small", "--from", s.URL}

	code, out, errs := cli("y\n", fetch...)
	if code != exitUsage || out != "" || downloads.Load() > 0 || !strings.Contains(errs, "licence  CC BY 4.0") || !strings.Contains(errs, "size     3") || !strings.Contains(errs, "--yes") {
		t.Errorf("without --yes it exits with %d, says\n%s%s\nand downloads %d files", code, out, errs, downloads.Load())
	}
	if code, _, errs := cli("", "eval", "--set", "limit-small"); code != exitFailed || !strings.Contains(errs, "nsfl eval fetch limit-small brings it") {
		t.Errorf("what is not there: %d, %s", code, errs)
	}
	if out := must(t, append(fetch, "--yes")...); !strings.Contains(out, "  qrels.jsonl\nlimit-small is in ") || !strings.Contains(out, "2 documents, 2 queries of split test; measure it with nsfl eval --set limit-small") {
		t.Errorf("it prints\n%s", out)
	}
	var again struct {
		Already bool `json:"already_there"`
		Queries int
	}
	out = must(t, append(fetch, "--json")...)
	if err := json.Unmarshal([]byte(out), &again); err != nil || !again.Already || again.Queries != 2 || downloads.Load() != 3 {
		t.Errorf("the second time %d downloads, %s, %v", downloads.Load(), out, err)
	}
	for _, verb := range [][]string{{"eval", "--methods", "baseline"}, {"eval", "peers"}} {
		if out := must(t, append(verb, "--quiet", "--set", "limit-small")...); !strings.Contains(out, "limit-small") {
			t.Errorf("%v prints\n%s", verb, out)
		}
	}
}

// TestEvalFetchFolder: files from a folder need no agreement, and a folder may be named.
func TestEvalFetchFolder(t *testing.T) {
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "likes")
	if err := os.CopyFS(from, likes); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "eval", "fetch", "LIMIT", "--from", from, "--dir", dir); !strings.Contains(out, "measure it with nsfl eval --set "+dir) {
		t.Errorf("it prints\n%s", out)
	}
	if out := must(t, "eval", "--quiet", "--set", dir, "--methods", "baseline"); !strings.Contains(out, "mAP@100 on") {
		t.Errorf("it prints\n%s", out)
	}
	if err := os.Remove(filepath.Join(dir, "nsfl-set.json")); err != nil {
		t.Fatal(err)
	}
	must(t, "eval", "--quiet", "--set", dir, "--methods", "baseline", "--split", "test")
}

func TestEvalFetchMistakes(t *testing.T) {
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "there are excluir, limit", []string{"lmit"}},
		{exitFailed, "name their folder with --from", []string{"excluir", "--dir", t.TempDir()}},
		{exitFailed, "does not have", []string{"limit", "--dir", t.TempDir(), "--from", t.TempDir()}},
		{exitUsage, "fetch takes", []string{"limit", "quest"}},
	} {
		if code, _, errs := cli("", append([]string{"eval", "fetch"}, c.args...)...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v exits with %d and says %s", c.args, code, errs)
		}
	}
	if out := must(t, "eval", "fetch"); !strings.Contains(out, "negconstraint") || !strings.Contains(out, "licence: MIT") {
		t.Errorf("the list is\n%s", out)
	}
}

func TestEvalFetchAsks(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, " Yes \n": true, "n\n": false, "\n": false, "": false, "yo\n": false} {
		if got, err := asked(t.Context(), strings.NewReader(answer)); got != want || err != nil {
			t.Errorf("%q is %t, %v", answer, got, err)
		}
	}
	silent, end := io.Pipe()
	defer end.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := asked(ctx, silent); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted, it says %v", err)
	}
}
