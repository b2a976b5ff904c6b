package elastic

import (
	"cmp"
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/webclient"
)

const rule = `the name of one index or alias: up to 255 bytes without spaces and any of \/*?"<>|,#: and without any of -_+ at the beginning`

var scheme = remote.Scheme{
	Name: "elastic", Engine: "Elasticsearch", Port: "9200", Login: true, Settings: []string{"api_key"}, Secrets: []string{"api_key"},
	Advice:     "the password may be in the environment variable ELASTIC_PASSWORD, a key in ELASTIC_API_KEY",
	Collection: remote.DefaultCollection, Names: regexp.MustCompile(`^[^\x00- \\/*?"<>|,#:_+-][^\x00- \\/*?"<>|,#:]*$`), Rule: rule,
}

func configure(text string) (*remote.Address, error) {
	a, err := scheme.Parse(text)
	if err == nil && (len(a.Collection) > 255 || !utf8.ValidString(a.Collection) || strings.Trim(a.Collection, ".") == "") {
		return nil, engine.BadInput("the collection's name", "%.64q is not %s", a.Collection, rule)
	}
	return a, err
}

type client struct {
	*remote.Web
	index string // with the slash before it
}

func newClient(a *remote.Address) (*client, error) {
	password, key := cmp.Or(a.Password, os.Getenv("ELASTIC_PASSWORD")), cmp.Or(a.Settings["api_key"], os.Getenv("ELASTIC_API_KEY"))
	encoded := base64.StdEncoding.EncodeToString([]byte(a.User + ":" + password))
	c := &client{remote.NewWeb(a.URL(), remote.Hide(password, key, encoded)), "/" + url.PathEscape(a.Collection)}
	c.Advise = advise
	var err error
	switch {
	case key != "":
		err = c.SetHeader("Authorization", "ApiKey "+key)
	case a.User != "":
		err = c.SetHeader("Authorization", "Basic "+encoded)
	}
	return c, err
}

func (c *client) ask(ctx context.Context, method, path string, in, out any) error {
	return c.Ask(ctx, method, c.index+path, in, out)
}

func advise(e *webclient.StatusError) {
	if e.Kind == "search_phase_execution_exception" {
		// Equal searches share one computation, and fail if the client that started it is
		// gone.
		e.Passes = true
	}
	switch e.Code {
	case http.StatusUnauthorized:
		e.Advice = "give a user in the address and the password in ELASTIC_PASSWORD, or a key in ELASTIC_API_KEY"
	case http.StatusForbidden:
		e.Advice = "to search an index, its privileges read and view_index_metadata are needed"
	}
}
