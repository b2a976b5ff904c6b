package server

import (
	"bufio"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/server/auth"
)

// sample is a request for a route, such that it reaches the handler.
func sample(path string) string {
	return strings.NewReplacer("{name}", "none", "{id}", "none", "{screening}", "none").Replace(path)
}

// What each role may do, route by route, as the document lists them: a new route
// cannot be forgotten here.
func TestRoles(t *testing.T) {
	open := []string{ // to anyone
		"GET /docs", "GET /docs/docs.css", "GET /docs/docs.js", "GET /healthz", "GET /openapi.json", "GET /readyz", "GET /version",
	}
	writing := []string{
		"POST /v1/collections/{name}/documents", "POST /v1/collections/{name}/documents/bulk", "POST /v1/collections/{name}/files",
		"PUT /v1/collections/{name}/documents/{id}", "DELETE /v1/collections/{name}/documents/{id}",
		"POST /v1/collections/{name}/documents/delete", "GET /v1/collections/{name}/sources", "POST /v1/collections/{name}/sources",
		"POST /v1/collections/{name}/screenings", "POST /v1/collections/{name}/screenings/{screening}/next", "POST /v1/collections/{name}/screenings/{screening}/decisions",
	}
	administering := []string{
		"POST /v1/collections", "DELETE /v1/collections/{name}", "PUT /v1/collections/{name}/quota",
		"GET /v1/collections/{name}/backups", "POST /v1/collections/{name}/backups", "POST /v1/restore",
	}
	a := start(t, Config{Root: t.TempDir(), Keys: testKeys})
	for path, methods := range a.check.paths {
		for method := range methods {
			route := strings.ToUpper(method) + " " + path
			need := Read
			switch {
			case slices.Contains(open, route):
				need = Anyone
			case slices.Contains(writing, route):
				need = Write
			case slices.Contains(administering, route):
				need = Admin
			}
			for role := Anyone; role <= Admin; role++ {
				a.key = testSecrets[role]
				response, content := a.request(strings.ToUpper(method), sample(path), nil, nil)
				refused := response.StatusCode == 401 || response.StatusCode == 403
				if refused != (role < need) {
					t.Errorf("%s as %s: %d: %s", route, role, response.StatusCode, content)
				}
				if role == Anyone && refused && (response.StatusCode != 401 || response.Header.Get("WWW-Authenticate") == "") {
					t.Errorf("%s without a key: %d", route, response.StatusCode)
				}
			}
		}
	}
}

// testKeys has one for each role; testSecrets are by role.
var testKeys, testSecrets = func() (keys []auth.Key, secrets []string) {
	secrets = []string{""}
	for role := Read; role <= Admin; role++ {
		secret, key, err := auth.NewKey(role, "for tests")
		if err != nil {
			panic(err)
		}
		keys, secrets = append(keys, key), append(secrets, secret)
	}
	return keys, secrets
}()

// The description asks for keys where the server does.
func TestKeysDescribed(t *testing.T) {
	for keyed, c := range map[bool]Config{false: {}, true: {Keys: testKeys}} {
		api := start(t, c).call(200, "GET", "/openapi.json", "")
		if security := at(api, "paths", "/v1/parse", "post", "security").([]any); (len(security) == 2) != keyed {
			t.Errorf("keys are needed: %v, and described: %v", keyed, security)
		}
	}
}

func TestKeysOverHTTP(t *testing.T) {
	a := start(t, Config{Root: t.TempDir(), Keys: testKeys})
	other, _, err := auth.NewKey(Admin, "")
	if err != nil {
		t.Fatal(err)
	}
	read := testSecrets[Read]
	for _, c := range []struct {
		name, value string
		status      int
	}{
		{"Authorization", "Bearer " + read, 200},
		{"Authorization", "bearer " + read, 200},
		{"X-Api-Key", read, 200},
		{"Authorization", "Basic " + read, 401},
		{"Authorization", read, 401},
		{"Authorization", "Bearer " + other, 401},
		{"X-Api-Key", read[:len(read)-1] + "x", 401},
		{"X-Api-Key", read[:14] + other[14:], 401}, // the id of one, the secret of another
		{"X-Api-Key", strings.Repeat("x", 10_000), 401},
	} {
		if response, _ := a.request("GET", "/v1/collections", http.Header{c.name: {c.value}}, nil); response.StatusCode != c.status {
			t.Errorf("%s: %.40s: %d, want %d", c.name, c.value, response.StatusCode, c.status)
		}
	}
}

// A proxy in front of a server without keys that gives it a local name, tells nothing of
// itself and speaks HTTP/1.0, as nginx does by default, makes nobody an administrator.
func TestSilentProxy(t *testing.T) {
	a := start(t, Config{Root: t.TempDir()})
	for version, want := range map[string]string{"1.0": " 403 ", "1.1": " 200 "} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(a.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "GET /v1/collections HTTP/%s\r\nHost: localhost\r\nConnection: close\r\n\r\n", version)
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, want) {
			t.Errorf("HTTP/%s: %q, %v", version, line, err)
		}
	}
}

