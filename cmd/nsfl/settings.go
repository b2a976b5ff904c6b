package main

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/internal/chat"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server"
	"github.com/nsfl-go/nsfl/server/auth"
)

// settings configure a server. Each is a flag and an environment variable of the same name, such
// as --search-time and NSFL_SEARCH_TIME.
type settings struct {
	server.Config
	flags *pflag.FlagSet

	listen, log, llm     string
	stores               []string // NAME=ADDRESS
	keys                 []string // lines as in the key file
	demo, reallyInsecure bool
}

// newSettings returns the default settings.
func newSettings() *settings {
	f := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.SortFlags = false
	s := &settings{flags: f}
	f.StringVar(&s.listen, "listen", "127.0.0.1:7700", "the address, HOST:PORT")
	f.StringVar(&s.Root, "collections", "", "the directory whose subdirectories are the collections; it must exist")
	f.StringArrayVar(&s.stores, "store", nil, "a collection in a remote store, NAME=ADDRESS, such as films=postgres://HOST/DATABASE?collection=films; may be repeated")
	f.BoolVar(&s.demo, "demo", false, "offer the built-in collection of about 500 short texts")
	f.StringVar(&s.Files, "files", "", "send the original files of documents, if they are below this directory and unchanged since they were indexed; keys that are limited to collections cannot read them; none by default")
	f.StringSliceVar(&s.Encoders, "encoders", []string{builtin.Word}, "the encoders for new collections, the default first, separated by commas; an existing collection with an encoder at an address or in a folder is opened only if that is listed")
	f.StringVar(&s.llm, "llm", "", "the chat endpoint that parses plain language for requests with nl llm: ollama:MODEL, openai:MODEL, vllm:MODEL, llama.cpp:MODEL or http://HOST/v1#MODEL; none by default")
	f.StringVar(&s.KeysFile, "keys-file", "", "a file with keys, one per line, as nsfl serve key prints them")
	f.StringSliceVar(&s.keys, "keys", nil, "keys as in the key file, separated by commas; set them in the environment, not in a flag")
	f.BoolVar(&s.Insecure, "insecure", false, "listen on other addresses than loopback without keys; requires really-insecure")
	f.BoolVar(&s.reallyInsecure, "really-insecure", false, "confirm insecure")
	f.StringSliceVar(&s.Hosts, "hosts", nil, "host names that a server without keys accepts, in addition to localhost")
	f.StringSliceVar(&s.Origins, "cors", nil, "origins of other sites that may use the API, such as https://example.org")
	f.StringVar(&s.TLSCert, "tls-cert", "", "the certificate, PEM")
	f.StringVar(&s.TLSKey, "tls-key", "", "its key, PEM")
	f.StringVar(&s.TLSClientCA, "tls-client-ca", "", "certificate authorities, PEM: clients need a certificate signed by one of them, in addition to a key")
	f.StringVar(&s.Audit, "audit", "", "an audit log: a file that gets a line before and after each change")
	f.StringVar(&s.log, "log", "text", "the format of the log: text, json, problems (text, errors only) or off")

	u := &s.Upkeep
	f.StringVar(&u.BackupTo, "backup-to", "", "the backup repository: a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST")
	f.DurationVar(&u.BackupEvery, "backup-every", 0, "the interval of backups, such as 24h; 0: only on request")
	f.IntVar(&u.BackupKeep, "backup-keep", 7, "how many backups of a collection to keep after a scheduled one; 0: all")
	f.DurationVar(&u.ScrubEvery, "scrub-every", 7*24*time.Hour, "the interval at which collections are verified against their checksums; 0: never")
	f.IntVar(&u.CompactDocuments, "compact-documents", 1000, "compact a collection with at least this many deleted documents; 0: never")
	f.IntVar(&u.CompactPercent, "compact-percent", 20, "and at least this percentage of deleted documents")

	s.Limits = server.DefaultLimits()
	l := &s.Limits
	f.IntVar(&l.Searches, "searches", l.Searches, "concurrent searches")
	f.IntVar(&l.Writes, "writes", l.Writes, "batches of texts encoded for storage at once")
	f.IntVar(&l.Streams, "streams", l.Streams, "concurrent requests that store documents")
	f.IntVar(&l.Connections, "connections", l.Connections, "open connections; one address may have three quarters of them")
	f.DurationVar(&l.IdleTime, "idle-time", l.IdleTime, "how long an unused collection stays open")
	f.IntVar(&l.Rate, "rate", 0, "requests per second of one key, or of one address without keys; 0: unlimited")
	f.IntVar(&l.Burst, "burst", 0, "burst size of the rate limit; 0: twice the rate")
	f.DurationVar(&l.SearchTime, "search-time", l.SearchTime, "time limit of a search")
	f.DurationVar(&l.WriteTime, "write-time", l.WriteTime, "time limit of a request that stores documents, and for receiving a batch of a stream")
	f.DurationVar(&l.StallTime, "stall-time", l.StallTime, "time limit of a body without progress")
	f.DurationVar(&l.GraceTime, "grace-time", l.GraceTime, "time limit of requests in flight when the server stops")
	f.Var((*size)(&l.QueryBytes), "query-bytes", "maximum body of a search")
	f.Var((*size)(&l.WriteBytes), "write-bytes", "maximum body of a request that stores documents")
	f.Var((*size)(&l.StreamBytes), "stream-bytes", "maximum bulk request or upload, decompressed")
	f.IntVar(&l.QuotaDocuments, "quota-documents", 0, "maximum documents of a collection without its own quota; 0: unlimited")
	f.Var((*size)(&l.QuotaBytes), "quota-bytes", "maximum size of its files; 0: unlimited")
	f.Var((*size)(&l.AnswerBytes), "answer-bytes", "approximate maximum response; a note reports omitted results")
	f.Var((*size)(&l.Memory), "memory", "memory of all requests together, such as 2GiB; default: half of the memory of the machine or cgroup")
	f.IntVar(&l.Results, "results", l.Results, "maximum results of a search")
	f.VisitAll(func(flag *pflag.Flag) { flag.Usage += "; $" + variable(flag.Name) })
	return s
}

