package testserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Server is a server with its data in a temporary directory. It ends with this process at the
// latest. Its methods are for one goroutine.
type Server struct {
	Name  string // in errors
	Dir   string
	Port  string
	Ready func(context.Context, *Server) bool
	// PIDFile is the file in Dir with the process id of the server, if Command only launches it.
	PIDFile string
	// Tidy says that Close lets the server end by itself, with the processes that it has started.
	Tidy bool

	// Command returns the command that starts the server on Port with its data in Dir. A server
	// must exit when its standard input ends.
	Command func(*Server) *exec.Cmd

	cmd    *exec.Cmd
	stdin  io.Closer
	ended  chan struct{} // closed when the process has exited
	output *Tail
}

// Launch starts a server and waits until it is ready.
func (p *Server) Launch(ctx context.Context) (err error) {
	if p.Dir, err = os.MkdirTemp("", "nsfl-test-"); err == nil {
		p.Port, err = FreePort()
	}
	if err == nil {
		err = p.Restart(ctx)
	}
	if err != nil {
		p.Close()
		return fmt.Errorf("starting %s: %w", p.Name, err)
	}
	return nil
}

// Restart starts the server again after Kill, with the same data and port, and waits until it
// is ready.
func (p *Server) Restart(ctx context.Context) error {
	p.cmd, p.output = p.Command(p), &Tail{}
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	p.stdin = stdin
	if err := p.cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	p.ended = ended
	go func(cmd *exec.Cmd) {
		_ = cmd.Wait() // it is killed
		close(ended)
	}(p.cmd)
	return Wait(ctx, p.ended, p.output.String, func(ctx context.Context) bool { return p.Ready(ctx, p) })
}

func (p *Server) Address() string { return net.JoinHostPort("127.0.0.1", p.Port) }

func (p *Server) Process() *os.Process {
	if text, err := os.ReadFile(filepath.Join(p.Dir, p.PIDFile)); err == nil {
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			if process, err := os.FindProcess(pid); err == nil {
				return process
			}
		}
	}
	return p.cmd.Process
}

func (p *Server) Kill() {
	_ = p.Process().Kill() // it may have ended
	<-p.ended
}

func (p *Server) Close() {
	switch {
	case p.ended == nil: // it was not started
	case p.Tidy:
		_ = p.stdin.Close()
		<-p.ended
	default:
		p.Kill()
	}
	_ = os.RemoveAll(p.Dir)
}
