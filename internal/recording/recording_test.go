package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestShow: colours, overwritten text, and ignored sequences.
func TestShow(t *testing.T) {
	bold, green := style{bold: true}, style{colour: 32}
	for _, c := range []struct {
		output string
		want   []line
	}{
		{"", nil},
		{"a\r\nb\r\n\r\n", []line{{{text: "a"}}, {{text: "b"}}}},
		{"\x1b[1mdog\x1b[0m AND\r\n", []line{{{bold, "dog"}, {text: " AND"}}}},
		{"\x1b[32m██\x1b[39m x", []line{{{green, "██"}, {text: " x"}}}},
		{"\x1b[1;33mword\x1b[m", []line{{{style{bold: true, colour: 33}, "word"}}}},
		{"50 %\r\x1b[Kdone\r\n", []line{{{text: "done"}}}},
		{"50 %\rab", []line{{{text: "ab %"}}}},
		{"x\a\x1b[2Jy\x1b[9", []line{{{text: "xy"}}}},
	} {
		got := show([]byte(c.output))
		if len(got) != len(c.want) {
			t.Errorf("%q: %v, want %v", c.output, got, c.want)
			continue
		}
		for i := range got {
			if !equal(got[i], c.want[i]) {
				t.Errorf("%q: line %d is %v, want %v", c.output, i, got[i], c.want[i])
			}
		}
	}
}

func equal(a, b line) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// FuzzDraw: for any output, the drawing is valid XML without control characters.
func FuzzDraw(f *testing.F) {
	f.Add([]byte("\x1b[1mdog\x1b[0m & <ball>\r\n50 %\r\x1b[K"))
	f.Add([]byte("\x1b[\xff"))
	f.Fuzz(func(t *testing.T, output []byte) {
		s := step{"nsfl search 'a < b'", show(output), time.Second}
		for _, svg := range [][]byte{still(s), play([]step{s, s})} {
			d := xml.NewDecoder(strings.NewReader(string(svg)))
			for {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%q: %v\n%s", output, err, svg)
				}
			}
		}
	})
}

// TestInTerminal: a command sees a terminal of the drawn size.
func TestInTerminal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("recordings are made on Linux")
	}
	out, err := inTerminal(exec.CommandContext(t.Context(), "sh", "-c", "test -t 1 && stty size"))
	if err != nil || strings.TrimSpace(string(out)) != "30 88" {
		t.Errorf("got size %q and error %v, want 30 88", out, err)
	}
	if _, err := inTerminal(exec.CommandContext(t.Context(), "sh", "-c", "exit 3")); err == nil {
		t.Error("a command that fails is no error")
	}
}

// TestPlay: each command is typed before its output appears, and the last lines are
// visible at the end.
func TestPlay(t *testing.T) {
	long := step{"first", make([]line, 40), time.Second}
	for i := range long.output {
		long.output[i] = line{{text: "x"}}
	}
	svg := string(play([]step{long, {"second", []line{{{text: "y"}}}, time.Second}}))
	for _, want := range []string{"@keyframes t0", "@keyframes o1", "steps(6)", "prefers-reduced-motion", "prefers-color-scheme:dark", "translateY(-266px)"} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s in\n%s", want, svg[:2000])
		}
	}
}
