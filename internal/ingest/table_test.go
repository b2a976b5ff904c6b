package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTables has the ways in which tables are written. A document is shown as
// id/title/text/metadata.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name, file, content string
		o                   Options
		want                []string
		skips               []string // line and a part of the reason
	}{
		{"comma", "x.csv", "id,text,year\n1,\"a, b\",1999\n2,c,\n", Options{}, []string{`1//a, b/{"year":"1999"}`, "2//c/"}, nil},
		{"semicolon", "x.csv", "Id;Title;Body\n1;T;a, b\n", Options{}, []string{"1/T/a, b/"}, nil},
		{"bar", "x.csv", "id|text\n1|a, b; c\n", Options{}, []string{"1//a, b; c/"}, nil},
		{"tab", "x.tsv", "id\ttext\n1\t\"quoted\" at the start\n2\tb\n", Options{}, []string{`1//"quoted" at the start/`, "2//b/"}, nil},
		{"tab with quoted fields", "x.tsv", "id\ttext\n1\t\"two\nlines\"\n2\tb\n", Options{}, []string{"1//two lines/", "2//b/"}, nil},
		{"tab in a csv file", "x.csv", "id\ttext\n1\ta, b, c\n", Options{}, []string{"1//a, b, c/"}, nil},
		{"quotes that mean nothing", "x.csv", "id,text\n1,a 5\" disk\n2,b\n", Options{}, []string{`1//a 5" disk/`, "2//b/"}, nil},
		{"windows line ends", "x.csv", "id,text\r\n1,a\r\n\r\n2,b", Options{}, []string{"1//a/", "2//b/"}, nil},
		{"byte-order mark", "x.csv", "\uFEFFid,text\n1,a\n", Options{}, []string{"1//a/"}, nil},
		{"one column", "x.csv", "quote\nFirst one\n\"Second, one\"\n", Options{}, []string{"x.csv#1//First one/", "x.csv#2//Second, one/"}, nil},
		{"given columns", "x.csv", "key,wording,text\nk,a,b\n", Options{ID: "key", Text: "Wording"}, []string{`k//a/{"text":"b"}`}, nil},
		{"from Zotero", "x.csv", "Key,Title,Abstract Note\nK1,T,A\n", Options{}, []string{`x.csv#1/T/A/{"Key":"K1"}`}, nil},
		{"only titles", "x.csv", "id,title\n1,T\n", Options{}, []string{"1/T//"}, nil},
		{"no known column", "x.csv", "a,b\n1,2\n", Options{}, nil, []string{`0 none of its columns, ["a" "b"]`}},
		{"missing column", "x.csv", "id,text\n1,2\n", Options{Title: "headline"}, nil, []string{`0 it has no column "headline" for the title`}},
		{"uneven rows", "x.csv", "id,text,x\n1,a,b\n2,a\n3,a,b,c\n4,a,b\n", Options{}, []string{`1//a/{"x":"b"}`, `4//a/{"x":"b"}`},
			[]string{"3 it has 2 fields", "4 it has 4 fields"}},
		{"stray quote", "x.csv", "id,text\n1,\"a, b\"\n2,\"c\" d\n3,\"e, f\"\n", Options{}, []string{"1//a, b/", "3//e, f/"}, []string{"3 it has a stray quote"}},
		{"open quote", "x.csv", "id,text\n1,\"a, b\"\n2,\"c\n3,d, e\n", Options{}, []string{"1//a, b/"}, []string{"3 it has a stray quote, with which the row reaches to line"}},
		{"empty row", "x.csv", "id,text\n1,\n2,b\n", Options{}, []string{"2//b/"}, []string{"2 it has neither"}},
		{"nothing", "x.csv", "\n\n", Options{}, nil, []string{"0 it is empty"}},
		{"header only", "x.csv", "id,text\n", Options{}, nil, nil},
	} {
		docs, skips := from(t, c.o, c.file, c.content)
		var got []string
		for _, d := range docs {
			got = append(got, fmt.Sprintf("%s/%s/%s/%s", d.ID, d.Title, d.Text, d.Metadata))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q; skips %v", c.name, got, c.want, skips)
		}
		checkSkips(t, c.name, skips, c.skips)
	}
}