// ofMachine are the settings whose defaults depend on the machine.
var ofMachine = []string{"searches", "connections", "memory"}

// variable returns the environment variable of a setting.
func variable(name string) string {
	if name == "store" {
		return "NSFL_STORES" // separated by spaces
	}
	return "NSFL_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// size is a flag for a number of bytes.
type size int64

func (n *size) String() string { return strconv.FormatInt(int64(*n), 10) }

// Type returns the type that help uses for a placeholder.
func (n *size) Type() string { return "BYTES" }

// Set parses a number with or without a unit.
func (n *size) Set(text string) error {
	number, shift := text, 0
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		if before, ok := strings.CutSuffix(text, unit); ok {
			number, shift = before, 10*(i+1)
		}
	}
	given, err := strconv.ParseInt(number, 10, 64)
	if err != nil || given<<shift>>shift != given {
		return fmt.Errorf("%q is not a number of bytes such as 1048576, 512MiB or 2GiB", text)
	}
	*n = size(given << shift)
	return nil
}

// readEnvironment sets what no flag has set.
func (s *settings) readEnvironment(lookup func(string) (string, bool)) (err error) {
	s.flags.VisitAll(func(flag *pflag.Flag) {
		text, ok := lookup(variable(flag.Name))
		switch {
		case !ok || flag.Changed || err != nil:
		case flag.Name == "store":
			s.stores = strings.Fields(text)
		default:
			if wrong := flag.Value.Set(text); wrong != nil {
				err = fmt.Errorf("reading $%s: %w", variable(flag.Name), valueError(flag, text, wrong))
			}
		}
	})
	return err
}

// config checks the settings and returns the configuration, without the demo, the page and the
// log.
func (s *settings) config() (server.Config, error) {
	c := s.Config
	c.Insecure = s.Insecure && s.reallyInsecure
	for _, list := range [][]string{c.Encoders, c.Hosts, c.Origins} {
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
	}
	for i, host := range c.Hosts {
		c.Hosts[i] = strings.ToLower(host)
	}
	if s.llm != "" {
		client, err := chat.Open(s.llm)
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
	if c.Stores, err = readStores(s.stores); err != nil {
		return c, err
	}
	if c.Keys, err = auth.ReadKeys(strings.NewReader(strings.Join(s.keys, "\n"))); err != nil {
		return c, err
	}
	if c.KeysFile != "" {
		ring, err := auth.NewKeyring(c.KeysFile, c.Keys, quiet)
		if err != nil {
			return c, err
		}
		if len(ring.Keys()) == 0 {
			return c, fmt.Errorf("reading keys: there is none in %s; nsfl serve key creates one", c.KeysFile)
		}
	}
	return c, auth.CheckListen(s.listen, c.KeysFile != "" || len(c.Keys) > 0, c.Insecure)
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
