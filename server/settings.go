package server

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/chat"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server/auth"
)

// Settings are the user-facing form of a Config: flags and environment variables of the same
// names, such as --search-time and NSFL_SEARCH_TIME.
type Settings struct {
	Listen         string
	Collections    string
	Stores         []string // NAME=ADDRESS
	Demo           bool
	Files          string
	Encoders       []string
	LLM            string
	KeysFile       string
	Keys           []string // lines as in the key file
	Insecure       bool
	ReallyInsecure bool
	Hosts          []string
	CORS           []string
	TLSCert        string
	TLSKey         string
	TLSClientCA    string
	Audit          string
	Log            string // text, json, problems or off
	Limits         Limits
	Upkeep         Upkeep
}

// Setting is one setting. Its value points into Settings.
type Setting struct {
	Name, Help string
	value      any // *string, *bool, *int, *int64, *time.Duration or *[]string
	// Repeated means that the flag can be given several times. Set and the environment variable,
	// whose name has a plural s, take all values, separated by spaces.
	Repeated bool
	// ByMachine means that the default depends on the machine.
	ByMachine bool
}

// DefaultSettings returns the default settings.
func DefaultSettings() *Settings {
	s := &Settings{Listen: "127.0.0.1:7700", Encoders: []string{builtin.Word}, Log: "text"}
	s.Limits, _ = s.Limits.withDefaults() // the defaults are valid
	s.Upkeep = Upkeep{BackupKeep: 7, ScrubEvery: 7 * 24 * time.Hour, CompactDocuments: 1000, CompactPercent: 20}
	return s
}

