package ingest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httputil"
	"os"
	"os/exec"
	"runtime/debug"
	"time"

	"github.com/nsfl-go/nsfl/passage"
)

// child is a process that parses the content of one upload after the other. A parser that
// crashes, or takes more memory or time than allowed, ends the child and not its parent. The
// parent sends the name of a file as a line of JSON, and the content in the chunks of HTTP.
// The child answers with messages.
type child struct {
	process *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	silent  time.Duration
}

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

// Child parses the files that arrive on standard input. It returns the exit code of the process.
func Child() int {
	confine(childMemory)
	debug.SetMemoryLimit(childCollect)
	debug.SetGCPercent(childGarbage)
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	// If a message cannot be sent, the parent is gone, and the next read fails.
	send := func(m message) bool { return out.Encode(m) == nil }
	run, err := New(Options{
		Skip:     func(s Skip) { send(message{Skip: &s}) },
		Progress: func(bytes int64) { send(message{Read: bytes}) },
	})
	for err == nil {
		err = run.answer(in, send)
	}
	if errors.Is(err, io.EOF) {
		return 0
	}
	return 1
}

// answer parses one file.
func (r *Run) answer(in *bufio.Reader, send func(message) bool) error {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	var name string
	if err := json.Unmarshal(line, &name); err != nil {
		return err
	}
	content := httputil.NewChunkedReader(in)
	k := r.sink(context.Background(), upload(name), nil)
	k.forward = func(d draft, line int) bool {
		return send(message{Draft: true, ID: d.id, Title: d.title, Blocks: d.blocks, Passages: d.passages, Metadata: d.encoded, Line: line, Row: k.rows})
	}
	k.read(content)
	_, err = io.Copy(io.Discard, content)
	send(message{End: true})
	return err
}

// startChild starts a child that ends when the parent closes its input.
func startChild(command []string) (*child, error) {
	c := &child{process: exec.Command(command[0], command[1:]...), silent: childSilence}
	c.process.Env = []string{"GOMAXPROCS=2"} // leaves processors to other requests; no secrets
	var err error
	if c.in, err = c.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = json.NewDecoder(out)
	return c, c.process.Start()
}

func (c *child) send(name string, content io.Reader) {
	header, err := json.Marshal(name)
	if err == nil {
		_, err = c.in.Write(append(header, '\n'))
	}
	chunks := httputil.NewChunkedWriter(c.in)
	if err == nil {
		_, err = io.Copy(chunks, content)
	}
	if err == nil {
		err = chunks.Close()
	}
	if err != nil {
		_ = c.in.Close() // the child ends
	}
}

func (c *child) end() {
	_ = c.process.Process.Kill() // it may have ended
	_ = c.process.Wait()
}

// Close ends the run.
func (r *Run) Close() {
	if r.child != nil {
		r.child.end()
		r.child = nil
	}
}

// readInChild reads content in a child. It returns false, without having read anything, if there
// is none.
func (k *sink) readInChild(content io.Reader) bool {
	command := k.run.options.Child
	if len(command) == 0 {
		return false
	}
	if k.run.child == nil {
		c, err := startChild(command)
		if err != nil {
			return false
		}
		k.run.child = c
	}
	c := k.run.child
	defer context.AfterFunc(k.ctx, func() { _ = c.process.Process.Kill() })()
	raw := &rawReader{ctx: k.ctx, file: content, progress: func(int64) {}}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		c.send(k.source.Name, raw)
	}()
	ended, late := k.receive(c)
	if !ended {
		k.run.Close()
	}
	<-sent
	switch {
	case ended, k.stopped:
	case k.ctx.Err() != nil:
		k.interrupt()
	case raw.err != nil:
		k.skip(0, raw.err)
	case late:
		k.skip(0, unusable(TooLarge, "reading it takes more than %v; divide it", c.silent))
	default:
		k.skip(0, unusable(Unreadable, "reading it takes too much memory, or its reader fails; divide it or convert it to another format"))
	}
	return true
}

// receive handles the messages about one file. ended reports whether the child has read all of
// it; late, whether it was killed because it was silent too long.
func (k *sink) receive(c *child) (ended, late bool) {
	for {
		var m message
		timer := time.AfterFunc(c.silent, func() { _ = c.process.Process.Kill() })
		err := c.out.Decode(&m)
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