// A page of another origin, and a name that points here, get nowhere.
func TestOtherOrigins(t *testing.T) {
	plain := start(t, Config{Root: t.TempDir(), Hosts: []string{"box.local"}})
	keyed := start(t, Config{Root: t.TempDir(), Keys: testKeys, Origins: []string{"https://good.example"}})
	keyed.key = testSecrets[Admin]
	open := start(t, Config{Root: t.TempDir(), Insecure: true})
	for _, c := range []struct {
		a      *api
		method string
		header http.Header
		status int
	}{
		{plain, "POST", nil, 201},
		{plain, "POST", http.Header{"Origin": {"http://evil.example"}}, 403},
		{plain, "POST", http.Header{"Origin": {"null"}}, 403},
		{plain, "POST", http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		{plain, "POST", http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		{plain, "POST", http.Header{"Sec-Fetch-Site": {"same-origin"}}, 201},
		{plain, "GET", http.Header{"Host": {"evil.example"}}, 403},
		{plain, "POST", http.Header{"Host": {"evil.example"}}, 403},
		{plain, "GET", http.Header{"Host": {"127.0.0.1.evil.example:80"}}, 403},
		{plain, "GET", http.Header{"Host": {"localhost:7700"}}, 200},
		{plain, "GET", http.Header{"Host": {"[::1]:7700"}}, 200},
		{plain, "GET", http.Header{"Host": {"box.local"}}, 200},
		{plain, "GET", http.Header{"X-Forwarded-For": {"192.0.2.1"}}, 403}, // a proxy, whatever name it gives
		{plain, "POST", http.Header{"Forwarded": {"for=192.0.2.1"}}, 403},
		{plain, "GET", http.Header{"X-Forwarded-Host": {"search.example"}}, 403},
		{plain, "POST", http.Header{"Origin": {"https://search.example"}, "Sec-Fetch-Site": {"same-origin"}}, 403}, // a proxy that tells nothing, and its page
		{plain, "GET", http.Header{"X-Real-Ip": {"192.0.2.1"}}, 403},
		{plain, "GET", http.Header{"Via": {"1.1 proxy"}}, 403},
		{plain, "GET", http.Header{"Via": {"1.1 proxy"}, "Host": {"box.local"}}, 200},
		{keyed, "GET", http.Header{"Via": {"1.1 proxy"}}, 200},
		{open, "GET", http.Header{"Via": {"1.1 proxy"}}, 200},
		{keyed, "GET", http.Header{"Host": {"search.example"}}, 200},
		{keyed, "POST", http.Header{"Origin": {"https://good.example"}}, 201},
		{keyed, "POST", http.Header{"Origin": {"https://evil.example"}}, 403},
		{open, "GET", http.Header{"Host": {"search.example"}}, 200},
		{open, "POST", http.Header{"Origin": {"http://evil.example"}}, 403},
	} {
		status := c.a.asBrowser(c.method, c.header)
		if status != c.status {
			t.Errorf("%s %v: %d, want %d", c.method, c.header, status, c.status)
		}
	}
	preflight := http.Header{"Origin": {"https://good.example"}, "Access-Control-Request-Method": {"POST"}}
	response, _ := keyed.request("OPTIONS", "/v1/collections", preflight, nil)
	if response.StatusCode != 204 || response.Header.Get("Access-Control-Allow-Origin") != "https://good.example" || !strings.Contains(response.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("a preflight: %d, %v", response.StatusCode, response.Header)
	}
	for _, a := range []*api{plain, keyed} {
		preflight.Set("Origin", "https://evil.example")
		if response, _ = a.request("OPTIONS", "/v1/collections", preflight, nil); response.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("a foreign preflight: %d, %v", response.StatusCode, response.Header)
		}
	}
	any := start(t, Config{Root: t.TempDir(), Keys: testKeys, Origins: []string{"*"}})
	any.key = testSecrets[Admin]
	if status := any.asBrowser("POST", http.Header{"Origin": {"https://any.example"}}); status != 201 {
		t.Errorf("any origin, with a key: %d", status)
	}
}

// asBrowser makes or lists collections with the headers of a browser.
func (a *api) asBrowser(method string, header http.Header) int {
	a.Helper()
	body := ""
	if method == "POST" {
		body = `{"name": "c` + strings.ToLower(requestID(&http.Request{})) + `"}`
	}
	r, err := http.NewRequest(method, a.base+"/v1/collections", strings.NewReader(body))
	if err != nil {
		a.Fatal(err)
	}
	for name, values := range header {
		r.Header[name] = values
	}
	r.Host = header.Get("Host")
	if a.key != "" {
		r.Header.Set("X-Api-Key", a.key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		a.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// A key sent over plain HTTP is logged once.
func TestPlainKeys(t *testing.T) {
	log := &logged{}
	a := start(t, Config{Root: t.TempDir(), Keys: testKeys, Log: slog.New(slog.NewTextHandler(log, nil))})
	for _, c := range []struct {
		remote, proto string
		warnings      int
	}{{"127.0.0.1:1", "", 0}, {"192.0.2.1:1", "https", 0}, {"192.0.2.1:1", "", 1}, {"192.0.2.2:1", "http", 1}} {
		r := httptest.NewRequest("GET", "http://localhost/v1/encoders", nil)
		r.RemoteAddr = c.remote
		r.Header.Set("X-Api-Key", testSecrets[Read])
		r.Header.Set("X-Forwarded-Proto", c.proto)
		w := httptest.NewRecorder()
		a.server.Handler().ServeHTTP(w, r)
		if n := strings.Count(log.String(), "a key was sent over plain HTTP"); w.Code != 200 || n != c.warnings {
			t.Errorf("%s %s: %d, %d warnings", c.remote, c.proto, w.Code, n)
		}
	}
	if strings.Contains(log.String(), "keys are sent over plain HTTP") {
		t.Error("loopback was warned of")
	}
}
