package weaviate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/nsfl-go/nsfl/internal/testserver"
)

// clusterOptions are how Weaviate servers are started. The servers listen on all addresses:
// call isolate first.
type clusterOptions struct {
	Nodes int      // 0: one
	Dir   string   // where they keep their data and their logs
	Env   []string // more settings of the servers, NAME=VALUE
}

// testCluster is a cluster of Weaviate servers on this machine.
type testCluster struct {
	binary string
	env    []string
	nodes  []*node
}

// errMissing says that there is no server to start.
var errMissing = errors.New("no Weaviate server: make setup builds it to .cache/weaviate, or NSFL_WEAVIATE names another")

// serverBinary is the server's file: NSFL_WEAVIATE, or .cache/weaviate in the folder that
// holds go.mod, at or above the current one.
func serverBinary() (string, error) {
	path, err := testserver.Installed("NSFL_WEAVIATE", "weaviate")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", errMissing
	}
	return path, nil
}

// startCluster starts servers and waits until each of them answers and knows the others.
func startCluster(ctx context.Context, o clusterOptions) (*testCluster, error) {
	binary, err := serverBinary()
	if err != nil {
		return nil, err
	}
	n := max(1, o.Nodes)
	c := &testCluster{binary: binary, env: o.Env}
	for i := range n {
		c.nodes = append(c.nodes, newNode(i, o.Dir))
	}
	for i := range c.nodes {
		err := c.start(i)
		if err == nil && i == 0 {
			// A server ends that finds nobody to join.
			err = c.wait(ctx, i, (*node).listens)
		}
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	for i := range c.nodes {
		if err := c.wait(ctx, i, (*node).ready); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

// start starts a node, which joins those that run.
func (c *testCluster) start(i int) error {
	var raft, gossip []string
	for j, n := range c.nodes {
		raft = append(raft, fmt.Sprintf("%s:%d", n.name, n.port(portRaft)))
		if j != i && n.cmd != nil {
			gossip = append(gossip, n.address(portGossip))
		}
	}
	env := append([]string{
		"RAFT_JOIN=" + strings.Join(raft, ","),
		fmt.Sprint("RAFT_BOOTSTRAP_EXPECT=", len(raft)),
		"CLUSTER_JOIN=" + strings.Join(gossip, ","),
	}, c.env...)
	return c.nodes[i].start(c.binary, env)
}

// wait waits until something is true of a node.
func (c *testCluster) wait(ctx context.Context, i int, until func(*node, context.Context) bool) error {
	n := c.nodes[i]
	err := testserver.Wait(ctx, n.ended, n.tail, func(ctx context.Context) bool { return until(n, ctx) })
	if err != nil {
		return fmt.Errorf("starting Weaviate: %w", err)
	}
	return nil
}

// listens reports whether a node can be joined.
func (n *node) listens(ctx context.Context) bool {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", n.address(portGossip))
	if err != nil {
		return false
	}
	return c.Close() == nil
}

// ready reports whether a node says that it is.
func (n *node) ready(ctx context.Context) bool {
	return testserver.Answers(ctx, "http://"+n.address(portHTTP)+"/v1/.well-known/ready")
}

// URL is the address of a node, by default the first, without a collection.
func (c *testCluster) URL(node ...int) string {
	i := append(node, 0)[0]
	return fmt.Sprintf("weaviate://%s/?grpc=%s", c.HTTP(i), c.GRPC(i))
}

// HTTP is where a node listens for HTTP, HOST:PORT.
func (c *testCluster) HTTP(i int) string { return c.nodes[i].address(portHTTP) }

// GRPC is where a node listens for gRPC, HOST:PORT.
func (c *testCluster) GRPC(i int) string { return c.nodes[i].address(portGRPC) }

// Kill ends a node at once, as a power cut would.
func (c *testCluster) Kill(i int) error { return c.nodes[i].kill() }

// Process returns the process of a node.
func (c *testCluster) Process(i int) *os.Process { return c.nodes[i].cmd.Process }

// Restart starts a node that was killed, with the data it had, and waits until it
// is ready.
func (c *testCluster) Restart(ctx context.Context, i int) error {
	if err := c.start(i); err != nil {
		return err
	}
	return c.wait(ctx, i, (*node).ready)
}

// Close ends all nodes.
func (c *testCluster) Close() error {
	var errs []error
	for _, n := range c.nodes {
		errs = append(errs, n.kill())
	}
	return errors.Join(errs...)
}
