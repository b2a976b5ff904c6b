package milvus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/remote/rpc"
	"github.com/nsfl-go/nsfl/internal/testserver"
)

func hasten(s enginetest.Store, limit time.Duration) func() {
	o := &s.(*remote.Store).Calls.Options
	usual := *o
	o.Timeout, o.WriteTimeout = limit, limit
	return func() { *o = usual }
}

func serverAt(t testing.TB) string {
	a, err := configure(sharedURL(t))
	if err != nil {
		t.Fatal(err)
	}
	return a.Host
}

func process(t testing.TB) ([]string, *os.Process) {
	s := started(t)
	t.Cleanup(s.Close)
	return []string{s.Address()}, s.Process()
}

func TestAttachedFailures(t *testing.T) {
	enginetest.Failures(t, enginetest.Remote{
		Targets: func(t testing.TB) []string { return []string{serverAt(t)} },
		Start:   process,
		Hasten:  hasten,
		Attach: func(t testing.TB, at []string, docs []engine.Document) (enginetest.Store, error) {
			url := "milvus://" + at[0] + "/"
			name := loose(docs).made(t, clientOf(t, url))
			return Open(context.Background(), enginetest.At(url, name)+"&text=body", engine.Options{})
		},
	})
}

// TestGarbage checks that answers from other servers are errors, not crashes.
func TestGarbage(t *testing.T) {
	t.Setenv("MILVUS_TOKEN", "root:hunter2")
	for name, answer := range map[string]string{
		"nothing": "", "zeros": strings.Repeat("\x00", 1000), "another": "220 mail.example.org ESMTP\r\n",
		"HTTP": "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{\"a\": 1}",
	} {
		url := "milvus://" + testserver.Answering(t, answer) + "/"
		_, err := Open(context.Background(), url, engine.Options{Timeout: 5 * time.Second})
		if err == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") || len(err.Error()) > 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// between is a server with scripted answers.
type between struct {
	status     *wire.Status
	authorized []string // what came as authorization
}

// serve answers whatever it is asked, and is where.
func (b *between) serve(t *testing.T, o ...grpc.ServerOption) string {
	server := grpc.NewServer(append(o, grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		md, _ := metadata.FromIncomingContext(stream.Context())
		b.authorized = append(b.authorized, md.Get("authorization")...)
		if err := stream.RecvMsg(new(wire.NamedRequest)); err != nil {
			return err
		}
		return stream.SendMsg(&wire.DescribeCollectionResponse{Status: b.status})
	}))...)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return l.Addr().String()
}

// TestRefusals checks that errors include the server's message without the password.
func TestRefusals(t *testing.T) {
	b := &between{status: &wire.Status{Code: 1800, Reason: "user root with hunter2 (cm9vdDpodW50ZXIy) may not"}}
	_, err := Open(context.Background(), "milvus://root:hunter2@"+b.serve(t)+"/", engine.Options{})
	if err == nil || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "cm9vdDpodW50ZXIy") || !strings.Contains(err.Error(), "the server says: user root with [hidden] ([hidden]) may not") {
		t.Errorf("got error %v, want what the server says, with the secrets hidden", err)
	}
	if len(b.authorized) != 1 || b.authorized[0] != "cm9vdDpodW50ZXIy" {
		t.Errorf("authorized by %q", b.authorized)
	}
	b = &between{status: &wire.Status{Code: 2, Reason: "soon", Retriable: true}}
	t.Setenv("MILVUS_TOKEN", "key")
	_, err = Open(context.Background(), "milvus://"+b.serve(t)+"/", engine.Options{})
	if err == nil || len(b.authorized) != 1+remote.Repetitions || b.authorized[0] != "a2V5" {
		t.Errorf("asked as %q: %v", b.authorized, err)
	}
}

// A server whose certificate nobody has signed gets nothing, and one whose certificate is
// known gets the password.
func TestCertificates(t *testing.T) {
	trusted := httptest.NewTLSServer(nil)
	defer trusted.Close()
	b := &between{status: &wire.Status{Code: codeNoCollection}}
	at := b.serve(t, grpc.Creds(credentials.NewServerTLSFromCert(&trusted.TLS.Certificates[0])))
	_, err := Open(context.Background(), "milvus://root:hunter2@"+at+"/?tls=true", engine.Options{})
	if !errors.Is(err, rpc.ErrLost) || !strings.Contains(err.Error(), "certificate") || len(b.authorized) > 0 {
		t.Errorf("asked as %q: %v", b.authorized, err)
	}
	known := x509.NewCertPool()
	known.AddCert(trusted.Certificate())
	a, err := configure("milvus://root:hunter2@" + at + "/?tls=true")
	if err != nil {
		t.Fatal(err)
	}
	c, err := newClient(a, &tls.Config{RootCAs: known})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Ask(context.Background(), "DescribeCollection", new(wire.NamedRequest), new(wire.DescribeCollectionResponse)); !refused(err, codeNoCollection) || len(b.authorized) != 1 {
		t.Errorf("asked as %q: %v", b.authorized, err)
	}
}
