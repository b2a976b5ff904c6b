package hub

import (
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// testProxy forwards every request to one server, whatever the host.
type testProxy struct {
	*httptest.Server
	target string // host and port

	mu    sync.Mutex
	asked map[string]int // by method and host
}

func newProxy(t *testing.T, target string) *testProxy {
	t.Helper()
	p := &testProxy{target: target, asked: map[string]int{}}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *testProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked[r.Method+" "+r.Host]++
	p.mu.Unlock()
	if user, password, _ := proxyUser(r); user != "u" || password != "proxy-secret" {
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	if r.Method == http.MethodConnect {
		p.tunnel(w)
		return
	}
	out := r.Clone(r.Context())
	out.RequestURI, out.URL.Host = "", p.target
	out.Header.Del("Proxy-Authorization")
	answer, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	for k, v := range answer.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body)
}

// requests counts the requests with a given method and host, and all others.
func (p *testProxy) requests(of string) (these, others int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, n := range p.asked {
		if key == of {
			these += n
		} else {
			others += n
		}
	}
	return these, others
}

func proxyUser(r *http.Request) (user, password string, ok bool) {
	return (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth()
}

// tunnel connects the client and the server until one of them closes.
func (p *testProxy) tunnel(w http.ResponseWriter) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	client, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		server.Close()
		return
	}
	io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		both.Go(func() {
			io.Copy(way[0], way[1])
			way[0].Close()
			way[1].Close()
		})
	}
	both.Wait()
}

// TestProxy pulls through a proxy from a hub whose name only the proxy can resolve. It runs
// in a child because a process reads the proxy variables only once.
func TestProxy(t *testing.T) {
	s := newHub(t)
	s.change(func() { s.large = nil }) // serve everything from the hub itself
	p := newProxy(t, strings.TrimPrefix(s.URL, "http://"))
	address := strings.Replace(p.URL, "http://", "http://u:proxy-secret@", 1)
	env := []string{endpointEnv + "=http://hub.invalid", "HTTP_PROXY=" + address, "http_proxy=" + address, "NO_PROXY=", "no_proxy="}
	dir := t.TempDir()
	if output := runChild(t, dir, env...); !strings.Contains(output, "installed 0 model.onnx") {
		t.Fatalf("got output %q", output)
	}
	if asked, other := p.requests("GET hub.invalid"); asked < 3 || other > 0 {
		t.Errorf("the proxy was asked %d times for the hub, %d times for something else", asked, other)
	}
	content, err := os.ReadFile(filepath.Join(dir, "model.onnx"))
	must(t, err)
	if string(content) != string(s.files["model.onnx"]) {
		t.Error("the content differs through the proxy")
	}

	for want, extra := range map[string][]string{
		"error pulling owner/model: asking http://hub.invalid for": {"NO_PROXY=hub.invalid", "no_proxy=hub.invalid"},
		"answers 407 Proxy Authentication Required; give the":      {"HTTP_PROXY=" + p.URL, "http_proxy=" + p.URL},
	} {
		before, _ := p.requests("GET hub.invalid")
		output := runChild(t, t.TempDir(), append(env, extra...)...)
		if !strings.Contains(output, want) || strings.Contains(output, "proxy-secret") {
			t.Errorf("%q: got output %q", extra, output)
		}
		if after, _ := p.requests("GET hub.invalid"); (after > before) != strings.Contains(want, "407") {
			t.Errorf("%q: the proxy was asked %d times", extra, after-before)
		}
	}
}

// TestSecureProxy does the same with TLS, where the proxy sees only the host name.
func TestSecureProxy(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("this system does not read trusted certificates from the environment")
	}
	s := newHub(t)
	s.change(func() { s.large = nil })
	secure := httptest.NewTLSServer(s.Server.Config.Handler)
	t.Cleanup(secure.Close)
	trusted := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o666))
	p := newProxy(t, strings.TrimPrefix(secure.URL, "https://"))
	address := (&url.URL{Scheme: "http", User: url.UserPassword("u", "proxy-secret"), Host: strings.TrimPrefix(p.URL, "http://")}).String()
	env := []string{endpointEnv + "=https://example.com", "HTTPS_PROXY=" + address, "https_proxy=" + address, "NO_PROXY=", "no_proxy=", "SSL_CERT_FILE=" + trusted}
	if output := runChild(t, t.TempDir(), env...); !strings.Contains(output, "installed 0 model.onnx") {
		t.Fatalf("got output %q", output)
	}
	if asked, other := p.requests("CONNECT example.com:443"); asked == 0 || other > 0 {
		t.Errorf("the proxy was asked %d times for the hub, %d times for something else", asked, other)
	}
	output := runChild(t, t.TempDir(), append(env, "SSL_CERT_FILE="+os.DevNull, "SSL_CERT_DIR="+t.TempDir())...)
	if !strings.Contains(output, "certificate signed by unknown authority") || strings.Contains(output, "tries") {
		t.Errorf("untrusted server: got output %q", output)
	}
}

// runChild returns the output of a child.
func runChild(t *testing.T, dir string, env ...string) string {
	t.Helper()
	cmd, lines := startChild(t, dir, env...)
	var output strings.Builder
	for lines.Scan() {
		output.WriteString(lines.Text() + "\n")
	}
	_ = cmd.Wait() // the output shows whether it failed
	return output.String()
}
