package weaviate

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

// The ports of a node, from its first. Weaviate takes it that the one of its
// internal calls is next to that of Raft.
const (
	portHTTP = iota
	portGRPC
	portGossip
	portData
	portRaft
	portRaftRPC
	portsPerNode
)

// node is one server.
type node struct {
	name  string
	dir   string
	first int           // of its ports
	cmd   *exec.Cmd     // nil: it does not run
	ended chan struct{} // closed when the process has ended
}

// nextPort is the first of those that no node of this process has had. They lie
// below the ports that connections are given.
var nextPort atomic.Int64

func init() { nextPort.Store(20_000) }

func newNode(i int, dir string) *node {
	name := fmt.Sprint("node-", i)
	return &node{name: name, dir: filepath.Join(dir, name), first: int(nextPort.Add(portsPerNode)) - portsPerNode}
}

func (n *node) port(which int) int { return n.first + which }

func (n *node) address(which int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(n.port(which)))
}

func (n *node) log() string { return n.dir + ".log" }

// start starts the server. Its output goes to a file next to its data.
func (n *node) start(binary string, env []string) error {
	if err := os.MkdirAll(n.dir, 0o755); err != nil {
		return err
	}
	log, err := os.OpenFile(n.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(binary, "--scheme", "http", "--host", "127.0.0.1", "--port", strconv.Itoa(n.port(portHTTP)))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = dieWithParent()
	cmd.Dir = filepath.Dir(n.dir)
	cmd.Env = append([]string{
		"PERSISTENCE_DATA_PATH=" + n.dir,
		fmt.Sprint("GRPC_PORT=", n.port(portGRPC)),
		"CLUSTER_HOSTNAME=" + n.name,
		"CLUSTER_IN_LOCALHOST=true",
		"CLUSTER_ADVERTISE_ADDR=127.0.0.1",
		fmt.Sprint("CLUSTER_GOSSIP_BIND_PORT=", n.port(portGossip)),
		fmt.Sprint("CLUSTER_DATA_BIND_PORT=", n.port(portData)),
		fmt.Sprint("RAFT_PORT=", n.port(portRaft)),
		fmt.Sprint("RAFT_INTERNAL_RPC_PORT=", n.port(portRaftRPC)),
		"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true",
		"DISABLE_TELEMETRY=true",
		"GO_PROFILING_DISABLE=true",
		"PROMETHEUS_MONITORING_ENABLED=false",
		"RAFT_TIMEOUTS_MULTIPLIER=1", // the nodes are not far from each other
		"LOG_LEVEL=warning",
		// Disks of machines that build and test are often rather full.
		"DISK_USE_WARNING_PERCENTAGE=0",
		"DISK_USE_READONLY_PERCENTAGE=0",
	}, env...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting Weaviate: %w", err)
	}
	n.cmd, n.ended = cmd, make(chan struct{})
	go func() {
		cmd.Wait() // it is killed in the end
		close(n.ended)
	}()
	return nil
}

// kill ends the server and waits for that.
func (n *node) kill() error {
	if n.cmd == nil {
		return nil
	}
	err := n.cmd.Process.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	<-n.ended
	n.cmd = nil
	return err
}

// tail returns the end of the log.
func (n *node) tail() string {
	b, err := os.ReadFile(n.log())
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-4000):])
}
