package chroma

import (
	"cmp"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

const defaultTenant, defaultDatabase = "default_tenant", "default_database"

var scheme = remote.Scheme{
	Name: "chroma", Engine: "Chroma", Port: "8000", Settings: []string{"tenant", "database"},
	Advice: "credentials belong into the environment variable CHROMA_TOKEN or CHROMA_AUTHORIZATION",
	Names:  regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]$`),
	Rule:   "three to 512 letters, digits, dots, dashes and underscores, with a letter or digit at both ends",
}

func configure(text string) (*remote.Address, error) {
	a, err := scheme.Parse(text)
	if err == nil && (a.Roles.ID != "" || a.Roles.Vector != "" || a.Roles.Metadata != "") {
		return nil, engine.BadInput("the address", "id, vector and metadata are not for Chroma, whose records have one of each: leave them out")
	}
	return a, err
}

type client struct {
	*remote.Web
	collections string // the path of the database's collections
}

// newClient returns a client with the credentials in the environment: CHROMA_TOKEN for the
// header X-Chroma-Token, CHROMA_AUTHORIZATION for the header Authorization.
func newClient(a *remote.Address) (*client, error) {
	token, authorization := os.Getenv("CHROMA_TOKEN"), os.Getenv("CHROMA_AUTHORIZATION")
	secrets := append([]string{token}, strings.Fields(authorization)...)
	c := &client{
		Web: remote.NewWeb(a.URL()+"/api/v2", remote.Hide(secrets[0], secrets[len(secrets)-1])), // without Bearer or Basic
		collections: "/tenants/" + url.PathEscape(cmp.Or(a.Settings["tenant"], defaultTenant)) +
			"/databases/" + url.PathEscape(cmp.Or(a.Settings["database"], defaultDatabase)) + "/collections",
	}
	for name, value := range map[string]string{"X-Chroma-Token": token, "Authorization": authorization} {
		if value != "" {
			if err := c.SetHeader(name, value); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}
