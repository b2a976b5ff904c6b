package ingest

import (
	"context"
	"strings"
	"testing"
)

// readNamed reads content as a file of a name.
func readNamed(t *testing.T, name, content string) ([]string, []Skip) {
	t.Helper()
	var skips []Skip
	run, err := New(Options{Skip: func(s Skip) { skips = append(skips, s) }})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for d, err := range run.From(context.Background(), name, strings.NewReader(content)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Join([]string{d.ID, d.Title, string(d.Metadata), d.Text}, "\n"))
	}
	return out, skips
}

const letter = "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: all@example.org\r\nSubject: =?iso-8859-1?Q?Caf=E9?= on Friday\r\n" +
	"Date: Fri, 2 Jan 2026 10:00:00 +0200\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n"

func TestMail(t *testing.T) {
	const about = "a.eml\nCafé on Friday\n" +
		`{"date":"2026-01-02T08:00:00Z","from":"Jörg \u003cj@example.org\u003e","message_id":"1@example.org","to":"all@example.org"}` + "\n"
	for _, c := range []struct{ name, message, want, skip string }{
		{"plain, encoded", letter + "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe caf=E9 op=\r\nens.\r\n", "The café opens.", ""},
		{"quotes and signatures", letter + "\r\nI agree.\r\n\r\nOn Monday, somebody\r\nwrote:\r\n\r\n> What do you think?\r\n> Tell me.\r\n\r\nBut not today.\r\n-- \r\nJörg\r\n", "I agree.\n\nBut not today.", ""},
		{"nothing but a quote", letter + "\r\n> Is it open?\r\n", "> Is it open?", ""},
		{"plain before HTML, and what is attached", letter + "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n" +
			"--y\r\nContent-Type: text/plain\r\n\r\nPlain.\r\n--y\r\nContent-Type: text/html\r\n\r\n<p>Page.</p>\r\n--y--\r\n" +
			"--x\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"menu.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--x--\r\n",
			"Plain.", "not read: menu.pdf; save it as a file to index it"},
		{"a page alone", letter + "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+WWVzLjwvcD48YmxvY2txdW90ZSB0eXBlPWNpdGU+Tm8/PC9ibG9ja3F1b3RlPg==\r\n", "Yes.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, skips := readNamed(t, "a.eml", c.message)
			if len(got) != 1 || got[0] != about+c.want {
				t.Errorf("got %q, want %q", got, about+c.want)
			}
			if c.skip == "" && len(skips) > 0 || c.skip != "" && (len(skips) != 1 || skips[0].Reason != c.skip) {
				t.Errorf("got skips %v, want %q", skips, c.skip)
			}
		})
	}
}

func TestMbox(t *testing.T) {
	got, skips := readNamed(t, "in.mbox", "From a@b Fri Jan  2\nSubject: One\n\nFirst.\n>From here on.\n\nFrom a@b Sat Jan  3\nnothing\n\nFrom a@b Sun Jan  4\nSubject: Three\n\nThird.\n")
	want := []string{"in.mbox#1\nOne\n\nFirst. From here on.", "in.mbox#3\nThree\n\nThird."}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("they are %q", got)
	}
	if len(skips) != 1 || skips[0].Line != 7 || skips[0].Kind != Malformed {
		t.Errorf("got skips %v, want one at line 7", skips)
	}
	if _, skips := readNamed(t, "in.mbox", "Nothing of the kind.\n"); len(skips) != 1 || skips[0].Kind != Malformed {
		t.Errorf("got skips %v, want one malformed", skips)
	}
}

func TestNotebook(t *testing.T) {
	d, err := readNotebook(defaultBudget(), []byte(`{"metadata":{"kernelspec":{"language":"Python"}},"cells":[
		{"cell_type":"markdown","source":["# Rain\n","\n","In *mm*."]},
		{"cell_type":"code","source":"print(sum(rain))","outputs":[{"output_type":"stream","text":["12\n"]},{"data":{"text/plain":"<Axes>","image/png":"AAAA"}}]},
		{"cell_type":"raw","source":"As it is."}]}`))
	checkOutline(t, d, err, "Rain\nIn mm.\n| print(sum(rain))\n| 12\n| <Axes>\nAs it is.")
	if d.metadata["language"] != "python" {
		t.Error(d.metadata)
	}
	if _, err := readNotebook(defaultBudget(), []byte(`{}`)); err == nil {
		t.Error("no cells are no notebook")
	}
}
