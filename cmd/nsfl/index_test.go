package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/indexing"
)

// TestIndex: a folder of notes: indexed, left alone when unchanged, brought up to date
// when not.
// TestIndexPictures: pictures that are skipped come with advice on how to index them.
func TestIndexPictures(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "dog.png"), []byte("\x89PNG\r\n\x1a\n\x00"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "dog.png")} {
		code, out, _ := cli("", "index", path, "-c", filepath.Join(dir, "notes"))
		if want := "nsfl index " + path + " -c pictures --pictures --encoder clip-vit-base-patch32"; code != exitFailed || !strings.Contains(out, want) || strings.Contains(out, "read as text") {
			t.Errorf("index %s: got code %d and\n%s\nwant %q in it", path, code, out, want)
		}
	}
}

func TestIndex(t *testing.T) {
	dir, col := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("garden/roses.md", "# Roses\n\nPrune the roses in March, before the buds swell.\n")
	write("garden/bees.md", "# Bees\n\nThe bees come to the lavender first.\n")
	write("house.txt", "The boiler needs a new valve.")
	write("shop.csv", "id,name,text\n1,Lamp,A lamp of brass\n2,Chair,A chair of oak\n")
	write("picture.bin", "\x00\x01")
	run := func(args ...string) (x indexing.Report) {
		t.Helper()
		if err := json.Unmarshal([]byte(must(t, append([]string{"index", dir, "-c", col, "--json"}, args...)...)), &x); err != nil {
			t.Fatal(err)
		}
		return x
	}
	if x := run(); x.Documents != 5 || x.Files != 4 || len(x.Skipped) != 1 || x.Skipped[0].Reason == "" {
		t.Errorf("first: %+v", x)
	}
	if x := run(); x.Documents != 0 || x.Unchanged != 4 {
		t.Errorf("again: %+v", x)
	}
	if a := answerOf(t, "search", "-c", col, "-k", "1", "flowers AND pruning"); ids(a)[0] != "garden/roses.md" || a.Hits[0].Title != "Roses" {
		t.Errorf("found %v", ids(a))
	}
	if a := answerOf(t, "search", "-c", col, "--all", "furniture source:shop.csv"); len(a.Hits) != 2 {
		t.Errorf("by source: %v", ids(a))
	}
	write("garden/roses.md", "# Roses\n\nWater the tulips instead.\n")
	write("shop.csv", "id,name,text\n2,Chair,A chair of beech\n")
	if err := os.Remove(filepath.Join(dir, "house.txt")); err != nil {
		t.Fatal(err)
	}
	if x := run(); x.Documents != 2 || x.Unchanged != 1 || x.Removed != 1 {
		t.Errorf("after changes: %+v", x)
	}
	if x := run("--prune"); x.Documents != 0 || x.Removed != 1 {
		t.Errorf("pruned: %+v", x)
	}
	a := answerOf(t, "search", "-c", col, "--all", "-k", "100", "anything")
	got := ids(a)
	slices.Sort(got)
	if !slices.Equal(got, []string{"2", "garden/bees.md", "garden/roses.md"}) {
		t.Errorf("in the end: %v", got)
	}
	if out := must(t, "info", "-c", col); !strings.Contains(out, "documents   3, from 3 files") || !strings.Contains(out, "encoder     builtin") {
		t.Errorf("info:\n%s", out)
	}
	if out := must(t, "verify", "-c", col); !strings.HasPrefix(out, "3 documents, ") {
		t.Errorf("verify:\n%s", out)
	}
	if out := must(t, "delete", "-c", col, "2", "nobody"); out != "1 of 2 documents deleted\n" {
		t.Errorf("delete: %s", out)
	}
	if out := must(t, "compact", "-c", col); !strings.Contains(out, "MB") {
		t.Errorf("compact: %s", out)
	}
}

