package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// made returns a PDF file of objects, numbered from 1; the first is the catalog.
func made(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	for i, o := range objects {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	b.WriteString("trailer\n<</Root 1 0 R /Info << /Title (\xFE\xFF\x00T\x00\xe9) >> >>\n%%EOF\n")
	return b.Bytes()
}

// shows returns a file of one page with the given contents and font.
func shows(contents, font string, more ...string) []byte {
	return made(append([]string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>", held(contents, ""), font,
	}, more...)...)
}

func held(data, dict string) string {
	return fmt.Sprintf("<</Length %d %s>>\nstream\n%s\nendstream", len(data), dict, data)
}

func deflated(data, dict string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return held(b.String(), "/Filter/FlateDecode "+dict)
}

const helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

// said returns the lines of a file.
func said(t *testing.T, content []byte) string {
	t.Helper()
	doc, err := Read(content, freely)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range doc.Pages {
		for _, l := range p.Lines {
			lines = append(lines, l.Text)
		}
	}
	return strings.Join(lines, " / ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"operators", shows("BT /F 12 Tf 14 TL 72 700 Td (One) Tj T* (two\\051 \\xe9) Tj (three) ' 1 0 (four) \" ET", helvetica), "One / two) xe9 / three / four"},
		{"gaps are spaces", shows("BT /F 10 Tf 72 700 Td [(He)-20(llo)-400(you)] TJ ET", helvetica), "Hello you"},
		{"octal and hexadecimal", shows("BT /F 10 Tf (caf\\351) Tj <20 2D 4> Tj ET", helvetica), "café -@"},
		{"differences", shows("BT /F 10 Tf (abc) Tj ET", "<</Subtype/Type1/Encoding<</Differences[97/f_f_i/eacute/uni20AC]>>>>"), "ffié€"},
		{"codes of two bytes", shows("BT /F 10 Tf <00010002> Tj ET", "<</Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[<</W[1[500 500]]>>]>>",
			deflated("begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0001> <0002> <0041> endbfrange", "")), "AB"},
		{"a form", shows("q 1 0 0 1 0 50 cm /X Do Q", helvetica, held("BT /F 10 Tf (inside) Tj ET", "/Subtype/Form/Resources<</Font<</F 5 0 R>>>>")), "inside"},
		{"a form within itself", shows("/X Do", helvetica, held("BT /F 10 Tf (again) Tj ET /X Do", "/Subtype/Form")), strings.TrimSuffix(strings.Repeat("again / ", 17), " / ")},
		{"running heads that are marked", shows("/Artifact <</Type/Pagination>> BDC BT /F 10 Tf (Page 1) Tj ET EMC BT /F 10 Tf (text) Tj ET", helvetica), "text"},
		{"pictures within", shows("BI /W 1 ID (EI EI BT /F 10 Tf (text) Tj ET", helvetica), "text"},
		{"a page that is turned", shows("BT /F 10 Tf 0 1 -1 0 100 100 Tm (up the page) Tj 0 -12 Td (again) Tj ET", helvetica), "up the page / again"},
		{"lines from below", shows("BT /F 10 Tf 1 0 0 1 72 100 Tm (five) Tj 0 20 Td (four) Tj 0 20 Td (three) Tj 0 20 Td (two) Tj 0 20 Td (one) Tj ET", helvetica), "one / two / three / four / five"},
		{"a length that is wrong", bytes.Replace(shows("BT /F 10 Tf (text) Tj ET", helvetica), []byte("/Length 24"), []byte("/Length 9999"), 1), "text"},
		{"a tree that is lost", made("<<>>", "<</Type/Page/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>", held("BT /F 10 Tf (text) Tj ET", ""), helvetica), "text"},
		{"pages within themselves", made("<</Pages 2 0 R>>", "<</Kids[2 0 R 3 0 R 3 0 R]>>", "<</Type/Page/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>", held("BT /F 10 Tf (text) Tj ET", ""), helvetica), "text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := said(t, c.content); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFilters(t *testing.T) {
	f := &file{budget: freely}
	for _, c := range []struct{ name, filter, data, want string }{
		{"ASCII85", "ASCII85Decode", "<~9jqo^~>", "Man "},
		{"hexadecimal", "ASCIIHexDecode", "48 69>", "Hi"},
		{"runs, for pictures", "RunLengthDecode", "\x01Hi\xFE!\x80", ""},
		{"pictures", "DCTDecode", "x", ""},
	} {
		if got := string(f.decode(stream{dict: dict{"Filter": name(c.filter)}, raw: []byte(c.data)})); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	params := dict{"Predictor": 12.0, "Columns": 2.0}
	if got := string(f.unpredict([]byte{0, 1, 2, 2, 1, 1, 1, 5, 1, 4, 1, 1, 3, 2, 2}, params)); got != "\x01\x02\x02\x03\x05\x06\x06\x07\x05\x08" {
		t.Errorf("predicted: %q", got)
	}
}

func TestGlyphs(t *testing.T) {
	for glyph, want := range map[string]string{"A": "A", "Adieresis": "Ä", "ccaron": "č", "quoteright": "’", "a.sc": "a", "u1F600": "😀", "g12": "", "alpha": "α", "fi": "fi"} {
		if got := glyphText(glyph); got != want {
			t.Errorf("%s: %q", glyph, got)
		}
	}
}

// TestEncrypted: a file that opens without a password reads like an unencrypted one.
func TestEncrypted(t *testing.T) {
	read := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join("testdata", name+".pdf"))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	want := said(t, read("plain"))
	for _, name := range []string{"rc4-40", "rc4-128", "aes-128", "aes-256"} {
		if got := said(t, read(name)); got != want || !strings.Contains(got, "behind the chimney") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if _, err := Read(read("locked"), freely); !errors.Is(err, ErrEncrypted) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Read([]byte("text"), freely); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	if _, err := Read([]byte("%PDF-1.4\n"), freely); !errors.Is(err, ErrNoPages) {
		t.Error(err)
	}
	ended := func(int, int) error { return context.Canceled }
	if _, err := Read(shows("BT ET", helvetica), ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	doc, err := Read(shows("BT ET", helvetica), freely)
	if err != nil || doc.Title != "Té" || len(doc.Pages) != 1 {
		t.Error(doc, err)
	}
}

// TestHostile: hostile files are read quickly and without panics.
func TestHostile(t *testing.T) {
	bomb := strings.Repeat(" ", 60<<20)
	for name, content := range map[string][]byte{
		"deep":     shows(strings.Repeat("[", 1<<20), helvetica),
		"deep too": shows(strings.Repeat("<</A", 1<<18), helvetica),
		"wide":     shows("BT /F 10 Tf <0001> Tj", "<</Subtype/Type0/DescendantFonts[<</W["+strings.Repeat("0 65535 1 ", 10_000)+"]>>]>>"),
		"mapped": shows("BT /F 10 Tf <0001> Tj", "<</Subtype/Type0/ToUnicode 6 0 R>>",
			held(strings.Repeat("<0000> <FFFF> <0041> endbfrange ", 10_000), "")),
		"bomb":   shows("", helvetica, deflated(bomb, "/Subtype/Form")),
		"forms":  shows("/X Do", helvetica, held(strings.Repeat("/X Do ", 100), "/Subtype/Form")),
		"length": made("<</Pages 2 0 R>>", "<</Length 2 0 R>>\nstream\nx\nendstream"),
	} {
		began := time.Now()
		_, err := Read(content, func(int, int) error {
			if time.Since(began) > time.Minute {
				return context.DeadlineExceeded
			}
			return nil
		})
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s takes more than %v", name, time.Since(began))
		}
	}
}

// freely is a budget without a limit.
func freely(int, int) error { return nil }

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.pdf")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add(shows("BT /F 12 Tf (x) Tj ET /X Do", helvetica, held("q BI ID EI", "/Subtype/Form")))
	f.Fuzz(func(t *testing.T, content []byte) {
		left := 1 << 16 // keeps inputs fast
		doc, err := Read(content, func(parts, bytes int) error {
			if left -= 256 + parts + bytes; left < 0 {
				return errors.New("out of budget")
			}
			return nil
		})
		if err != nil {
			return
		}
		for _, p := range doc.Pages {
			for _, l := range p.Lines {
				if strings.TrimSpace(l.Text) == "" || strings.ContainsRune(l.Text, '\n') {
					t.Fatalf("the line %q", l.Text)
				}
			}
		}
	})
}
