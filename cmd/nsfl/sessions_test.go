package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sessions are what new users type in a folder with manual pages, from their first command to
// what they were looking for.
var sessions = []struct {
	name     string
	commands [][]string
}{
	{"01-first", [][]string{{"index", "manuals", "-c", "pages"}, {"search", "-c", "pages", "socket"}}},
	{"02-not", [][]string{{"search", "-c", "man", "socket", "AND", "NOT", "tls"}, {"search", "-c", "man", "-k", "1", "--why", "net/tls.7", "socket AND NOT tls"}}},
	{"03-typo", [][]string{{"search", "-c", "man", "sokcet"}, {"search", "-c", "man", "sokcet and schedlue"}, {"search", "-c", "man", "-k", "1", "socket"}}},
	{"04-sentence", [][]string{{"search", "-c", "man", "jobs, minus systemd"}, {"search", "-c", "man", "-k", "1", "dog not cat"}, {"search", "-c", "man", "-k", "1", "cron & timer"}}},
	{"05-nonsense", [][]string{{"search", "-c", "man", "xqzzt blorf"}, {"search", "-c", "man", "-k", "2", "--all", "xqzzt blorf"}}},
	{"06-narrow", [][]string{{"search", "-c", "man", "socket path:net/*"}, {"search", "-c", "man", "socket path:*.7"}, {"search", "-c", "man", "socket type:md"}, {"search", "-c", "man", "--facet", "folder,type", "-k", "1", "time folder:time"}}},
	{"07-language", [][]string{{"search", "-c", "man", "Sicherung täglich kopieren"}, {"search", "-c", "man", "расписание"}, {"search", "-c", "man", "comment copier des fichiers entre machines"}}},
	{"08-compare", [][]string{{"search", "-c", "man", "--compare", "-k", "3", "scheduled jobs AND NOT systemd"}}},
	{"09-like", [][]string{{"search", "-c", "man", "-k", "2", "like:time/cron.8 AND NOT systemd"}, {"search", "-c", "man", "like:time/corn.8"}}},
	{"10-mistakes", [][]string{{"search", "-c", "man", "(socket AND"}, {"search", "-c", "mann", "socket"}, {"search", "socket"}, {"search", "-c", "man", "socket colour:red"}}},
}

// TestSessions compares the sessions with their transcripts.
func TestSessions(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "sessions"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "manuals"), os.DirFS(filepath.Join("testdata", "manuals"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv(columnsEnv, "80")
	must(t, "index", "manuals", "-c", "man")
	for _, s := range sessions {
		t.Run(s.name, func(t *testing.T) {
			got := ""
			for _, args := range s.commands {
				code, out, errs := cli("", args...)
				got += fmt.Sprintf("$ nsfl %s\n%s%s[%d]\n\n", strings.Join(args, " "), steady(out), errs, code)
				fits(t, "80", out+errs)
			}
			path := filepath.Join(golden, s.name+".txt")
			matchGolden(t, path, got)
		})
	}
}
