package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/spelling"
	"github.com/nsfl-go/nsfl/profile"
)

// addProfile adds a flag that names a profile.
func addProfile(f *pflag.FlagSet, to **profile.Profile, name, help string) {
	f.Var(&profileFlag{to: to}, name, help)
	group(f, forStudy, name)
}

// profileFlag implements a flag that names a profile.
type profileFlag struct {
	to   **profile.Profile
	word string
}

// String returns the name.
func (p *profileFlag) String() string { return p.word }

// Type returns the type that help uses for a placeholder.
func (p *profileFlag) Type() string { return "string" }

// Set reads the profile.
func (p *profileFlag) Set(word string) (err error) {
	p.word = word
	*p.to, err = readProfile(word)
	return err
}

// profileHelp describes --profile.
const profileHelp = "how vectors are refined and which operators rank: paper (none of it), builtin, general (for other encoders), or a file that nsfl tune wrote"

// profileWords lists the built-in profiles.
var profileWords = []string{"paper", "builtin", "general"}

// readProfile returns a built-in profile or one from a file; nil if word is empty.
func readProfile(word string) (*profile.Profile, error) {
	switch word {
	case "":
		return nil, nil
	case "paper", "none":
		return profile.Paper(), nil
	case "builtin":
		return profile.Builtin(), nil
	case "general":
		return profile.General(), nil
	}
	f, err := os.Open(word)
	if err != nil {
		text := fmt.Sprintf("there is no profile %q: it is %s, or a file that nsfl tune wrote", word, strings.Join(profileWords, ", "))
		if meant := spelling.Meant(word, profileWords); meant != "" {
			text += "; " + meant
		}
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	defer f.Close()
	p, err := profile.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", word, err)
	}
	return p, nil
}
