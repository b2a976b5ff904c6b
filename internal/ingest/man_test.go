package ingest

import "testing"

func TestManTitle(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"man", ".TH SOCKET 2\n.SH NAME\nsocket \\- create an endpoint for communication\n.SH SYNOPSIS\n.nf\n", "socket - create an endpoint for communication"},
		{"mdoc", ".Dd May 1\n.Dt LS 1\n.Sh NAME\n.Nm ls\n.Nd list directory contents\n.Sh SYNOPSIS\n", "ls - list directory contents"},
		{"fonts", ".SH \"NAME\"\n\\fBgit-log\\fR \\- Show commit logs\n.SH", "git-log - Show commit logs"},
		{"formatted", "LS(1)      User Commands      LS(1)\n\nNAME\n       ls - list directory contents\n\nSYNOPSIS\n", "ls - list directory contents"},
		{"a text", "NAME\nis a word in this text.\n", ""},
		{"a form", "NAME\n\nDate of birth - \n", ""},
		{"no end", ".SH NAME", ""},
		{"empty", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := manTitle(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
