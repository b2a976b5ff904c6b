package remote

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

var testScheme = Scheme{
	Name: "some", Engine: "Some", Port: "80", Login: true, Settings: []string{"api_key", "tenant"}, Secrets: []string{"api_key"},
	Collection: "nsfl", Names: regexp.MustCompile(`^[a-z ]+$`), Rule: "small letters",
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"some://host":                       "some://host:80/?collection=nsfl",
		"some://user:hunter2@host:1/":       "some://host:1/?collection=nsfl",
		"some://[::1]/?tls=1&collection=ab": "some://[::1]:80/?collection=ab&tls=true",
		"some://h/?tenant=a%20b&api_key=hunter2&vector=v&text=body&collection=a+b": "some://h:80/?collection=a%20b&tenant=a%20b",
	} {
		a, err := testScheme.Parse(text)
		if err != nil || a.Place() != want {
			t.Errorf("%s: got %+v, %v, want the place %s", text, a, err, want)
		}
	}
	a, err := testScheme.Parse("some://user:a%40b@host/?vector=v&title=t&api_key=k")
	if err != nil || a.User != "user" || a.Password != "a@b" || a.Roles != (Roles{Vector: "v", Title: "t"}) || a.Settings["api_key"] != "k" {
		t.Errorf("got %+v, %v", a, err)
	}
}

// TestBadAddresses checks that errors about addresses do not repeat a part that may be a password.
func TestBadAddresses(t *testing.T) {
	for _, text := range []string{
		"hunter2", "http://hunter2", "some://host/hunter2", "some://host:hunter2/", "some://host/#hunter2", "some://user:hunter2@:1/", "some://user:%hunter2@host/",
		"some://host/?key=hunter2", "some://host/?collection=a&collection=hunter2", "some://host/?tls=hunter2", "some://host/?%hunter2", "some://host/?tenant=",
		"some://ho st hunter2/", "some:///?a=hunter2", "some://", "some://a,b/", "some://host:0/", "some://host:99999/", "some://host/?collection=A",
	} {
		_, err := testScheme.Parse(text)
		var input *engine.InputError
		if !errors.As(err, &input) || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "hunter2") {
			t.Errorf("%s: got error %v, want an *engine.InputError without the password", text, err)
		}
	}
	anonymous := testScheme
	anonymous.Login = false
	if _, err := anonymous.Parse("some://user@host/"); err == nil {
		t.Error("got no error for a user that the engine does not know")
	}
}

// FuzzParse checks that the place of an address is parsed as the same place.
func FuzzParse(f *testing.F) {
	f.Add("some://a:1/?collection=x&tenant=y")
	f.Add("some://[::1]:8080/?tls=true")
	f.Add("some://::1")
	f.Add("some://user:secret@host/")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := testScheme.Parse(text)
		if err != nil {
			return
		}
		again, err := testScheme.Parse(a.Place())
		if err != nil || again.Host != a.Host || again.Collection != a.Collection || again.Place() != a.Place() {
			t.Errorf("%q has the place %q, which is parsed as %+v, %v", text, a.Place(), again, err)
		}
	})
}
