package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server/auth"
)

// keyFlags holds the flags of nsfl serve key.
type keyFlags struct {
	role, note, file string
	expires          string
	collections      []string
}

func keyCommand() *cobra.Command {
	var o keyFlags
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Create a key for the server",
		Long: `Key creates a key and prints it once: the server stores only its SHA-256. The line for the
server's list of keys is appended to --keys-file, which is created if needed, or printed to
standard error. A running server applies the change within a second.

To replace a key, create another, and remove the line of the old one when nobody uses it any
more.`,
		Example: `  nsfl serve key --role read --keys-file keys --note "the web shop"
  nsfl serve key --role write --collection films --expires 90d --keys-file keys
  nsfl serve key --role admin`,
		Args: args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			secret, err := o.run(cmd)
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), secret)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.role, "role", "read", "read, write or admin; each includes the ones before")
	f.StringVar(&o.note, "note", "", "a note, such as what the key is for")
	f.StringVar(&o.file, "keys-file", "", "append the key to this `FILE`")
	f.StringVar(&o.expires, "expires", "", "the `TIME` when the key expires: in 90d or 12h, or on 2027-01-31; default: never")
	f.StringArrayVar(&o.collections, "collection", nil, "restrict the key to the collection of this `NAME`; may be repeated; default: all")
	return cmd
}

func (o *keyFlags) run(cmd *cobra.Command) (secret string, err error) {
	end, err := parseEnd(o.expires, time.Now())
	if err != nil {
		return "", usageError{err}
	}
	role, err := auth.ParseRole(o.role)
	if err != nil {
		return "", usageError{err}
	}
	secret, key, err := auth.NewKey(role, o.note)
	if err != nil {
		return "", usageError{err}
	}
	for _, name := range o.collections {
		if !workspace.IsName(name) {
			return "", usageError{fmt.Errorf("--collection %q is not a collection's name: %s", name, workspace.NameRule)}
		}
	}
	key.Expires, key.Collections = end, o.collections
	if o.file == "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "for the server's list of keys:\n%s\n", key)
		return secret, nil
	}
	return secret, auth.AddKey(o.file, key)
}

// parseEnd parses an expiry time; an empty text means never.
func parseEnd(text string, now time.Time) (end time.Time, err error) {
	if text == "" {
		return end, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			end = now.AddDate(0, 0, int(n))
		}
	} else if period, err := time.ParseDuration(text); err == nil {
		end = now.Add(period)
	} else if end, err = time.Parse(time.DateOnly, text); err != nil {
		end, _ = time.Parse(time.RFC3339, text)
	}
	if !end.After(now) {
		return end, fmt.Errorf("--expires %q is not a time to come, such as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z", text)
	}
	return end.UTC().Truncate(time.Second), nil
}
