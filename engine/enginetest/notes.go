package enginetest

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/storekit"
)

func setNotes(t *testing.T, s Store, notes map[string]string) {
	t.Helper()
	check(t, s.SetNotes(context.Background(), notes))
}

func checkNotes(t *testing.T, s Store, prefix string, want map[string]string) {
	t.Helper()
	got := must(s.Notes(context.Background(), prefix))(t)
	if !maps.Equal(got, want) {
		t.Errorf("with prefix %.40q there are %d notes, %.300q, want %d, %.300q", prefix, len(got), fmt.Sprint(got), len(want), fmt.Sprint(want))
	}
}

func testNotes(t *testing.T, m Maker) {
	ctx, s := context.Background(), m.open(t, dim)
	checkNotes(t, s, "", nil)
	setNotes(t, s, nil)
	want := map[string]string{
		"file:a": "1", "file:b": "2", "file_c": "3", "file%d": "4", `file\e`: "5", "FILE:f": "6", "other": "x y\nz",
		"größe:日本語": "😀 \"quoted\" ';--", "größe:": " ", "gro": "{}",
		"long:" + strings.Repeat("länger/", 1000): strings.Repeat("text ", 1000),
	}
	setNotes(t, s, want)
	checkNotes(t, s, "", want)
	for _, prefix := range []string{"file:", "file_", "file%", `file\`, "file", "FILE", "F", "größe:", "größe:日", "g", "%", "_", "other", "other ", "long:länger", "never"} {
		some := map[string]string{}
		for name, value := range want {
			if strings.HasPrefix(name, prefix) {
				some[name] = value
			}
		}
		checkNotes(t, s, prefix, some)
	}
	changes := map[string]string{"file:a": "7", "file:b": "", "never": "", "new": "8"}
	setNotes(t, s, changes)
	want["file:a"], want["new"] = "7", "8"
	delete(want, "file:b")
	checkNotes(t, s, "", want)

	full := strings.Repeat("x", storekit.MaxNoteBytes-len("full"))
	setNotes(t, s, map[string]string{"full": full})
	checkNotes(t, s, "full", map[string]string{"full": full})
	setNotes(t, s, map[string]string{"full": ""})
	for what, bad := range map[string]map[string]string{
		"no name":          {"good": "x", "": "x"},
		"no UTF-8":         {"good": "x", "bad": "a\xffb"},
		"a name, no UTF-8": {"good": "x", "\xff": "x"},
		"too long":         {"good": "x", "full": full + "x"},
	} {
		refused(t, what, s.SetNotes(ctx, bad))
	}
	checkNotes(t, s, "", want)

	many := map[string]string{}
	for i := range 1500 {
		many[fmt.Sprint("many:", i)] = fmt.Sprint("value ", i)
	}
	setNotes(t, s, many)
	docs := corpus(3)
	upsert(t, s, docs)
	s = m.reopened(t, s)
	checkNotes(t, s, "many:", many)
	maps.Copy(want, many)
	must(s.Delete(ctx, []string{"id-0", "id-1", "id-2"}))(t)
	checkNotes(t, s, "", want)
	if s.Encoder() != "enginetest" {
		t.Errorf("the encoder is %q", s.Encoder())
	}
}
