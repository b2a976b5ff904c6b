package ingest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"github.com/nsfl-go/nsfl/passage"
)

// ChildArgument is the argument of a program that calls Child.
const ChildArgument = "parse-uploads"

// Limits of a child.
const (
	childMemory  = 768 << 20       // for data, where the system enforces it
	childCollect = 256 << 20       // the garbage collector works harder above it
	childGarbage = 25              // percent of the live data; a child lives shortly
	childSilence = 6 * maxReadTime // between two messages; the machine may be busy
)

// message is a draft and its position, a skip, the number of bytes read so far, or the end of
// the file.
type message struct {
	Draft     bool
	ID, Title string
	Blocks    []passage.Block
	Passages  []string
	Metadata  json.RawMessage `json:",omitempty"`
	Line, Row int

	Skip *Skip
	Read int64
	End  bool
}

// Child parses one upload, so that a parser that crashes, or takes more memory or time than
// allowed, ends this process and not its parent. Standard input has the name of the file as a line
// of JSON, then the content; Child answers with messages. It returns the exit code of the process.
func Child() int {
	confine(childMemory)
	debug.SetMemoryLimit(childCollect)
	debug.SetGCPercent(childGarbage)
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	// If a message cannot be sent, the parent is gone.
	send := func(m message) bool { return out.Encode(m) == nil }
	run, err := New(Options{
		Skip:     func(s Skip) { send(message{Skip: &s}) },
		Progress: func(bytes int64) { send(message{Read: bytes}) },
	})
	if err != nil {
		return 1
	}
	line, _ := in.ReadBytes('\n')
	var name string
	if json.Unmarshal(line, &name) != nil {
		return 1
	}
	k := run.sink(context.Background(), upload(name), nil)
	k.forward = func(d draft, line int) bool {
		return send(message{Draft: true, ID: d.id, Title: d.title, Blocks: d.blocks, Passages: d.passages, Metadata: d.encoded, Line: line, Row: k.rows})
	}
	k.read(in)
	_, _ = io.Copy(io.Discard, in) // the parent sends all of it
	if !send(message{End: true}) {
		return 1
	}
	return 0
}

// readInChild reads content in a child. It returns false, without having read anything, if there
// is none.
func (k *sink) readInChild(content io.Reader) bool {
	command := k.run.options.Child
	if len(command) == 0 {
		return false
	}
	header, err := json.Marshal(k.source.Name)
	if err != nil {
		return false
	}
	ctx, kill := context.WithCancel(k.ctx)
	defer kill()
	raw := &rawReader{ctx: k.ctx, file: content, progress: func(int64) {}}
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Env = []string{"GOMAXPROCS=2"} // leaves processors to other requests; no secrets
	child.Stdin = io.MultiReader(bytes.NewReader(append(header, '\n')), raw)
	out, err := child.StdoutPipe()
	if err != nil || child.Start() != nil {
		return false
	}
	ended, late := k.receive(json.NewDecoder(out), kill)
	if !ended {
		kill()
	}
	_ = child.Wait() // the messages say how it went
	switch {
	case ended, k.stopped:
	case k.ctx.Err() != nil:
		k.interrupt()
	case raw.err != nil:
		k.skip(0, raw.err)
	case late:
		k.skip(0, unusable(TooLarge, "reading it takes more than %v; divide it", k.run.silence))
	default:
		k.skip(0, unusable(Unreadable, "reading it takes too much memory, or its reader fails; divide it or convert it to another format"))
	}
	return true
}

// receive handles the messages of a child. ended reports whether it has read the whole file;
// late, whether it was killed because it was silent too long.
func (k *sink) receive(messages *json.Decoder, kill func()) (ended, late bool) {
	for {
		var m message
		timer := time.AfterFunc(k.run.silence, kill)
		err := messages.Decode(&m)
		late := !timer.Stop()
		switch {
		case err != nil:
			return false, late
		case m.End:
			return true, false
		case m.Skip != nil:
			k.run.options.Skip(*m.Skip)
		case m.Draft:
			k.rows = m.Row
			d := draft{id: m.ID, title: m.Title, blocks: m.Blocks, passages: m.Passages, encoded: m.Metadata}
			if !k.add(d, m.Line) {
				return false, false
			}
		default:
			k.run.options.Progress(m.Read)
		}
	}
}