// TestIndexInterrupted: some hundred files, interrupted on the way, and then completed.
func TestIndexInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred files")
	}
	dir, col := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	for i := range 400 {
		text := fmt.Sprintf("# Note %d\n\nThe %s of %s was mentioned on page %d.\n", i,
			[]string{"history", "price", "colour", "weight"}[i%4], []string{"tea", "iron", "silk", "salt", "paper"}[i%5], i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("note-%04d.md", i)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out strings.Builder
	done := make(chan int)
	go func() { done <- run(ctx, []string{"index", dir, "-c", col}, strings.NewReader(""), &out, &out) }()
	for { // until the first batch is on the disk
		code, info, _ := cli("", "info", "-c", col, "--json")
		if code == exitOK && !strings.Contains(info, `"documents": 0`) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if code := <-done; code == exitOK {
		t.Log("it was done before it could be interrupted")
	} else if !strings.Contains(out.String(), "the same command continues") {
		t.Errorf("interrupted: %s", out.String())
	}
	var x indexing.Report
	if err := json.Unmarshal([]byte(must(t, "index", dir, "-c", col, "--json")), &x); err != nil {
		t.Fatal(err)
	}
	if x.Documents+x.Unchanged != 400 || x.Unchanged < 16 {
		t.Errorf("completed: %+v", x)
	}
	a := answerOf(t, "search", "-c", col, "-k", "200", "silk AND price")
	if a.Documents != 400 {
		t.Errorf("%d documents", a.Documents)
	}
	for i, h := range a.Hits[:20] {
		if !strings.Contains(h.Snippet.Text, "silk") || !strings.Contains(h.Snippet.Text, "price") {
			t.Errorf("rank %d: %s", i+1, h.Snippet.Text)
		}
	}
}

// tree writes files by name, and is the folder they are in.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, files)
	return dir
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t *testing.T, parts ...string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(parts...)); err != nil {
		t.Fatal(err)
	}
}

