package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func benchmark(b *testing.B, name, content string, documents int) {
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		run, err := New(Options{})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, err := range run.From(context.Background(), name, strings.NewReader(content)) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != documents {
			b.Fatalf("%d documents", n)
		}
	}
}

func golden(b *testing.B, name string, times int) string {
	content, err := os.ReadFile("testdata/golden/" + name)
	if err != nil {
		b.Fatal(err)
	}
	return strings.Repeat(string(content), times)
}

func BenchmarkMarkdown(b *testing.B) { benchmark(b, "x.md", golden(b, "guide.md", 30), 1) }
func BenchmarkPage(b *testing.B)     { benchmark(b, "x.html", golden(b, "page.html", 1), 1) }
func BenchmarkText(b *testing.B)     { benchmark(b, "x.txt", golden(b, "letter.txt", 100), 1) }

func rowsOfText(b *testing.B, format string) string {
	text := strings.Join(strings.Fields(golden(b, "letter.txt", 1)), " ")
	quoted, err := json.Marshal(text)
	if err != nil {
		b.Fatal(err)
	}
	var rows strings.Builder
	for i := range 500 {
		fmt.Fprintf(&rows, format, i, strings.ReplaceAll(string(quoted), `\"`, "'"))
	}
	return rows.String()
}

func BenchmarkJSONLines(b *testing.B) {
	benchmark(b, "x.jsonl", rowsOfText(b, `{"_id":"%d","title":"A title","text":%s,"metadata":{"year":1999}}`+"\n"), 500)
}

func BenchmarkTable(b *testing.B) {
	benchmark(b, "x.csv", "id,text,title,year\n"+rowsOfText(b, "%d,%s,A title,1999\n"), 500)
}