// All lists the settings.
func (s *Settings) All() []Setting {
	l := &s.Limits
	return []Setting{
		{Name: "listen", Help: "the address, HOST:PORT", value: &s.Listen},
		{Name: "collections", Help: "the directory whose subdirectories are the collections; it must exist", value: &s.Collections},
		{Name: "store", Help: "a collection in a remote store, NAME=ADDRESS, such as films=postgres://HOST/DATABASE?collection=films; may be repeated", value: &s.Stores, Repeated: true},
		{Name: "demo", Help: "offer the built-in collection of about 500 short texts", value: &s.Demo},
		{Name: "files", Help: "send the original files of documents, if they are below this directory and unchanged since they were indexed; keys that are limited to collections cannot read them; none by default", value: &s.Files},
		{Name: "encoders", Help: "the encoders for new collections, the default first, separated by commas; an existing collection with an encoder at an address or in a folder is opened only if that is listed", value: &s.Encoders},
		{Name: "llm", Help: "the chat endpoint that parses plain language for requests with nl llm: ollama:MODEL, openai:MODEL, vllm:MODEL, llama.cpp:MODEL or http://HOST/v1#MODEL; none by default", value: &s.LLM},
		{Name: "keys-file", Help: "a file with keys, one per line, as nsfl serve key prints them", value: &s.KeysFile},
		{Name: "keys", Help: "keys as in the key file, separated by commas; set them in the environment, not in a flag", value: &s.Keys},
		{Name: "insecure", Help: "listen on other addresses than loopback without keys; requires really-insecure", value: &s.Insecure},
		{Name: "really-insecure", Help: "confirm insecure", value: &s.ReallyInsecure},
		{Name: "hosts", Help: "host names that a server without keys accepts, in addition to localhost", value: &s.Hosts},
		{Name: "cors", Help: "origins of other sites that may use the API, such as https://example.org", value: &s.CORS},
		{Name: "tls-cert", Help: "the certificate, PEM", value: &s.TLSCert},
		{Name: "tls-key", Help: "its key, PEM", value: &s.TLSKey},
		{Name: "tls-client-ca", Help: "certificate authorities, PEM: clients need a certificate signed by one of them, in addition to a key", value: &s.TLSClientCA},
		{Name: "audit", Help: "an audit log: a file that gets a line before and after each change", value: &s.Audit},
		{Name: "log", Help: "the format of the log: text, json, problems (text, errors only) or off", value: &s.Log},

		{Name: "backup-to", Help: "the backup repository: a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST", value: &s.Upkeep.BackupTo},
		{Name: "backup-every", Help: "the interval of backups, such as 24h; 0: only on request", value: &s.Upkeep.BackupEvery},
		{Name: "backup-keep", Help: "how many backups of a collection to keep after a scheduled one; 0: all", value: &s.Upkeep.BackupKeep},
		{Name: "scrub-every", Help: "the interval at which collections are verified against their checksums; 0: never", value: &s.Upkeep.ScrubEvery},
		{Name: "compact-documents", Help: "compact a collection with at least this many deleted documents; 0: never", value: &s.Upkeep.CompactDocuments},
		{Name: "compact-percent", Help: "and at least this percentage of deleted documents", value: &s.Upkeep.CompactPercent},

		{Name: "searches", Help: "concurrent searches", value: &l.Searches, ByMachine: true},
		{Name: "writes", Help: "batches of texts encoded for storage at once", value: &l.Writes},
		{Name: "streams", Help: "concurrent requests that store documents", value: &l.Streams},
		{Name: "connections", Help: "open connections; one address may have three quarters of them", value: &l.Connections, ByMachine: true},
		{Name: "idle-time", Help: "how long an unused collection stays open", value: &l.IdleTime},
		{Name: "rate", Help: "requests per second of one key, or of one address without keys; 0: unlimited", value: &l.Rate},
		{Name: "burst", Help: "burst size of the rate limit; 0: twice the rate", value: &l.Burst},
		{Name: "search-time", Help: "time limit of a search", value: &l.SearchTime},
		{Name: "write-time", Help: "time limit of a request that stores documents, and for receiving a batch of a stream", value: &l.WriteTime},
		{Name: "stall-time", Help: "time limit of a body without progress", value: &l.StallTime},
		{Name: "grace-time", Help: "time limit of requests in flight when the server stops", value: &l.GraceTime},
		{Name: "query-bytes", Help: "maximum body of a search", value: &l.QueryBytes},
		{Name: "write-bytes", Help: "maximum body of a request that stores documents", value: &l.WriteBytes},
		{Name: "stream-bytes", Help: "maximum bulk request or upload, decompressed", value: &l.StreamBytes},
		{Name: "quota-documents", Help: "maximum documents of a collection without its own quota; 0: unlimited", value: &l.QuotaDocuments},
		{Name: "quota-bytes", Help: "maximum size of its files; 0: unlimited", value: &l.QuotaBytes},
		{Name: "answer-bytes", Help: "approximate maximum response; a note reports omitted results", value: &l.AnswerBytes},
		{Name: "memory", Help: "memory of all requests together, such as 2GiB; default: half of the memory of the machine or cgroup", value: &l.Memory, ByMachine: true},
		{Name: "results", Help: "maximum results of a search", value: &l.Results},
	}
}

// Environment returns the name of the environment variable.
func (s Setting) Environment() string {
	name := "NSFL_" + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
	if s.Repeated {
		name += "S"
	}
	return name
}

// IsBool reports whether the flag needs no value.
func (s Setting) IsBool() bool { _, ok := s.value.(*bool); return ok }

// String returns the value in the form that Set takes.
func (s Setting) String() string {
	if list, ok := s.value.(*[]string); ok {
		return strings.Join(*list, ",")
	}
	return fmt.Sprint(reflect.ValueOf(s.value).Elem())
}

// Set parses a value.
func (s Setting) Set(text string) (err error) {
	switch v := s.value.(type) {
	case *string:
		*v = text
	case *[]string:
		*v = nil
		if s.Repeated {
			*v = strings.Fields(text)
			return nil
		}
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				*v = append(*v, item)
			}
		}
	case *time.Duration:
		*v, err = time.ParseDuration(text)
		if err != nil {
			err = fmt.Errorf("%q is not a duration such as 30s or 2m", text)
		}
	default:
		if err = json.Unmarshal([]byte(s.inBytes(text)), v); err != nil {
			err = fmt.Errorf("%q is not %s", text, s.kind())
		}
	}
	return err
}