// indexed runs nsfl index.
func indexed(t *testing.T, args ...string) (x indexing.Report) {
	t.Helper()
	if err := json.Unmarshal([]byte(must(t, append([]string{"index", "--json"}, args...)...)), &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// holds fails unless a collection has just the documents of some ids.
func holds(t *testing.T, what, col string, want ...string) {
	t.Helper()
	got := ids(answerOf(t, "search", "-c", col, "--all-copies", "-k", "100", "page"))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: there are %q, want %q", what, got, want)
	}
}

// TestIndexTwoFolders: the documents of one folder neither replace those of another nor
// are removed with them, and no document comes twice, whatever is named.
func TestIndexTwoFolders(t *testing.T) {
	col := filepath.Join(t.TempDir(), "c")
	two := tree(t, map[string]string{"a/index.md": "The page of a.", "a/a.md": "A page.", "b/index.md": "The page of b.", "b/b.md": "B page."})
	a, b := filepath.Join(two, "a"), filepath.Join(two, "b")
	indexed(t, a, "-c", col)
	indexed(t, b, "-c", col)
	all := []string{"index.md", "a.md", "b/index.md", "b.md"}
	holds(t, "two runs", col, all...)
	for _, args := range [][]string{{two}, {b, a}, {filepath.Join(b, "index.md")}, {a, two, "--prune"}} {
		if x := indexed(t, append(args, "-c", col)...); x.Documents+x.Removed+x.Files != 0 {
			t.Errorf("%q: %+v", args, x)
		}
	}
	holds(t, "named otherwise", col, all...)
	at := filepath.Join(t.TempDir(), "c2")
	if x := indexed(t, b, a, "-c", at); x.Documents != 4 {
		t.Errorf("both at once: %+v", x)
	}
	holds(t, "both at once", at, "index.md", "b.md", "a/index.md", "a.md")

	put(t, two, map[string]string{"b/index.md": "Another page of b."})
	if x := indexed(t, two, "-c", col); x.Documents != 1 {
		t.Errorf("one has changed: %+v", x)
	}
	remove(t, a, "a.md")
	indexed(t, b, "-c", col, "--prune") // what is in a stays
	holds(t, "pruned elsewhere", col, all...)
	if x := indexed(t, a, "-c", col, "--prune"); x.Removed != 1 || x.Gone != 1 {
		t.Errorf("pruned: %+v", x)
	}
	holds(t, "pruned", col, "index.md", "b/index.md", "b.md")
	// A folder that has moved is the same one.
	moved := filepath.Join(two, "moved")
	if err := os.Rename(a, moved); err != nil {
		t.Fatal(err)
	}
	if x := indexed(t, moved, "-c", col); x.Moved != 1 || x.Documents != 0 || x.Unchanged != 1 {
		t.Errorf("moved: %+v", x)
	}
	holds(t, "moved", col, "index.md", "b/index.md", "b.md")
	// What is named may be gone itself, if it was there.
	remove(t, b)
	code, _, errs := cli("", "index", b, "-c", col)
	if code != exitFailed || !strings.Contains(errs, b) {
		t.Errorf("without --prune: %d, %s", code, errs)
	}
	if x := indexed(t, b, "-c", col, "--prune"); x.Removed != 2 {
		t.Errorf("a folder that is gone: %+v", x)
	}
	holds(t, "a folder that is gone", col, "index.md")
	if code, _, errs = cli("", "index", b, "-c", col, "--prune"); code != exitFailed || !strings.Contains(errs, "the collection has no documents from it") {
		t.Errorf("a folder that is gone, again: %d, %s", code, errs)
	}
	file := filepath.Join(moved, "index.md")
	remove(t, file)
	if x := indexed(t, file, "-c", col, "--prune"); x.Removed != 1 {
		t.Errorf("a file that is gone: %+v", x)
	}
}

// TestIndexRows: rows with ids of their own, which two tables share.
func TestIndexRows(t *testing.T) {
	col := filepath.Join(t.TempDir(), "c")
	dir := tree(t, map[string]string{"people.csv": "id,text\n1,Ada on a page\n2,Bob on a page\n", "cities.csv": "id,text\n1,Rome on a page\n3,Oslo on a page\n"})
	people, cities := filepath.Join(dir, "people.csv"), filepath.Join(dir, "cities.csv")
	indexed(t, people, "-c", col)
	out := must(t, "index", cities, "-c", col)
	if !strings.Contains(out, "1 documents have the name of their file in their id, since others have theirs; one is cities.csv#1") {
		t.Errorf("a shared id: %s", out)
	}
	all := []string{"1", "2", "3", "cities.csv#1"}
	holds(t, "two tables", col, all...)
	if x := indexed(t, dir, "-c", col); x.Unchanged != 2 || x.Documents != 0 {
		t.Errorf("again: %+v", x)
	}
	// A changed table replaces its own rows and no others; what is the same is left alone.
	put(t, dir, map[string]string{"cities.csv": "id,text\n1,Rome on a new page\n3,Oslo on a page\n4,Bern on a page\n", "people.csv": "id,text\n1,Ada on a page\n"})
	if x := indexed(t, cities, people, "-c", col); x.Documents != 2 || x.Same != 2 || x.Removed != 1 || x.Renamed != 1 {
		t.Errorf("changed: %+v", x)
	}
	holds(t, "changed", col, "1", "3", "4", "cities.csv#1")
	if a := answerOf(t, "search", "-c", col, "Ada source:people.csv"); len(a.Hits) != 1 || a.Hits[0].ID != "1" {
		t.Errorf("the first table's: %q", ids(a))
	}
	// In one run, the first file has the id.
	at := filepath.Join(t.TempDir(), "c2")
	if x := indexed(t, dir, "-c", at); x.Renamed != 1 || x.Example != "people.csv#1" {
		t.Errorf("in one run: %+v", x)
	}
	// A row may have a source of its own.
	put(t, dir, map[string]string{"news.csv": "id,source,text\nn1,people.csv,A page of news\nn2,radio,More news\n"})
	news := filepath.Join(dir, "news.csv")
	indexed(t, news, "-c", col)
	put(t, dir, map[string]string{"news.csv": "id,source,text\nn1,people.csv,A page of old news\n", "people.csv": "id,text\n1,Ada on another page\n"})
	if x := indexed(t, dir, "-c", col); x.Removed != 1 || x.Renamed != 0 || x.Documents != 2 {
		t.Errorf("a source of its own: %+v", x)
	}
	holds(t, "a source of its own", col, "1", "3", "4", "cities.csv#1", "n1")
}

// TestIndexWithin: a collection below the folder that is read into it does not read
// itself.
func TestIndexWithin(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "A page."})
	col := filepath.Join(dir, "collection")
	indexed(t, dir, "-c", col)
	if x := indexed(t, dir, "-c", col); x.Files != 0 || x.Unchanged != 1 {
		t.Errorf("again: %+v", x)
	}
	holds(t, "within", col, "a.md")
}

