package elastic

import (
	"errors"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

func TestConfigure(t *testing.T) {
	t.Setenv("ELASTIC_PASSWORD", "from the environment")
	for text, want := range map[string]struct{ server, place, header string }{
		"elastic://host":                             {"http://host:9200", "elastic://host:9200/?collection=nsfl", ""},
		"elastic://[::1]/?collection=films":          {"http://[::1]:9200", "elastic://[::1]:9200/?collection=films", ""},
		"elastic://host:1?tls=true&collection=a%25b": {"https://host:1", "elastic://host:1/?collection=a%25b&tls=true", ""},
		"elastic://u:hunter2@host:1/":                {"http://host:1", "elastic://host:1/?collection=nsfl", "Basic dTpodW50ZXIy"},
		"elastic://u@host:1/":                        {"http://host:1", "elastic://host:1/?collection=nsfl", "Basic dTpmcm9tIHRoZSBlbnZpcm9ubWVudA=="},
		"elastic://host:1/?api_key=hunter2":          {"http://host:1", "elastic://host:1/?collection=nsfl", "ApiKey hunter2"},
		"elastic://host:1/?text=a.b&vector=v%20w":    {"http://host:1", "elastic://host:1/?collection=nsfl", ""},
	} {
		a, err := configure(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		c, err := newClient(a)
		if err != nil {
			t.Fatal(err)
		}
		if header := c.Header.Get("Authorization"); c.Base != want.server || a.Place() != want.place || header != want.header {
			t.Errorf("%s: got %s, %s, %q; want %+v", text, c.Base, a.Place(), header, want)
		}
		if shown := c.Hide("x hunter2 y dTpodW50ZXIy"); strings.Contains(text, "hunter2") && (strings.Contains(shown, "hunter2") || strings.Contains(text, "@") && strings.Contains(shown, "dTpodW50ZXIy")) {
			t.Errorf("%s: %q is shown", text, shown)
		}
	}
	for _, text := range []string{
		"", "http://host", "elastic://host/?collection=a*", "elastic://host/?collection=a,b", "elastic://host/?collection=_all",
		"elastic://host/?collection=..", "elastic://host/?collection=a/b", "elastic://host/?collection=a%00", "elastic://host/?collection=%ff",
		"elastic://host/?collection=" + strings.Repeat("a", 256),
	} {
		var input *engine.InputError
		if _, err := configure(text); !errors.As(err, &input) {
			t.Errorf("%s: got error %v, want an *engine.InputError", text, err)
		}
	}
}