// isSize reports whether the value is a number of bytes.
func (s Setting) isSize() bool { return s.Name == "memory" || strings.HasSuffix(s.Name, "-bytes") }

// inBytes replaces the unit of a size by its bytes: 2GiB becomes 2147483648.
func (s Setting) inBytes(text string) string {
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		number, ok := strings.CutSuffix(text, unit)
		if n, err := strconv.ParseInt(number, 10, 32); ok && s.isSize() && err == nil {
			return strconv.FormatInt(n<<(10*(i+1)), 10)
		}
	}
	return text
}

// kind describes the values of a number or switch.
func (s Setting) kind() string {
	switch {
	case s.IsBool():
		return "true or false"
	case s.isSize():
		return "a number of bytes such as 1048576, 512MiB or 2GiB"
	}
	return "a whole number"
}

// Load returns the defaults, overridden by the environment, and that by the flags.
func Load(environment func(string) (string, bool), flags map[string]string) (*Settings, error) {
	s := DefaultSettings()
	for _, setting := range s.All() {
		if text, ok := environment(setting.Environment()); ok {
			if err := setting.Set(text); err != nil {
				return nil, fmt.Errorf("reading $%s: %w", setting.Environment(), err)
			}
		}
		if text, ok := flags[setting.Name]; ok {
			if err := setting.Set(text); err != nil {
				return nil, fmt.Errorf("reading --%s: %w", setting.Name, err)
			}
		}
	}
	return s, nil
}

// Config returns the configuration. The caller adds the demo, the page and the log.
func (s *Settings) Config() (Config, error) {
	c := Config{
		Root: s.Collections, Files: s.Files, Encoders: s.Encoders, Hosts: s.Hosts, Origins: s.CORS, Limits: s.Limits, Upkeep: s.Upkeep,
		Insecure: s.Insecure && s.ReallyInsecure, KeysFile: s.KeysFile, Audit: s.Audit,
		TLSCert: s.TLSCert, TLSKey: s.TLSKey, TLSClientCA: s.TLSClientCA,
	}
	for i, host := range c.Hosts {
		c.Hosts[i] = strings.ToLower(host)
	}
	if s.LLM != "" {
		client, err := chat.Open(s.LLM)
		if err != nil {
			return c, err
		}
		c.Chat = client
	}
	quiet := slog.New(slog.DiscardHandler) // the server logs the warnings
	_, err := auth.NewCertificate(c.TLSCert, c.TLSKey, c.TLSClientCA, quiet)
	if err != nil {
		return c, err
	}
	if c.Stores, err = readStores(s.Stores); err != nil {
		return c, err
	}
	if c.Keys, err = auth.ReadKeys(strings.NewReader(strings.Join(s.Keys, "\n"))); err != nil {
		return c, err
	}
	if c.KeysFile != "" {
		ring, err := auth.NewKeyring(c.KeysFile, c.Keys, quiet)
		if err != nil {
			return c, err
		}
		if len(ring.Keys()) == 0 {
			return c, fmt.Errorf("reading keys: there is none in %s; nsfl serve key creates one", s.KeysFile)
		}
	}
	return c, auth.CheckListen(s.Listen, c.KeysFile != "" || len(c.Keys) > 0, c.Insecure)
}

// readStores parses items of the form NAME=ADDRESS. Its errors do not quote a malformed item,
// which may contain a password.
func readStores(items []string) (map[string]string, error) {
	out := map[string]string{}
	for i, item := range items {
		name, address, ok := strings.Cut(item, "=")
		switch {
		case !ok || !workspace.IsName(name):
			return nil, fmt.Errorf("store %d is not NAME=ADDRESS, such as films=postgres://HOST/DATABASE; a name has lower-case letters, digits, - and _", i+1)
		case out[name] != "":
			return nil, fmt.Errorf("two stores are named %s; rename one of them", name)
		case !stores.External(address):
			return nil, fmt.Errorf("store %s is a directory: serve it with nsfl serve DIR", name)
		}
		out[name] = address
	}
	return out, nil
}