// checkSkips compares skips with "line part of the reason".
func checkSkips(t *testing.T, name string, skips []Skip, want []string) {
	t.Helper()
	ok := len(skips) == len(want)
	for i := range min(len(skips), len(want)) {
		ok = ok && strings.HasPrefix(fmt.Sprintf("%d %s", skips[i].Line, skips[i].Reason), want[i])
	}
	if !ok {
		t.Errorf("%s: skipped %v, want %q", name, skips, want)
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct {
		name, file, content string
		want, skips         []string
	}{
		{"list", "x.json", ` [ {"text":"a"} , {"text":"b"} ] `, []string{"x.json#1", "x.json#2"}, nil},
		{"one object", "x.json", `{"id":"o","text":"a"}`, []string{"o"}, nil},
		{"objects in a row", "x.json", `{"text":"a"}{"text":"b"} {"text":"c"}`, []string{"x.json#1", "x.json#2", "x.json#3"}, nil},
		{"empty list", "x.json", `[]`, nil, nil},
		{"white space", "x.json", " \n", nil, []string{"0 it is empty"}},
		{"settings", "x.json", `{"name":"x","private":true}`, nil, []string{"0 object 1: it has nothing in a field"}},
		{"open list", "x.json", `[{"text":"a"},`, []string{"x.json#1"}, []string{"0 reading stopped after row 1: it ends too soon"}},
		{"fault", "x.json", `[{"text":"a"},{"text":b}]`, []string{"x.json#1"}, []string{"0 reading stopped after row 1: it is not JSON: invalid character 'b'"}},
		{"more after the list", "x.json", `[{"text":"a"}] x`, []string{"x.json#1"}, []string{"0 reading stopped after row 1: something follows the list"}},
		{"bytes that are not UTF-8", "x.jsonl", "{\"text\":\"a\"}\n{\"text\":\"\xFF\"}\n{\"text\":\"c\"}\n", []string{"x.jsonl#1", "x.jsonl#3"}, []string{"2 it is not valid UTF-8"}},
		{"passages beside text", "x.jsonl", `{"id":"p","text":"a","passages":["b"]}`, []string{"p"}, nil},
		{"passages that are none", "x.jsonl", `{"id":"p","passages":[1]}`, nil, []string{`1 its field "passages" is not a list of strings`}},
		{"no line break at the end", "x.ndjson", "\r\n{\"id\":7,\"text\":\"a\"}", []string{"7"}, nil},
	} {
		docs, skips := from(t, Options{}, c.file, c.content)
		if got := ids(docs); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q; skips %v", c.name, got, c.want, skips)
		}
		checkSkips(t, c.name, skips, c.skips)
	}
}

// TestMetadata lists which fields of an object become metadata.
func TestMetadata(t *testing.T) {
	numbers := "[" + strings.TrimSuffix(strings.Repeat("0.5,", 65), ",") + "]"
	for content, want := range map[string]string{
		`{"text":"a"}`:               ``,
		`{"text":"a","metadata":{}}`: ``,
		`{"text":"a","metadata":{"x":{"y":1}},"x":2,"z":true}`:              `{"x":{"y":1},"z":true}`,
		`{"text":"a","metadata":"m","n":null,"o":{"p":1},"f":1.50}`:         `{"f":1.50,"metadata":"m"}`,
		`{"text":"a","labels":["x","y"],"years":[1,2],"empty":[],"v":[[]]}`: `{"labels":["x","y"],"years":[1,2]}`,
		`{"text":"a","vector":` + numbers + `}`:                             ``,
	} {
		docs, skips := from(t, Options{}, "x.jsonl", content)
		if len(docs) != 1 || string(docs[0].Metadata) != want {
			t.Errorf("%s: %+v, want %s; skips %v", content, docs, want, skips)
		}
	}
}