// TestIndexForeign: a document that came from no file is nobody's to replace.
func TestIndexForeign(t *testing.T) {
	col := filepath.Join(t.TempDir(), "c")
	dir := tree(t, map[string]string{"a.md": "A page.", "vectors.jsonl": `{"id":"b.md","text":"A page by hand."}`})
	must(t, "import", filepath.Join(dir, "vectors.jsonl"), "-c", col)
	put(t, dir, map[string]string{"b.md": "A page of a file."})
	if x := indexed(t, filepath.Join(dir, "b.md"), "-c", col); x.Renamed != 1 {
		t.Errorf("got %+v, want one renamed file", x)
	}
	holds(t, "by hand and by file", col, "b.md", "b.md#b.md")
}

// TestIndexLeavesNothing: what fails before anything is read makes no collection.
func TestIndexLeavesNothing(t *testing.T) {
	dir := tree(t, map[string]string{"empty/x.bin": "\x00", "note.md": "A page."})
	for name, args := range map[string][]string{
		"a file that is not there":  {filepath.Join(dir, "none")},
		"nothing that can be read":  {filepath.Join(dir, "empty")},
		"an encoder that is not":    {dir, "--encoder", "mystery"},
		"a length that cannot be":   {dir, "--tokens", "-1"},
		"pictures without the eyes": {dir, "--pictures"},
	} {
		col := filepath.Join(t.TempDir(), "c")
		code, _, errs := cli("", append([]string{"index", "-c", col}, args...)...)
		if code == exitOK || errs == "" {
			t.Errorf("%s: exits with %d, %s", name, code, errs)
		}
		if _, err := os.Lstat(col); !os.IsNotExist(err) {
			t.Errorf("%s leaves a collection (%s)", name, errs)
		}
	}
}

