package ingest

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

func encoded(t *testing.T, e encoding.Encoding, s string) string {
	t.Helper()
	out, err := e.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEncodings reads text in many encodings: it comes out right, or is refused.
func TestEncodings(t *testing.T) {
	const (
		french  = "L’été dernier, nous avons mangé des œufs à la crème près de la forêt… “C’est déjà ça”, dit Zoé."
		german  = "Die Größe der Öfen ist übermäßig – 12 € für Käse, ÄRGER inklusive."
		catalan = "La col·lecció és il·lustrada; l’any 1999 costava 10 £, 25° i 3½."
		polish  = "Zażółć gęślą jaźń, a potem idź spać, bo już późno."
		russian = "Привет, мир. Это обычный русский текст в старой кодировке."
		greek   = "Καλημέρα κόσμε, αυτό είναι ένα κείμενο."
		chinese = "这是一个普通的中文文本，用旧的编码保存。"
		nippon  = "これは古いエンコーディングのテキストです。"
	)
	little := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	bigBare := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	w1252 := charmap.Windows1252
	for _, c := range []struct {
		name, content, want string // want is empty where it is refused
	}{
		{"utf-8", russian, russian},
		{"utf-8 with a mark", "\uFEFF" + french, french},
		{"utf-16", encoded(t, little, nippon), nippon},
		{"utf-16 without a mark", encoded(t, bigBare, german), ""},
		{"windows-1252 french", encoded(t, w1252, french), french},
		{"windows-1252 german", encoded(t, w1252, german), german},
		{"windows-1252 catalan", encoded(t, w1252, catalan), catalan},
		{"latin-1", encoded(t, charmap.ISO8859_1, "Crème brûlée à gogo"), "Crème brûlée à gogo"},
		{"windows-1250", encoded(t, charmap.Windows1250, polish), ""},
		{"windows-1251", encoded(t, charmap.Windows1251, russian), ""},
		{"koi8-r", encoded(t, charmap.KOI8R, russian), ""},
		{"windows-1253", encoded(t, charmap.Windows1253, greek), ""},
		{"dos", encoded(t, charmap.CodePage850, "Crème brûlée à la carte"), ""},
		{"macintosh", encoded(t, charmap.Macintosh, "Crème brûlée, résumé"), ""},
		{"gbk", encoded(t, simplifiedchinese.GBK, chinese), ""},
		{"shift-jis", encoded(t, japanese.ShiftJIS, nippon), ""},
		{"utf-8 cut off", french[:len("L’é")-1], ""},
		{"utf-8 with a lost byte", strings.Replace(french, "é", "\xC3", 1), ""},
		{"utf-16 with half a pair", encoded(t, little, "some text") + "\x00\xD8x\x00", ""},
		{"zero bytes", "PK\x03\x04\x00\x00 text", ""},
	} {
		docs, skips := from(t, Options{}, "x.txt", c.content)
		switch {
		case c.want == "" && (len(docs) > 0 || len(skips) != 1):
			t.Errorf("%s: it was read as %+v, skips %v", c.name, docs, skips)
		case c.want == "" && skips[0].Kind != Encoding && skips[0].Kind != Binary:
			t.Errorf("%s: %v", c.name, skips)
		case c.want != "" && (len(docs) != 1 || docs[0].Text != c.want):
			t.Errorf("%s: it was read as %+v, skips %v", c.name, docs, skips)
		}
	}
}

// TestPageEncodings reads pages that declare their encoding.
func TestPageEncodings(t *testing.T) {
	page := func(charset string) string {
		return `<html><head><meta charset="` + charset + `"><title>x</title></head><body><p>`
	}
	for _, c := range []struct{ name, content, want string }{
		{"shift-jis", page("Shift_JIS") + encoded(t, japanese.ShiftJIS, "日本語です"), "日本語です"},
		{"iso-2022-jp", page("iso-2022-jp") + encoded(t, japanese.ISO2022JP, "日本語です"), "日本語です"},
		{"koi8-r", page("koi8-r") + encoded(t, charmap.KOI8R, "Привет"), "Привет"},
		{"utf-8 that claims to be latin-1", page("iso-8859-1") + "Привет", "Привет"},
		{"http-equiv", `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>` + encoded(t, charmap.Windows1251, "Привет"), "Привет"},
		{"silent", "<p>" + encoded(t, charmap.Windows1252, "Crème brûlée"), "Crème brûlée"},
		{"wrong", page("euc-jp") + "\xFF\xFE\xFD", ""},
		{"unknown", page("klingon") + encoded(t, charmap.Windows1251, "Привет, мир"), ""},
	} {
		docs, skips := from(t, Options{}, "x.html", c.content)
		if c.want == "" && (len(skips) != 1 || skips[0].Kind != Encoding) ||
			c.want != "" && (len(docs) != 1 || docs[0].Text != c.want) {
			t.Errorf("%s: it was read as %+v, skips %v", c.name, docs, skips)
		}
	}
}

// TestTableEncodings: the encoding of each row is detected separately, because only a row in
// the middle of a long file may show it.
func TestTableEncodings(t *testing.T) {
	excel := encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "id\ttext\n1\tКниги\n2\tTwo\n")
	if docs, skips := from(t, Options{}, "x.csv", excel); len(docs) != 2 || docs[0].Text != "Книги" || docs[1].ID != "2" {
		t.Errorf("UTF-16: %+v, %v", docs, skips)
	}
	mixed := "id;text\n1;plain\n2;" + encoded(t, charmap.Windows1252, "Käse für alle") + "\n3;\xF0\xE8\xE2\xE5\xF2\n4;last\n"
	docs, skips := from(t, Options{}, "x.csv", mixed)
	if len(docs) != 3 || docs[1].Text != "Käse für alle" || docs[2].ID != "4" {
		t.Errorf("mixed: %+v", docs)
	}
	if len(skips) != 1 || skips[0].Kind != Encoding || skips[0].Line != 4 {
		t.Errorf("mixed: %v", skips)
	}
}
