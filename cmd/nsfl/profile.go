package main

import (
	"fmt"
	"os"

	"github.com/nsfl-go/nsfl/profile"
)

// profileHelp is what --profile says of itself.
const profileHelp = "how vectors are refined and which operators rank: paper (none of it), builtin, or a file that nsfl tune wrote"

// readProfile is the profile of a word; nil of the empty one.
func readProfile(word string) (*profile.Profile, error) {
	switch word {
	case "":
		return nil, nil
	case "paper", "none":
		return profile.Paper(), nil
	case "builtin":
		return profile.Builtin(), nil
	}
	f, err := os.Open(word)
	if err != nil {
		return nil, fmt.Errorf("there is no profile %q: it is paper, builtin, or a file that nsfl tune wrote: %w", word, err)
	}
	defer f.Close()
	p, err := profile.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", word, err)
	}
	return p, nil
}