// TestIndexSame: a large file that was interrupted is read again from its beginning, and
// what is stored of it is not encoded again.
func TestIndexSame(t *testing.T) {
	var text strings.Builder
	for i := range 150 {
		fmt.Fprintf(&text, `{"id": "%d", "title": "Row %d", "text": "The page of row %d.", "tags": ["a & b"]}`+"\n", i, i, i)
	}
	col, dir := filepath.Join(t.TempDir(), "c"), tree(t, map[string]string{"rows.jsonl": text.String()})
	ctx, cancel := context.WithCancel(context.Background())
	var out strings.Builder
	done := make(chan int)
	go func() {
		done <- run(ctx, []string{"index", dir, "-c", col, "--json"}, strings.NewReader(""), &out, &out)
	}()
	for {
		if code, info, _ := cli("", "info", "-c", col, "--json"); code == exitOK && !strings.Contains(info, `"documents": 0`) {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	if code := <-done; code == exitOK {
		t.Skip("it was done before it could be interrupted")
	}
	if x := indexed(t, dir, "-c", col); x.Same < 16 || x.Same+x.Documents != 150 {
		t.Errorf("gone on with: %+v", x)
	}
	if x := indexed(t, dir, "-c", col); x.Unchanged != 1 {
		t.Errorf("again: %+v", x)
	}
}

// TestIndexWatch: what changes in a folder is found a moment later, and the collection is
// free in between.
func TestIndexWatch(t *testing.T) {
	dir, col := tree(t, map[string]string{"a.md": "A page."}), filepath.Join(t.TempDir(), "c")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int)
	var out strings.Builder
	go func() {
		done <- run(ctx, []string{"index", dir, "-c", col, "--watch"}, strings.NewReader(""), &out, &out)
	}()
	until := func(what string, n int) {
		t.Helper()
		for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(20 * time.Millisecond) {
			if _, info, _ := cli("", "info", "-c", col, "--json"); strings.Contains(info, fmt.Sprintf(`"documents": %d,`, n)) {
				return
			}
		}
		t.Fatalf("%s: there are not %d documents", what, n)
	}
	until("at first", 1)
	put(t, dir, map[string]string{"b.md": "B page."})
	until("a new one", 2)
	indexed(t, tree(t, map[string]string{"c.md": "C page."}), "-c", col)
	until("another writes", 3)
	remove(t, dir, "a.md")
	until("one is gone", 2)
	cancel()
	if code := <-done; code != exitOK {
		t.Errorf("exits with %d: %s", code, out.String())
	}
}

// TestIndexServed: where a server holds the collection, it is changed through the server.
func TestIndexServed(t *testing.T) {
	root := t.TempDir()
	col := filepath.Join(root, "notes")
	dir := tree(t, map[string]string{"a.md": "A page.", "rows.csv": "id,text\n1,A page of rows\n"})
	indexed(t, dir, "-c", col)
	serving := func(args ...string) (address string, stop func()) {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		r, w := io.Pipe()
		done := make(chan int)
		go func() {
			done <- run(ctx, append([]string{"serve", "--collections", root, "--listen", "127.0.0.1:0", "--log", "off"}, args...), strings.NewReader(""), w, t.Output())
		}()
		line, err := bufio.NewReader(r).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		address, _, _ = strings.Cut(strings.TrimPrefix(line, "nsfl serves "), ";")
		stop = sync.OnceFunc(func() { cancel(); <-done })
		t.Cleanup(stop)
		return address, stop
	}
	address, stop := serving()
	open := func(key string) { // which the server does when it is first asked
		r, err := http.NewRequest("GET", address+"/v1/collections/notes", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-API-Key", key)
		response, err := http.DefaultClient.Do(r)
		if err != nil || response.StatusCode != 200 {
			t.Fatal(response, err)
		}
		response.Body.Close()
	}
	open("")
	put(t, dir, map[string]string{"a.md": "A page, changed.", "b.md": "B page.", "rows.csv": "id,text\n2,Another page of rows\n"})
	if x := indexed(t, dir, "-c", col); x.Documents != 3 || x.Removed != 1 || x.Files != 3 {
		t.Errorf("through the server: %+v", x)
	}
	if x := indexed(t, dir, "-c", col, "--prune"); x.Unchanged != 3 {
		t.Errorf("again: %+v", x)
	}
	holds(t, "through the server", col, "a.md", "b.md", "2")
	if out := must(t, "delete", "-c", col, "b.md", "none"); out != "1 of 2 documents deleted\n" {
		t.Errorf("deleted: %s", out)
	}
	if x := indexed(t, dir, "-c", "other", "--server", address); x.Documents != 3 {
		t.Errorf("into a new one: %+v", x)
	}
	code, _, errs := cli("", "index", dir, "-c", "other", "--server", address, "--encoder", "all-MiniLM-L6-v2")
	if code != exitFailed || !strings.Contains(errs, "created with the encoder builtin") {
		t.Errorf("another encoder: %d, %s", code, errs)
	}
	stop()
	if x := indexed(t, dir, "-c", col); x.Unchanged != 3 { // the server's address is not followed any more
		t.Errorf("without the server: %+v", x)
	}

	secret, _, _ := strings.Cut(must(t, "serve", "key", "--role", "write", "--keys-file", filepath.Join(root, "keys.txt")), "\n")
	address, _ = serving("--keys-file", filepath.Join(root, "keys.txt"))
	open(secret)
	if code, _, errs = cli("", "index", dir, "-c", col); code != exitFailed || !strings.Contains(errs, "set a key of the role write in $NSFL_KEY") {
		t.Errorf("without the key: %d, %s", code, errs)
	}
	t.Setenv("NSFL_KEY", secret)
	put(t, dir, map[string]string{"c.md": "C page."})
	if x := indexed(t, dir, "-c", col); x.Documents != 1 {
		t.Errorf("with the key: %+v", x)
	}
}
