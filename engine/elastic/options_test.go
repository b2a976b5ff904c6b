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
		"elastic://host:1?tls=true&collection=a%25b": {"https://host:1", "elastic://host:1/?collection=a%25b", ""},
		"elastic://u:hunter2@host:1/":                {"http://host:1", "elastic://host:1/?collection=nsfl", "Basic dTpodW50ZXIy"},
		"elastic://u@host:1/":                        {"http://host:1", "elastic://host:1/?collection=nsfl", "Basic dTpmcm9tIHRoZSBlbnZpcm9ubWVudA=="},
		"elastic://host:1/?api_key=hunter2":          {"http://host:1", "elastic://host:1/?collection=nsfl", "ApiKey hunter2"},
		"elastic://host:1/?text=a.b&vector=v%20w":    {"http://host:1", "elastic://host:1/?collection=nsfl&vector=v%20w&text=a.b", ""},
	} {
		a, err := configure(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if c := newClient(a); c.server != want.server || a.place() != want.place || a.header() != want.header {
			t.Errorf("%s: %s, %s, %q; want %+v", text, c.server, a.place(), a.header(), want)
		}
		if shown := a.hide("x hunter2 y"); strings.Contains(text, "hunter2") && strings.Contains(shown, "hunter2") {
			t.Errorf("%s: %q is shown", text, shown)
		}
	}
	for _, text := range []string{
		"", "elastic://", "http://host", "elastic://host/hunter2", "elastic://host/?hunter2=1", "elastic://host/?tls=hunter2", "elastic://host/?collection=",
		"elastic://host/?collection=a&collection=b", "elastic://host/?collection=a*", "elastic://host/?collection=a,b", "elastic://host/?collection=_all",
		"elastic://host/?collection=..", "elastic://host/?collection=a/b", "elastic://host/?api_key=hunter2%0a", "elastic://host/#hunter2",
		"elastic://host/?collection=" + strings.Repeat("a", 256), "elastic://host:hunter2/", "elastic://host/?%zzhunter2",
	} {
		var input *engine.InputError
		if _, err := configure(text); !errors.As(err, &input) || strings.Contains(strings.ReplaceAll(err.Error(), `"hunter2"`, ""), "hunter2") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
