package server

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/server/auth"
	"github.com/nsfl-go/nsfl/server/limit"
)

// admit checks that the key of a request has the role.
func (s *Server) admit(x *exchange, need Role) error {
	if need == Anyone {
		return nil
	}
	if !s.keys.IsNeeded() {
		x.record.role, x.record.party = Admin, limit.AddressOf(x.RemoteAddr)
		return nil
	}
	secret := secretOf(x.Request)
	if secret == "" {
		return newProblem("unauthorized", "a key is required: send it as Authorization: Bearer nsfl_…")
	}
	key, err := s.keys.Find(secret)
	if err != nil {
		return err
	}
	s.warnOfPlain(x, key)
	x.record.key, x.record.party, x.record.role, x.record.holder = key.ID, key.ID, key.Role, key
	if key.Role < need {
		return newProblem("forbidden", "this needs a key of the role %s; the one given has the role %s", need, key.Role)
	}
	return nil
}

// warnOfPlain logs, once per key, that the key was sent over plain HTTP from another machine.
func (s *Server) warnOfPlain(x *exchange, key *auth.Key) {
	host, _, err := net.SplitHostPort(x.RemoteAddr)
	if err != nil || x.TLS != nil || auth.IsLoopback(host) || strings.EqualFold(x.Header.Get("X-Forwarded-Proto"), "https") {
		return
	}
	if _, known := s.plain.LoadOrStore(key.ID, true); !known {
		s.log.Warn("a key was sent over plain HTTP from another machine, where others could read it; use TLS, and rotate the key", "key", key.ID, "remote", x.RemoteAddr)
	}
}

func secretOf(r *http.Request) string {
	if secret := r.Header.Get("X-API-Key"); secret != "" {
		return strings.TrimSpace(secret)
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(secret)
}

// guarded rejects cross-origin requests from browsers, and requests from other machines if the
// server has no keys.
func (s *Server) guarded(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	for _, origin := range s.config.Origins {
		if origin != "*" {
			_ = cross.AddTrustedOrigin(origin) // New has validated them
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setSecurityHeaders(w.Header())
		x := s.exchange(w, r)
		if err := s.checkReach(r); err != nil {
			x.fail(err)
			return
		}
		any := slices.Contains(s.config.Origins, "*")
		if origin := r.Header.Get("Origin"); origin != "" && len(s.config.Origins) > 0 {
			w.Header().Add("Vary", "Origin")
			if any || slices.Contains(s.config.Origins, origin) {
				allowOrigin(w.Header(), origin)
				if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
					w.WriteHeader(http.StatusNoContent)
					return
				}
			}
		}
		// Browsers do not send keys by themselves, so a server with keys can allow any origin.
		// Without keys, a page could act in the user's name.
		if !(any && s.keys.IsNeeded()) {
			if err := cross.Check(r); err != nil {
				x.fail(newProblem("forbidden", "pages of other origins may not change anything; --cors allows an origin").because(err))
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// checkReach limits a server without keys to this machine: the connection must arrive on
// loopback and the Host header must name this machine. DNS rebinding makes foreign names
// resolve to loopback.
func (s *Server) checkReach(r *http.Request) error {
	if s.keys.IsNeeded() || s.config.Insecure {
		return nil
	}
	if addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if host, _, err := net.SplitHostPort(addr.String()); err == nil && !auth.IsLoopback(host) {
			return newProblem("forbidden", "without keys this server answers on loopback only")
		}
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if auth.IsLoopback(host) && isForwarded(r) {
		return newProblem("forbidden", "the request came through a proxy, and this server has no keys: every client of the proxy could do everything. Create a key with nsfl serve key and name the file with --keys-file")
	}
	if auth.IsLoopback(host) || slices.Contains(s.config.Hosts, strings.ToLower(host)) {
		return nil
	}
	return newProblem("forbidden", "this server has no keys and answers to localhost, not to %q; --hosts adds a name", host)
}

// isForwarded reports whether a request came through a proxy: it has a forwarding header, it
// uses HTTP/1.0 as proxies do and current clients do not, or it comes from a browser page of
// another host. A proxy that passes a local host name to a server without keys would make
// every client an administrator.
func isForwarded(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"} {
		if len(r.Header[name]) > 0 {
			return true
		}
	}
	if !r.ProtoAtLeast(1, 1) {
		return true
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return r.Header.Get("Sec-Fetch-Site") == "same-origin" && (err != nil || origin.Host != "" && !auth.IsLoopback(origin.Hostname()))
}

func allowOrigin(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding, X-API-Key, X-Request-Id")
	h.Set("Access-Control-Expose-Headers", "X-Request-Id, Retry-After")
	h.Set("Access-Control-Max-Age", "600")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// setSecurityHeaders forbids framing, content sniffing and content from other origins.
func setSecurityHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// Role is the permission of a key.
type Role = auth.Role

// Roles, each with the permissions of those before it.
const (
	Anyone = auth.Anyone
	Read   = auth.Read
	Write  = auth.Write
	Admin  = auth.Admin
)

// Rights are the permissions of the caller. The page uses them to hide unavailable actions.
type Rights struct {
	Role        string   `json:"role" enum:"read,write,admin"`
	Keys        bool     `json:"keys" doc:"requests need a key"`
	Collections []string `json:"collections,omitempty" doc:"collections of the key; omitted if it is valid for all"`
	CannotMake  string   `json:"cannot_make,omitempty" doc:"why no collection can be created; omitted if it is possible"`
	Files       bool     `json:"files" doc:"documents' original files can be read"`
	UploadBytes int64    `json:"upload_bytes" doc:"maximum size of an upload"`
}

func (s *Server) rights(x *exchange, _ *nothing) (*Rights, error) {
	r := &Rights{Role: x.record.role.String(), Keys: s.keys.IsNeeded(), UploadBytes: s.limits.StreamBytes, Files: s.canOpenFiles(x) == nil}
	if x.record.holder != nil {
		r.Collections = x.record.holder.Collections
	}
	if x.record.role < Admin {
		r.CannotMake = "this needs a key of the role admin"
	} else if err := s.collections.CanMake(); err != nil {
		r.CannotMake = problemOf(err).Detail
	}
	return r, nil
}
