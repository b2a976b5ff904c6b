package pages

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // writes the databases
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// rows is the number of rows in each table.
const rows = 120

// made returns a database with a table and one without row numbers, whose last rows are
// only in the log, and their contents.
func made(tb testing.TB) (file, log []byte, table, other map[string]string) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "x.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	must(tb, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	_, err = db.Exec(`CREATE TABLE t (n INTEGER PRIMARY KEY, name TEXT, real REAL, text TEXT);
		CREATE TABLE o (name TEXT PRIMARY KEY, value) WITHOUT ROWID`)
	must(tb, err)
	table, other = map[string]string{}, map[string]string{}
	for i := range rows {
		text := strings.Repeat(fmt.Sprint(i, " "), 1+i*i%2500)
		_, err = db.Exec(`INSERT INTO t VALUES (?, ?, ?, ?)`, i, fmt.Sprint("name ", i), float64(i)/3, text)
		must(tb, err)
		table[fmt.Sprint(i)] = fmt.Sprint(nil, fmt.Sprint("name ", i), float64(i)/3, text)
		_, err = db.Exec(`INSERT INTO o VALUES (?, ?)`, fmt.Sprint("key ", i), i-100)
		must(tb, err)
		other[fmt.Sprint("key ", i)] = fmt.Sprint(i - 100)
		if i == rows*2/3 {
			_, err = db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
			must(tb, err)
		}
	}
	file, err = os.ReadFile(path)
	must(tb, err)
	log, err = os.ReadFile(path + "-wal")
	must(tb, err)
	return file, log, table, other
}

func open(tb testing.TB, file, log []byte) *Database {
	tb.Helper()
	d, err := Open(bytes.NewReader(file), int64(len(file)), bytes.NewReader(log), int64(len(log)))
	must(tb, err)
	return d
}

func TestRows(t *testing.T) {
	file, log, table, other := made(t)
	d := open(t, file, log)
	n := 0
	if unread := d.Rows(2, func(r Row) {
		n++
		if got := fmt.Sprint(r.Values...); got != table[fmt.Sprint(r.ID)] {
			t.Errorf("row %d is %.60q", r.ID, got)
		}
	}); unread > 0 || n != len(table) {
		t.Errorf("%d rows read, want %d; %d pages unread", n, len(table), unread)
	}
	n = 0
	if unread := d.Rows(3, func(r Row) {
		n++
		if got := fmt.Sprint(r.Values[1]); got != other[r.Values[0].(string)] {
			t.Errorf("row %v is %s", r.Values[0], got)
		}
	}); unread > 0 || n != len(other) {
		t.Errorf("%d rows read, want %d; %d pages unread", n, len(other), unread)
	}
}

// TestSearch finds rows that no tree leads to.
func TestSearch(t *testing.T) {
	file, log, table, _ := made(t)
	clear(file[:100])
	clear(file[4096 : 4096+100]) // the root
	d := open(t, file, log)
	found := map[int64]string{}
	d.Search(func(id int64) bool { return id >= 0 && id < rows }, func(r Row) {
		if len(r.Values) == 4 && r.Values[0] == nil {
			if text, ok := r.Values[3].(string); ok && strings.HasSuffix(table[fmt.Sprint(r.ID)], text) {
				found[r.ID] = text
			}
		}
	})
	if len(found) != len(table) {
		t.Errorf("%d rows found, want %d", len(found), len(table))
	}
}

// TestBrokenLog: one bad bit in the log hides only the rows that contain it.
func TestBrokenLog(t *testing.T) {
	file, log, table, _ := made(t)
	for at := 0; at < len(log); at += 1 + len(log)/40 {
		broken := bytes.Clone(log)
		broken[at] ^= 1 << (at % 8)
		found := map[int64]bool{}
		d := open(t, file, broken)
		row := func(r Row) {
			if text, ok := r.Values[len(r.Values)-1].(string); ok && strings.HasSuffix(table[fmt.Sprint(r.ID)], text) {
				found[r.ID] = true
			}
		}
		d.Rows(2, row)
		d.Search(func(id int64) bool { return id >= 0 && id < rows && !found[id] }, row)
		if len(found) < len(table)-1 {
			t.Errorf("flipped at %d: %d rows found, want %d", at, len(found), len(table)-1)
		}
	}
}

// FuzzPages checks that reading arbitrary bytes terminates without panics.
func FuzzPages(f *testing.F) {
	file, log, _, _ := made(f)
	f.Add(file[:3*4096], log[:32+3*(24+4096)])
	f.Add(file[:4096], []byte{})
	f.Add([]byte{}, log[:32+24+4096])
	f.Fuzz(func(t *testing.T, file, log []byte) {
		d, err := Open(bytes.NewReader(file), int64(len(file)), bytes.NewReader(log), int64(len(log)))
		if err != nil {
			return
		}
		for n := range uint32(6) {
			d.Rows(n, func(Row) {})
		}
		d.Search(func(id int64) bool { return id%2 == 0 }, func(Row) {})
	})
}
