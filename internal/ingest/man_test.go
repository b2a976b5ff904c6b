package ingest

import (
	"strings"
	"testing"
)

func TestManTitle(t *testing.T) {
	many := ".TH QUEUE 3\n.SH NAME\n" + strings.Repeat("QUEUE_EMPTY,\n", 40) + "QUEUE_INIT\n\\- a queue\n.SH LIBRARY\nlibc\n"
	for _, test := range []struct{ name, text, want string }{
		{"man", ".TH SOCKET 2\n.SH NAME\nsocket \\- create an endpoint for communication\n.SH SYNOPSIS\n.nf\n", "socket - create an endpoint for communication"},
		{"mdoc", ".Dd May 1\n.Dt LS 1\n.Sh NAME\n.Nm ls\n.Nd list directory contents\n.Sh SYNOPSIS\n", "ls - list directory contents"},
		{"fonts", ".TH GIT-LOG 1\n.SH \"NAME\"\n\\fBgit-log\\fR \\- Show commit logs\n.SH", "git-log - Show commit logs"},
		{"formatted", "LS(1)      User Commands      LS(1)\n\nNAME\n       ls - list directory contents\n\nSYNOPSIS\n", "ls - list directory contents"},
		{"many names", many, "QUEUE_EMPTY - a queue"},
		{"a text", "NAME\nis a word in this text.\n", ""},
		{"a form", "NAME\n\nDate of birth - \n", ""},
		{"no end", ".SH NAME", ""},
		{"empty", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := readText(defaultBudget(), []byte(test.text))
			if err != nil || d.title != test.want {
				t.Errorf("got %q and %v, want %q", d.title, err, test.want)
			}
			if isMan := d.metadata["type"] == "man"; isMan != (test.want != "") {
				t.Errorf("got metadata %v", d.metadata)
			}
		})
	}
}

// TestRoff compares the text of manual pages with what man prints, but for its layout.
func TestRoff(t *testing.T) {
	const man, mdoc = ".\\\" a comment\n.TH X 1\n.SH NAME\nx \\- y\n", ".Dd May 1\n.Dt X 1\n.Sh NAME\n.Nm x\n.Nd y\n"
	for _, test := range []struct{ name, text, want string }{
		{"sections", man + ".SH OPTIONS\none\n.SS \"More of them\"\ntwo\n", "# OPTIONS\none\n# More of them\ntwo"},
		{"paragraphs", man + ".SH A\nfirst\nline\n.PP\nsecond\n\nthird\n", "# A\nfirst line\nsecond\nthird"},
		{"fonts", man + ".SH A\n.B \\-a\nand\n.BR open (2),\n\\fIfile\\fP \\f(CWx\\fR \\f[B]y\\f[]\n", "# A\n-a and open(2), file x y"},
		{"quoted arguments", man + ".SH A\n.BI \"int f(\" \"char *\" s )\n", "# A\nint f(char *s)"},
		{"tags", man + ".SH A\n.TP\n.BI \\-L \" level\"\nSays more.\n.IP \\(bu 2\nitem\n", "# A\n-L level Says more.\n- item"},
		{"escapes", man + ".SH A\na\\ b\\(emc\\e\\&.\\[aq] \\*(Aqq\\s-1z\\s0\\h'1m'! \\\" gone\n", "# A\na b—c\\.' 'qz! "},
		{"examples", man + ".SH A\n.nf\nfor x;\n  do\n.fi\nafter\n.EX\ncode\n.EE\n", "# A\nfor x;\n  do\nafter\ncode"},
		{"conditions", man + ".SH A\n.if n \\{\\\n.RS 4\n.\\}\nshown\n.ie n terminal\n.el \\{\\\npaper\n.\\}\n.if t paper\n", "# A\nshown terminal"},
		{"definitions", man + ".de XX\n.B gone\n..\n.SH A\nkept\n", "# A\nkept"},
		{"tables", man + ".SH A\n.TS\nl l.\none\ttwo\n.TE\n", "# A\none | two"},
		{"mdoc", mdoc + ".Sh A\n.Nm\n.Op Fl a Ar file ,\n.Xr open 2\n.Bl -tag\n.It Fl v\nSays\n.Dq more .\n.El\n", "# A\nx -a file, open 2\n-v Says more."},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := readText(defaultBudget(), []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, b := range d.blocks {
				if b.Level > 0 {
					b.Rows = []string{"# " + b.Rows[0]}
				}
				rows = append(rows, b.Rows...)
			}
			if got, want := strings.Join(rows, "\n"), strings.TrimSpace(test.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
